/** Rules of telling what a file is, and of refusing what it is not. */
import assert from "node:assert/strict";
import { resolveKind } from "../../src/extraction/sniff.ts";
import { docx, pdf, png, wordParagraph, zip } from "./fixtures.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const page = pdf([[{ x: 72, y: 700, text: "Hello" }]]);
const image = png(2, 2, new Uint8Array(4));
const word = docx(wordParagraph("Hello"));
const text = new TextEncoder().encode("Hello");

Deno.test("sniff: the type is what the bytes are", () => {
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

Deno.test("sniff: image types stand in for each other", () => {
  assert.equal(resolveKind(image, "image/jpeg", "f"), "png");
});

Deno.test("sniff: parameters and case of a media type don't matter, and text/* is text", () => {
  assert.equal(resolveKind(text, "Text/Plain; charset=utf-8", "f"), "text");
  assert.equal(resolveKind(text, "text/calendar", "f"), "text");
  assert.equal(resolveKind(text, "text/plain", "notes.md"), "markdown");
  assert.equal(resolveKind(word, DOCX, "f"), "docx");
});

Deno.test("sniff: mail servers may put bytes before a PDF", () => {
  const shifted = new Uint8Array(page.length + 3);
  shifted.set([10, 10, 10]);
  shifted.set(page, 3);
  assert.equal(resolveKind(shifted, PDF, "f"), "pdf");
});
