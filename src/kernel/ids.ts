/** Identifiers: a prefix that tells the kind of record, and a ULID that sorts by time. */

import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";
import { sha256 } from "./hash.ts";

/** The prefixes of records that are stored under their ids. */
export type IdPrefix =
  | "mem"
  | "hist"
  | "fb"
  | "doc"
  | "asset"
  | "artifact"
  | "task"
  | "proj"
  | "key"
  | "req"
  | "webhook"
  | "grant";

/** Makes ids that are unique and, within the process, strictly increasing. */
export interface Ids {
  next(prefix: IdPrefix): string;
}

/** Uniform numbers in [0, 1). Whoever needs chance is given a source of it. */
export type Random = () => number;

/** Cryptographic randomness, drawn in blocks because one draw a number is slow. */
export function systemRandom(): Random {
  const block = new Uint32Array(256);
  let used = block.length;
  return () => {
    if (used === block.length) {
      crypto.getRandomValues(block);
      used = 0;
    }
    return block[used++]! / 2 ** 32;
  };
}

/** Lower-case monotonic ULIDs (github.com/ulid/spec) behind the prefix of their kind. */
export function ulidIds(clock: Clock, random: Random): Ids {
  const ulid = monotonicFactory(random);
  return { next: (prefix) => `${prefix}_${ulid(clock.now()).toLowerCase()}` };
}

/** Characters of a ULID. */
const ID_CHARACTERS = 26;

/**
 * The id of what isn't stored under one: the same for the same text, and as long as a ULID (104 bits
 * of SHA-256).
 */
export function derivedId(prefix: string, text: string): string {
  return `${prefix}_${sha256(text).slice(0, ID_CHARACTERS)}`;
}
