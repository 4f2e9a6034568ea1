/** Detects a file's kind from the signature at its start, without opening archives. */
import type { FileKind } from "./kinds.ts";

/**
 * Detection result: a kind, a `zip` or `ole` container with unknown content, an encrypted file, a
 * known but unsupported format (`unsupported`), or text.
 */
export type SniffResult = FileKind | "zip" | "ole" | "encrypted" | "unsupported";

const SIGNATURES: readonly (readonly [SniffResult, readonly number[], number])[] = [
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0],
  ["jpeg", [0xff, 0xd8, 0xff], 0],
  ["tiff", [0x49, 0x49, 0x2a, 0x00], 0],
  ["tiff", [0x4d, 0x4d, 0x00, 0x2a], 0],
  ["webp", [0x57, 0x45, 0x42, 0x50], 8],
  ["rtf", [0x7b, 0x5c, 0x72, 0x74], 0],
  ["unsupported", [0x47, 0x49, 0x46, 0x38], 0],
  ["unsupported", [0x7f, 0x45, 0x4c, 0x46], 0],
  ["unsupported", [0x4d, 0x5a, 0x90, 0x00], 0],
  ["unsupported", [0x1f, 0x8b, 0x08], 0],
  ["unsupported", [0x37, 0x7a, 0xbc, 0xaf], 0],
  ["unsupported", [0x52, 0x61, 0x72, 0x21, 0x1a], 0],
  ["unsupported", [0x66, 0x74, 0x79, 0x70], 4],
  ["unsupported", [0x4f, 0x67, 0x67, 0x53], 0],
  ["unsupported", [0x49, 0x44, 0x33], 0],
  ["unsupported", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 0],
  // Workbooks that predate compound files start with a BIFF record.
  ["xls", [0x09, 0x08, 0x10, 0x00], 0],
  ["xls", [0x09, 0x08, 0x08, 0x00], 0],
  ["xls", [0x09, 0x04, 0x06, 0x00], 0],
  ["xls", [0x09, 0x02, 0x06, 0x00], 0],
  ["xls", [0x09, 0x00, 0x04, 0x00], 0],
];

const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04];

/** A character that only occurs in UTF-16 text. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const BINARY_CHARACTER = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * Returns what a file's first bytes indicate. Doesn't open archives, so for them the result is just
 * `zip` or `ole`.
 */
export function sniffSignature(bytes: Uint8Array): SniffResult {
  if (hasBytesAt(bytes, OLE_SIGNATURE, 0)) return "ole";
  if (hasBytesAt(bytes, ZIP_SIGNATURE, 0)) return "zip";
  for (const [kind, signature, offset] of SIGNATURES) {
    if (!hasBytesAt(bytes, signature, offset)) continue;
    // The RTF signature is all letters and punctuation, but no prose starts that way.
    if (kind === "rtf" || !isProse(bytes, signature)) return kind;
  }
  if (isBitmap(bytes)) return "bmp";
  // Mail servers and browsers sometimes insert lines before the header, so PDF readers search the
  // first kilobyte.
  return decodeLatin1(bytes, 1_024).includes("%PDF-") ? "pdf" : "text";
}

/**
 * Checks whether bytes declared as text can be text. Text may mention the PDF header, but an actual
 * PDF starts with the header or contains compressed data.
 */
export function mayBeText(bytes: Uint8Array): boolean {
  const found = sniffSignature(bytes);
  return found === "text" ||
    found === "pdf" && !decodeLatin1(bytes, 1_024).trimStart().startsWith("%PDF-") &&
      !BINARY_CHARACTER.test(decodeLatin1(bytes, bytes.length));
}

/**
 * Checks whether a signature made of letters is just the start of a sentence ("SQLite is …"). In a
 * real file, the signature is directly followed by binary data.
 */
function isProse(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte) => byte >= 0x20 && byte < 0x7f) &&
    !BINARY_CHARACTER.test(decodeLatin1(bytes, 32));
}

function decodeLatin1(bytes: Uint8Array, length: number): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, length));
}

function hasBytesAt(bytes: Uint8Array, signature: readonly number[], offset: number): boolean {
  return signature.every((byte, index) => bytes[offset + index] === byte);
}

/**
 * Checks for a BMP header. Text can also start with "BM", so other header fields have to match too.
 */
function isBitmap(bytes: Uint8Array): boolean {
  const headerSize = bytes[14] ?? 0;
  return bytes[0] === 0x42 && bytes[1] === 0x4d && bytes[6] === 0 && bytes[7] === 0 &&
    [12, 40, 52, 56, 64, 108, 124].includes(headerSize) && bytes[15] === 0;
}
