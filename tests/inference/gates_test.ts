/** Tests that gates stop figures of speech, and not what only looks like one. */

import { strictEqual } from "node:assert/strict";
import { gate } from "../../src/inference/builtin/message/gates.ts";

for (
  const said of [
    "I'd like a dog",
    "My daughter was born yesterday",
    "I work in space research at ESA",
    "I live for six months a year in Goa",
  ]
) {
  Deno.test(`gate() lets pass: ${said}`, () => strictEqual(gate(said, false, true), null));
}

for (
  const said of [
    "I work like a dog",
    "I wasn't born yesterday",
    "I live for coffee",
    "I live in space",
  ]
) {
  Deno.test(`gate() stops the figure of speech: ${said}`, () => {
    strictEqual(gate(said, false, true), "idiom");
  });
}
