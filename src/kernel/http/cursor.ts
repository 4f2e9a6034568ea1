/**
 * Encodes opaque, signed pagination cursors. A cursor is only valid for the list it was created
 * for.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { invalidField } from "../errors.ts";

const SIGNATURE_BYTES = 12;

/** Where a page ended, as the sort values of its last row. */
export type Position = readonly (string | number)[];

/**
 * Encodes and decodes cursors, signed with a secret specific to the data directory.
 *
 * @example
 * ```ts
 * import { Cursors } from "./cursor.ts";
 * import { deepStrictEqual, throws } from "node:assert/strict";
 *
 * const cursors = new Cursors("secret");
 * const cursor = cursors.encode(["proj_1", "/v1/memories"], ["2025-06-01", 7]);
 * deepStrictEqual(cursors.decode(["proj_1", "/v1/memories"], cursor), ["2025-06-01", 7]);
 * throws(() => cursors.decode(["proj_2", "/v1/memories"], cursor));
 * ```
 */
export class Cursors {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /**
   * Returns the cursor for a position.
   *
   * @param list everything that selects the rows in the list, i.e. project, path and filters
   */
  encode(list: readonly unknown[], position: Position): string {
    const body = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#sign(list, body), body]).toString("base64url");
  }

  /**
   * Returns the position a cursor refers to. It has the type that the list encodes, as a cursor of
   * another list isn't accepted.
   *
   * @throws ApiError INVALID_REQUEST if the cursor was edited, truncated or created for a different
   *   list
   */
  decode<P extends Position>(list: readonly unknown[], cursor: string): P {
    const bytes = Buffer.from(cursor, "base64url");
    const [signature, body] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
    const expected = this.#sign(list, body);
    const valid = signature.length === expected.length && timingSafeEqual(signature, expected) &&
      bytes.toString("base64url") === cursor;
    if (!valid) {
      throw invalidField(
        "cursor",
        "Not a cursor of this list; omit it to start from the first page",
      );
    }
    return JSON.parse(body.toString()) as P;
  }

  #sign(list: readonly unknown[], body: Buffer): Buffer {
    return createHmac("sha256", this.#secret).update(JSON.stringify(list)).update("\0").update(body)
      .digest().subarray(0, SIGNATURE_BYTES);
  }
}
