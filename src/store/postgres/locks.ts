/** The advisory locks of an installation. Their first key is the schema's hash. */

import type { Owner } from "../store.ts";

/** Second keys of the locks that don't belong to a project. */
export const LOCK = {
  projects: -1,
  maintenance: -2,
  /**
   * Held by every transaction that can write to the journal, shared. While one transaction holds it
   * exclusively, every entry that has a number is committed.
   */
  journal: -3,
  migrations: -4,
  /** Held by the connection of the process that leads. */
  leader: -5,
} as const;

/** Returns the second key of an owner's lock, or null if it has none. */
export function ownerLock(owner: Owner): number | null {
  if (owner === "rows") return null;
  return typeof owner === "number" ? owner : LOCK[owner];
}
