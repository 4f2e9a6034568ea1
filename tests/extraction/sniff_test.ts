/** Tests that file types are detected, and that files declared as a different type are rejected. */
import assert from "node:assert/strict";
import * as cfb from "cfb";
import { rootNames } from "../../src/extraction/formats/office/ole_directory.ts";
import { resolveKind } from "../../src/extraction/sniff.ts";
import {
  contentTypes,
  docx,
  pdf,
  png,
  relations,
  wordParagraph,
  zip,
} from "../../testing/extraction_fixtures.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const page = pdf([[{ x: 72, y: 700, text: "Hello" }]]);
const image = png(2, 2, new Uint8Array(4));
const word = docx(wordParagraph("Hello"));
const text = new TextEncoder().encode("Hello");

Deno.test("resolveKind() rejects a declared type that doesn't match the bytes", () => {
  const refused: readonly (readonly [Uint8Array, string])[] = [
    [page, "text/plain"],
    [image, PDF],
    [word, XLSX],
    [word, PDF],
    [text, PDF],
    [text, "application/msword"],
    [Uint8Array.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61]), "image/png"],
    [zip({ "a.txt": "x" }), DOCX],
    [text, "audio/mpeg"],
  ];
  for (const [bytes, type] of refused) {
    assert.throws(() => resolveKind(bytes, type, "f"), { code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE" });
  }
});

Deno.test("resolveKind() detects a package without a declared type by its main part", () => {
  const part = `<w:document><w:body>${wordParagraph("Hello")}</w:body></w:document>`;
  const bare = zip({ "word/document.xml": part });
  const untyped = zip({ "[Content_Types].xml": "<Types/>", "word/document.xml": part });
  for (const bytes of [bare, untyped]) {
    assert.equal(resolveKind(bytes, DOCX, "f"), "docx");
    assert.throws(() => resolveKind(bytes, XLSX, "f"), {
      code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    });
  }
});

Deno.test("resolveKind() reads macro-enabled Office files like their plain kinds", () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ["docx", "word/document.xml", "application/vnd.ms-word.document.macroEnabled.12"],
    ["xlsx", "xl/workbook.xml", "application/vnd.ms-excel.sheet.macroEnabled.12"],
    ["pptx", "ppt/presentation.xml", "application/vnd.ms-powerpoint.presentation.macroEnabled.12"],
    ["pptx", "ppt/presentation.xml", "application/vnd.ms-powerpoint.slideshow.macroEnabled.12"],
  ];
  for (const [kind, part, type] of kinds) {
    const file = zip({
      "[Content_Types].xml": contentTypes(part, type),
      "_rels/.rels": relations({ r: ["officeDocument", part] }),
      [part]: "<x/>",
    });
    assert.equal(resolveKind(file, type, "f"), kind);
  }
});

Deno.test("resolveKind() ignores the documents embedded in a compound file", () => {
  const file = cfb.utils.cfb_new();
  const embedded = ["/MBD1/WordDocument", "/MBD2/EncryptedPackage", "/Workbook"];
  for (const name of embedded) cfb.utils.cfb_add(file, name, new Uint8Array(5_000));
  const bytes = Uint8Array.from(cfb.write(file, { type: "array" }) as number[]);
  assert.equal(resolveKind(bytes, "application/vnd.ms-excel", "f"), "xls");
});

Deno.test("rootNames() follows the directory in a file with more than 109 allocation sectors", () => {
  const [first, second, tableOfFirst, tableOfSecond, list] = [14_000, 50, 60, 61, 62];
  const file = new DataView(new ArrayBuffer(512 * 14_002));
  const offset = (sector: number, at: number) => (sector + 1) * 512 + at;
  const writeName = (at: number, name: string) => {
    [...name].forEach((char, index) => file.setUint16(at + 2 * index, char.charCodeAt(0), true));
    file.setUint16(at + 64, 2 * name.length + 2, true);
    for (const field of [68, 72, 76]) file.setUint32(at + field, 0xffffffff, true);
  };
  file.setUint16(30, 9, true);
  file.setUint32(48, first, true);
  file.setUint32(68, list, true);
  file.setUint32(76, tableOfSecond, true);
  file.setUint32(offset(list, 0), tableOfFirst, true);
  file.setUint32(offset(tableOfFirst, 4 * (first % 128)), second, true);
  file.setUint32(offset(tableOfSecond, 4 * second), 0xfffffffe, true);
  writeName(offset(first, 0), "Root Entry");
  file.setUint32(offset(first, 76), 5, true);
  writeName(offset(second, 128), "Workbook");
  assert.deepEqual(rootNames(new Uint8Array(file.buffer)), new Set(["Workbook"]));
});

Deno.test("resolveKind() accepts any image type for any other image type", () => {
  assert.equal(resolveKind(image, "image/jpeg", "f"), "png");
});

Deno.test("resolveKind() ignores the parameters and case of a media type, and reads text/* as text", () => {
  assert.equal(resolveKind(text, "Text/Plain; charset=utf-8", "f"), "text");
  assert.equal(resolveKind(text, "text/calendar", "f"), "text");
  assert.equal(resolveKind(text, "text/plain", "notes.md"), "markdown");
  assert.equal(resolveKind(word, DOCX, "f"), "docx");
});

Deno.test("resolveKind() accepts a PDF with extra bytes before its header, which mail servers can add", () => {
  const shifted = new Uint8Array(page.length + 3);
  shifted.set([10, 10, 10]);
  shifted.set(page, 3);
  assert.equal(resolveKind(shifted, PDF, "f"), "pdf");
});

Deno.test("resolveKind() reads a text as text even if it starts with the letters of a signature", () => {
  const texts = [
    "SQLite is a database in one file.",
    "What is WEBP?",
    "ID3 tags describe songs.",
    "GIF89a came after GIF87a.",
    "OggS begins every page.",
    "key,ftyp\na,1\n",
    "# Portable documents\n\nA file begins with %PDF-1.7, and its trailer is last.",
  ];
  for (const content of texts) {
    const bytes = new TextEncoder().encode(content);
    assert.equal(resolveKind(bytes, "text/plain", "f"), "text", content);
    assert.throws(() => resolveKind(bytes, "image/webp", "f"), {
      code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    });
  }
});

Deno.test("resolveKind() rejects binary files that are declared as text", () => {
  const hex = [
    "53514c69746520666f726d6174203300", // SQLite, with the zero after its name
    "5249464624000000574542505650384c", // WebP
    "49443303000000000776",
    "474946383961e803e803f7",
    "4f6767530002000000",
    "0000001c6674797069736f6d",
    "0a0a255044462d312e340a780a1f8b08", // PDF after empty lines
    "6c696e650a255044462d312e34780a1f8b08", // PDF after a line of text, with compressed data
  ];
  for (const digits of hex) {
    const bytes = Uint8Array.from(digits.match(/../g)!, (pair) => parseInt(pair, 16));
    assert.throws(() => resolveKind(bytes, "text/plain", "f"), {
      code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    }, digits);
  }
});
