/** Cursors: signed, bound to their list, and never a wrong page. */

import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import { Cursors } from "../../src/kernel/cursor.ts";
import { ApiError } from "../../src/kernel/errors.ts";

const LIST = ["memories", 1, "ana", null];
const cursors = new Cursors("a secret");

function refused(list: readonly unknown[], cursor: string): void {
  throws(
    () => cursors.decode(list, cursor),
    (error) => error instanceof ApiError && error.code === "INVALID_REQUEST",
  );
}

Deno.test("Cursors.decode() gives back the position that was encoded", () => {
  const positions = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(positions, (position) => {
    deepStrictEqual(cursors.decode(LIST, cursors.encode(LIST, position)), position);
  }));
});

Deno.test("Cursors.encode() writes base64url, fit for a query string", () => {
  match(cursors.encode(LIST, ["ü ? & =", 7]), /^[A-Za-z0-9_-]+$/);
});

Deno.test("Cursors.decode() refuses a cursor with any character changed", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === "A" ? "B" : "A";
    refused(LIST, cursor.slice(0, index) + other + cursor.slice(index + 1));
  }
});

Deno.test("Cursors.decode() refuses a cursor that was cut, extended or padded", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (let length = 0; length < cursor.length; length++) refused(LIST, cursor.slice(0, length));
  for (const tail of ["A", "=", " ", "%", cursor]) refused(LIST, cursor + tail);
});

Deno.test("Cursors.decode() refuses whatever else is sent", () => {
  fc.assert(fc.property(fc.string(), (text) => refused(LIST, text)));
});

Deno.test("Cursors.decode() refuses the cursor of another list, or of another instance", () => {
  const cursor = cursors.encode(LIST, [12345]);
  for (const list of [["memories", 2, "ana", null], ["memories", 1, "ana"], ["events", 1]]) {
    refused(list, cursor);
  }
  refused(LIST, new Cursors("another secret").encode(LIST, [12345]));
});

Deno.test("cursors of one position are equal, so that they can be compared in a log", () => {
  strictEqual(cursors.encode(LIST, [1]), cursors.encode(LIST, [1]));
});
