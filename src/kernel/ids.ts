/** Creates record ids: a prefix for the kind of record, followed by a ULID that sorts by time. */

import { encodeTime, monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";
import { sha256 } from "./hash.ts";

/** Prefixes for records stored under their ids. */
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
  | "conn"
  | "req"
  | "webhook"
  | "grant";

/** Creates unique ids that strictly increase within the process. */
export interface Ids {
  next(prefix: IdPrefix): string;
}

/**
 * A source of uniform random numbers in [0, 1). Code that needs randomness takes one as a
 * parameter.
 */
export type Random = () => number;

/**
 * Returns a cryptographic source of randomness. It generates numbers in blocks, since doing so one
 * at a time is slow.
 */
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

/**
 * Creates ids from a prefix and a lowercase monotonic ULID (github.com/ulid/spec).
 *
 * @example
 * ```ts
 * import { ulidIds } from "./ids.ts";
 * import { match, ok } from "node:assert/strict";
 *
 * const ids = ulidIds({ now: () => 0 }, () => 0.5);
 * const [first, second] = [ids.next("mem"), ids.next("mem")];
 * match(first, /^mem_[0-9a-hjkmnp-tv-z]{26}$/);
 * ok(first < second);
 * ```
 */
export function ulidIds(clock: Clock, random: Random): Ids {
  const ulid = monotonicFactory(random);
  return { next: (prefix) => `${prefix}_${ulid(clock.now()).toLowerCase()}` };
}

/** Length of a ULID, in characters. */
const ID_CHARACTERS = 26;

/**
 * Returns an id for something not stored under one. Equal texts get equal ids. The id is as long as
 * one with a ULID and contains 104 bits of the text's SHA-256 digest.
 *
 * @example
 * ```ts
 * import { derivedId } from "./ids.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(derivedId("node", "abc"), "node_ba7816bf8f01cfea414140de5d");
 * ```
 */
export function derivedId(prefix: string, text: string): string {
  return `${prefix}_${sha256(text).slice(0, ID_CHARACTERS)}`;
}

/** Characters of a ULID's time, and Crockford's alphabet in lower case. */
const TIME_CHARACTERS = 10;
const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns an id with a ULID that depends only on its arguments: the time, and 80 bits of the text's
 * SHA-256 digest instead of random ones. Used for records that come from another system, so that
 * importing one again finds it.
 *
 * @param milliseconds when the record was created; times before 1970 count as 1970
 *
 * @example
 * ```ts
 * import { datedId } from "./ids.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(datedId("mem", 0, "abc"), "mem_0000000000q9w1dfwf077ymga1");
 * ```
 */
export function datedId(prefix: IdPrefix, milliseconds: number, text: string): string {
  const time = encodeTime(Math.max(0, milliseconds), TIME_CHARACTERS).toLowerCase();
  const digest = BigInt(`0x${sha256(text).slice(0, 20)}`);
  let hash = "";
  for (let shift = 75n; shift >= 0n; shift -= 5n) hash += BASE_32[Number(digest >> shift & 31n)];
  return `${prefix}_${time}${hash}`;
}
