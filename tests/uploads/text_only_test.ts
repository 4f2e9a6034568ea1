/** Tests the desktop variant's text extractor. */

import { rejects, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { extractUtf8Text } from "../../src/uploads/text_only.ts";
import { pdf, png, zip } from "../../testing/extraction_fixtures.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function extract(bytes: Uint8Array) {
  const workDir = makeTempDirSync();
  try {
    const inputPath = join(workDir, "file");
    writeFileSync(inputPath, bytes);
    const job = { inputPath, declaredType: "text/plain", filename: "file.txt", workDir };
    return await extractUtf8Text(job);
  } finally {
    await rm(workDir);
  }
}

Deno.test("extractUtf8Text() returns every character of the text", async () => {
  const html = "<h1>Tides</h1>\r\n<p>High water at nine.</p>\n";
  strictEqual((await extract(encode(html))).markdown, html);
});

Deno.test("extractUtf8Text() throws DOCUMENT_CORRUPT for bytes that are not UTF-8", async () => {
  await rejects(extract(new Uint8Array([0xe9, 0x74, 0xe9])), { code: "DOCUMENT_CORRUPT" });
});

Deno.test("extractUtf8Text() throws EXTRACTED_DOCUMENT_EMPTY for white space", async () => {
  await rejects(extract(encode(" \n \n")), { code: "EXTRACTED_DOCUMENT_EMPTY" });
});

Deno.test("extractUtf8Text() throws EXTRACTED_DOCUMENT_TOO_LARGE for more than a million bytes", async () => {
  const long = encode("words ".repeat(170_000));
  await rejects(extract(long), { code: "EXTRACTED_DOCUMENT_TOO_LARGE" });
});

Deno.test("extractUtf8Text() recognizes other file types by their bytes", async () => {
  const page = pdf([[{ x: 72, y: 700, text: "A page" }]]);
  const files = [page, encode("%PDF-1.4 x"), zip({ "a.txt": "a" }), png(1, 1, new Uint8Array(1))];
  for (const bytes of files) {
    await rejects(extract(bytes), { code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE" });
  }
});
