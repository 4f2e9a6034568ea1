/** Tests hostile files: each must cause a specific error before using many resources. */
import assert from "node:assert/strict";
import { readTiffDirectories } from "../../src/extraction/formats/tiff/directory.ts";
import { decodeLzw } from "../../src/extraction/formats/tiff/unpack.ts";
import {
  docx,
  epub,
  markdownOf,
  png,
  read,
  tiff,
  wordParagraph,
  zip,
} from "../../testing/extraction_fixtures.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const TOO_LARGE = { code: "EXTRACTED_DOCUMENT_TOO_LARGE", retryable: false };
const CORRUPT = { code: "DOCUMENT_CORRUPT", retryable: false };

Deno.test("extract() stops unpacking a zip bomb at the limit", async () => {
  await assert.rejects(read(docx(wordParagraph("A".repeat(110_000_000))), DOCX), TOO_LARGE);
});

Deno.test("extract() rejects a zip whose directory has too many entries", async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 10_001 }, (_, index) => [`f${index}`, ""]),
  );
  await assert.rejects(read(zip(entries), DOCX), TOO_LARGE);
});

Deno.test("extract() rejects office XML with a document type, so that it never resolves an entity", async () => {
  const file = zip({
    "word/document.xml": '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>',
    "[Content_Types].xml":
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  });
  await assert.rejects(read(file, DOCX), CORRUPT);
});

Deno.test("extract() never resolves an external entity in an XML file", async () => {
  const file = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>';
  await assert.rejects(read(file, "application/xml"), CORRUPT);
});

Deno.test("extract() limits nesting in every tree format", async () => {
  const deep = (open: string, close: string) => open.repeat(20_000) + "x" + close.repeat(20_000);
  await assert.rejects(read(docx(deep("<w:p>", "</w:p>")), DOCX), TOO_LARGE);
  await assert.rejects(read(deep("<div>", "</div>"), "text/html"), CORRUPT);
  await assert.rejects(read(deep("<a>", "</a>"), "application/xml"), TOO_LARGE);
  await assert.rejects(read(`{\\rtf1 ${deep("{", "}")}}`, "application/rtf"), CORRUPT);
  await assert.rejects(
    read(`From: a@b\n${"Content-Type: message/rfc822\n\n".repeat(5_000)}x`, "message/rfc822"),
    CORRUPT,
  );
});

Deno.test("extract() checks the pixel count in an image's header before decoding", async () => {
  const image = png(1, 1, new Uint8Array(1));
  new DataView(image.buffer).setUint32(16, 50_000);
  new DataView(image.buffer).setUint32(20, 50_000);
  await assert.rejects(read(image, "image/png"), TOO_LARGE);
});

Deno.test("extract() rejects a TIFF directory with a circular or invalid offset", async () => {
  const page = tiff([{ width: 8, height: 8, pixels: new Uint8Array(64) }], 200);
  const view = new DataView(page.buffer);
  const next = 8 + 2 + 12 * view.getUint16(8, true);
  for (const to of [8, 0x7fff_ffff]) {
    view.setUint32(next, to, true);
    await assert.rejects(read(page, "image/tiff"), CORRUPT);
  }
});

/** Returns the offset of an entry in the first directory of a TIFF. */
function entryOf(view: DataView, tag: number): number {
  for (let at = 10;; at += 12) if (view.getUint16(at, true) === tag) return at;
}

Deno.test("readTiffDirectories() rejects more entries or values than fit into the file", () => {
  // Overlapping directories, each of which refers to the next one four bytes later.
  const count = 400;
  const nested = new Uint8Array(8 + 12 * count + 4 * count);
  const view = new DataView(nested.buffer);
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, 8, true);
  for (let at = 8; at < 8 + 4 * count - 8; at += 4) {
    view.setUint16(at, count, true);
    view.setUint32(at + 2 + 12 * count, at + 4, true);
  }
  assert.throws(() => readTiffDirectories(nested, 10), CORRUPT);
  // Entries that all refer to the same bytes.
  const shared = tiff([{ width: 8, height: 64, pixels: new Uint8Array(512) }], 200);
  const entries = new DataView(shared.buffer);
  for (const tag of [258, 259, 262]) {
    entries.setUint32(entryOf(entries, tag) + 4, 300, true);
    entries.setUint32(entryOf(entries, tag) + 8, 8, true);
  }
  assert.throws(() => readTiffDirectories(shared, 10), CORRUPT);
});

Deno.test("extract() rejects a TIFF with strips that extend past the end of the file", async () => {
  const pixels = new Uint8Array(4_096);
  const page = tiff([{ width: 64, height: 64, pixels }], 200);
  const view = new DataView(page.buffer);
  const strips = entryOf(view, 273);
  const [start, sizes] = [view.getUint32(strips + 8, true), entryOf(view, 279)];
  // 64 strips with one row each, all of which declare a size of four gigabytes.
  view.setUint32(entryOf(view, 278) + 8, 1, true);
  for (const [entry, at] of [[strips, start], [sizes, start + 256]] as const) {
    view.setUint32(entry + 4, 64, true);
    view.setUint32(entry + 8, at, true);
  }
  for (let strip = 0; strip < 64; strip++) {
    view.setUint32(start + 4 * strip, 8, true);
    view.setUint32(start + 256 + 4 * strip, 0xffff_ffff, true);
  }
  await assert.rejects(read(page, "image/tiff"), CORRUPT);
  // Strips without rows.
  view.setUint32(entryOf(view, 278) + 8, 0, true);
  await assert.rejects(read(page, "image/tiff"), CORRUPT);
});

Deno.test("decodeLzw() decodes the example from the specification and stops at damaged codes", () => {
  // Example from section 13 of the TIFF 6.0 specification.
  const codes = [256, 7, 258, 8, 8, 258, 6, 6, 257].map((code) =>
    code.toString(2).padStart(9, "0")
  );
  const compressed = codes.join("").padEnd(88, "0").match(/.{8}/g)!.map((byte) =>
    parseInt(byte, 2)
  );
  const plain = [7, 7, 7, 8, 8, 7, 7, 6, 6];
  assert.deepEqual([...decodeLzw(Uint8Array.from(compressed), 9)], plain);
  assert.deepEqual([...decodeLzw(Uint8Array.from(compressed), 4)], plain.slice(0, 4));
  assert.deepEqual([...decodeLzw(Uint8Array.from([0x80, 0x4b, 0, 0]), 3)], [0, 0, 0]);
});

Deno.test("extract() limits the output, however small the file is", async () => {
  await assert.rejects(read("word ".repeat(100), "text/plain", { maxOutputBytes: 100 }), TOO_LARGE);
  const row = "<td colspan=1000 rowspan=1000>x</td>".repeat(300);
  await assert.rejects(
    read(`<table><tr>${row}</tr>${"<tr></tr>".repeat(9)}</table>`, "text/html"),
    TOO_LARGE,
  );
});

/** Files with many short lines that add up to slightly more text than a document can have. */
const LONG: readonly (readonly [type: string, content: string])[] = [
  ["text/csv", "x,y,z\n".repeat(120_000)],
  ["text/csv", `${"x,".repeat(100)}x\n${"x\n".repeat(10_000)}`],
  ["text/tab-separated-values", "lamp\t12\n".repeat(90_000)],
  ["text/html", "<p>ten letters</p>".repeat(110_000)],
  ["application/xml", `<r>${"<p>x</p>\n".repeat(130_000)}</r>`],
  ["application/json", `[${'"a",\n'.repeat(260_000)}1]`],
  ["application/rtf", `{\\rtf1 ${"ten letters\\par\n".repeat(110_000)}}`],
  ["message/rfc822", `From: a@b.example\n\n${"a line of the message\n".repeat(60_000)}`],
  ["text/plain", "line\n".repeat(210_000)],
];

for (const [type, content] of LONG) {
  Deno.test(`extract() rejects ${type} with more text than the limit`, async () => {
    await assert.rejects(read(content, type), TOO_LARGE);
  });
}

Deno.test("extract() counts elements without text and stops reading at the limit", async () => {
  await assert.rejects(read("<p></p>".repeat(1_000_001), "text/html"), TOO_LARGE);
  await assert.rejects(
    read(`From: a@b.example\n\n${"\n".repeat(500_000)}`, "message/rfc822"),
    TOO_LARGE,
  );
  await assert.rejects(
    read(`{\\rtf1 ${"\\cell".repeat(1_000_001)}}`, "application/rtf"),
    TOO_LARGE,
  );
});

Deno.test("readEpub() counts the sections of a book together", async () => {
  const section = "<p>ten letters</p>".repeat(60_000);
  await assert.rejects(read(epub([section, section]), "application/epub+zip"), TOO_LARGE);
});

Deno.test("extract() counts only text that will be written", async () => {
  const scripted = `<script>${"x".repeat(1_100_000)}</script><p>A page</p>`;
  assert.equal(await markdownOf(scripted, "text/html"), "A page");
  const attached = "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n" +
    "--b\n\nSee the file\n--b\nContent-Type: application/x-log; name=a.log\n" +
    `Content-Disposition: attachment\n\n${"a line of the log\n".repeat(60_000)}--b--\n`;
  assert.match(await markdownOf(attached, "message/rfc822"), /See the file[^]*a\.log/);
  const blank = `Lamp;12\n${";\n".repeat(500_000)}`;
  assert.equal(await markdownOf(blank, "text/csv"), "| Lamp | 12 |\n| --- | --- |");
});

Deno.test("extract() reads a file just below the limit, however many lines it has", async () => {
  const paragraphs = "<p>x</p>".repeat(150_000);
  assert.equal((await markdownOf(`<div>${paragraphs}</div>`, "text/html")).length, 449_998);
  assert.equal((await markdownOf("x\n".repeat(150_000), "text/csv")).length, 900_007);
});

Deno.test("extract() throws DOCUMENT_ENCRYPTED for an encrypted office file", async () => {
  const file = new Uint8Array(1_536);
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const view = new DataView(file.buffer);
  view.setUint16(30, 9, true);
  // The root, whose only entry is the second one.
  view.setUint32(512 + 76, 1, true);
  const name = "EncryptedPackage";
  for (let index = 0; index < name.length; index++) {
    view.setUint16(640 + index * 2, name.charCodeAt(index), true);
  }
  view.setUint16(640 + 64, name.length * 2 + 2, true);
  view.setUint32(640 + 68, 0xffff_ffff, true);
  view.setUint32(640 + 72, 0xffff_ffff, true);
  await assert.rejects(read(file, DOCX), { code: "DOCUMENT_ENCRYPTED", retryable: false });
});
