/** Tests splitting multipart bodies into parts. */

import { deepStrictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readMultipart } from "../../src/http/multipart.ts";
import { fc } from "../../testing/fast_check.ts";

const LIMITS = { maxPartBytes: 1_000, maxBodyBytes: 10_000, code: "REQUEST_TOO_LARGE" } as const;

/** Pieces that resemble the boundary `B`, and characters that can surround it. */
const piece = fc.constantFrom("\r\n", "\r", "\n", "--B", "--", "-", "B", " ", "\t", ":", "x", "\0");

/** Content without a boundary line. */
const content = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")).filter((text) =>
  !/\r\n--B(?:--)?[ \t]*\r\n/.test(`\r\n${text}\r\n`)
);

Deno.test("readMultipart() returns every byte between two boundary lines", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 4 }),
      content,
      content,
      async (contents, preamble, epilogue) => {
        const parts = contents.map((text, n) =>
          `--B\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${text}\r\n`
        );
        const body = `${preamble}\r\n${parts.join("")}--B--\r\n${epilogue}`;
        const headers = { "content-type": "multipart/form-data; boundary=B" };
        const request = new Request("http://localhost/", { method: "POST", headers, body });
        const read = await readMultipart(request, LIMITS);
        deepStrictEqual(
          read.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
          contents.map((text, n) => [String(n), text]),
        );
      },
    ),
    { numRuns: 500 },
  );
});
