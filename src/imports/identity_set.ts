/** Remembers which records of a source have been read, in a few bytes for each. */

import { sha256 } from "../kernel/hash.ts";

/** Digits of an identity's hash to remember: as many hex digits as fit into a number. */
const IDENTITY_DIGITS = 13;

/** A set of texts that identify records. */
export class IdentitySet {
  readonly #hashes = new Set<number>();

  /** Adds an identity. Returns false if it was there already. */
  add(identity: string): boolean {
    const { size } = this.#hashes;
    this.#hashes.add(parseInt(sha256(identity).slice(0, IDENTITY_DIGITS), 16));
    return this.#hashes.size > size;
  }
}
