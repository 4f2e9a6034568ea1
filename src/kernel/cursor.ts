/** Opaque, signed places in a list. A cursor works only in the list that it came from. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { invalidField } from "./errors.ts";

const SIGNATURE_BYTES = 12;

/** Where a page ended: the sort values of its last row. */
export type Position = readonly (string | number)[];

/** Signs and reads cursors with a secret of this data directory. */
export class Cursors {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `list` names the list with everything that selects its rows: project, path, filters. */
  encode(list: readonly unknown[], position: Position): string {
    const body = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#sign(list, body), body]).toString("base64url");
  }

  /** Throws INVALID_REQUEST for a cursor that was edited, cut, or made for another list. */
  decode(list: readonly unknown[], cursor: string): Position {
    const bytes = Buffer.from(cursor, "base64url");
    const [signature, body] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
    const expected = this.#sign(list, body);
    const genuine = signature.length === expected.length && timingSafeEqual(signature, expected) &&
      bytes.toString("base64url") === cursor;
    if (!genuine) {
      throw invalidField("cursor", "Not a cursor of this list; start again without one");
    }
    return JSON.parse(body.toString()) as Position;
  }

  #sign(list: readonly unknown[], body: Buffer): Buffer {
    return createHmac("sha256", this.#secret).update(JSON.stringify(list)).update("\0").update(body)
      .digest().subarray(0, SIGNATURE_BYTES);
  }
}
