/** Tests that cursors are signed, and only valid for the list they were created for. */

import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { ApiError } from "../../src/kernel/errors.ts";

const LIST = ["memories", 1, "ana", null];
const cursors = new Cursors("a secret");

function assertInvalid(list: readonly unknown[], cursor: string): void {
  throws(
    () => cursors.decode(list, cursor),
    (error) => error instanceof ApiError && error.code === "INVALID_REQUEST",
  );
}

Deno.test("Cursors.decode() returns the encoded position", () => {
  const positions = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(positions, (position) => {
    deepStrictEqual(cursors.decode(LIST, cursors.encode(LIST, position)), position);
  }));
});

Deno.test("Cursors.encode() returns base64url, which is safe in a query string", () => {
  match(cursors.encode(LIST, ["ü ? & =", 7]), /^[A-Za-z0-9_-]+$/);
});

Deno.test("Cursors.decode() throws if any character was changed", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === "A" ? "B" : "A";
    assertInvalid(LIST, cursor.slice(0, index) + other + cursor.slice(index + 1));
  }
});

Deno.test("Cursors.decode() throws if the cursor was truncated, extended or padded", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (let length = 0; length < cursor.length; length++) {
    assertInvalid(LIST, cursor.slice(0, length));
  }
  for (const suffix of ["A", "=", " ", "%", cursor]) assertInvalid(LIST, cursor + suffix);
});

Deno.test("Cursors.decode() throws for arbitrary text", () => {
  fc.assert(fc.property(fc.string(), (text) => assertInvalid(LIST, text)));
});

Deno.test("Cursors.decode() throws for a cursor from a different list or a different instance", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (const list of [["memories", 2, "ana", null], ["memories", 1, "ana"], ["events", 1]]) {
    assertInvalid(list, cursor);
  }
  assertInvalid(LIST, new Cursors("another secret").encode(LIST, [12345]));
});

Deno.test("Cursors.encode() returns equal cursors for equal positions, so that logs can be compared", () => {
  strictEqual(cursors.encode(LIST, [1]), cursors.encode(LIST, [1]));
});
