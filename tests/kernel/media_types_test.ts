/** Tests media types by file name. */

import { strictEqual } from "node:assert/strict";
import { mediaTypeOf } from "../../src/kernel/http/media_types.ts";

Deno.test("mediaTypeOf() maps the extension in any case, and returns UNKNOWN_MEDIA_TYPE for all others", () => {
  const names: Readonly<Record<string, string>> = {
    "notes.md": "text/markdown",
    "a.b.PDF": "application/pdf",
    "server.log": "text/plain",
    "facts.jsonl": "application/json",
    "md": "application/octet-stream",
    ".": "application/octet-stream",
    "a.bin": "application/octet-stream",
    "a.constructor": "application/octet-stream",
    "a.__proto__": "application/octet-stream",
  };
  for (const [name, type] of Object.entries(names)) strictEqual(mediaTypeOf(name), type, name);
});
