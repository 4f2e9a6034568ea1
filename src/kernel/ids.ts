/** Identifiers: a prefix that tells the kind of record, and a ULID that sorts by time. */

import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

/** The prefixes of the interface (`mem_`, `doc_` …) and those that the decisions add. */
export type IdPrefix =
  | "mem"
  | "hist"
  | "fb"
  | "doc"
  | "chunk"
  | "asset"
  | "artifact"
  | "task"
  | "state"
  | "belief"
  | "belief_ev"
  | "profile"
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
