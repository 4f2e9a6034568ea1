/** Finds out what a file is from its bytes, and whether that is what it was declared to be. */
import { ExtractionError } from "./error.ts";
import { type FileKind, isImageKind, isTextKind, kindOfMediaType } from "./kinds.ts";
import { mainPart } from "./formats/ooxml.ts";
import { ZipArchive } from "./zip.ts";

/** What the bytes show: a kind, `zip` or `ole` of unknown content, an alien format, or text. */
export type Sniffed = FileKind | "zip" | "ole" | "encrypted" | "alien";

const SIGNATURES: readonly (readonly [Sniffed, readonly number[], number])[] = [
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0],
  ["jpeg", [0xff, 0xd8, 0xff], 0],
  ["tiff", [0x49, 0x49, 0x2a, 0x00], 0],
  ["tiff", [0x4d, 0x4d, 0x00, 0x2a], 0],
  ["webp", [0x57, 0x45, 0x42, 0x50], 8],
  ["rtf", [0x7b, 0x5c, 0x72, 0x74], 0],
  ["alien", [0x47, 0x49, 0x46, 0x38], 0],
  ["alien", [0x7f, 0x45, 0x4c, 0x46], 0],
  ["alien", [0x4d, 0x5a, 0x90, 0x00], 0],
  ["alien", [0x1f, 0x8b, 0x08], 0],
  ["alien", [0x37, 0x7a, 0xbc, 0xaf], 0],
  ["alien", [0x52, 0x61, 0x72, 0x21, 0x1a], 0],
  ["alien", [0x66, 0x74, 0x79, 0x70], 4],
  ["alien", [0x4f, 0x67, 0x67, 0x53], 0],
  ["alien", [0x49, 0x44, 0x33], 0],
  ["alien", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 0],
  // Workbooks from before compound files: a BIFF record at the very start.
  ["xls", [0x09, 0x08, 0x10, 0x00], 0],
  ["xls", [0x09, 0x08, 0x08, 0x00], 0],
  ["xls", [0x09, 0x04, 0x06, 0x00], 0],
  ["xls", [0x09, 0x02, 0x06, 0x00], 0],
  ["xls", [0x09, 0x00, 0x04, 0x00], 0],
];

const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** What `bytes` are. Text of every kind is `text`: nothing in bytes tells CSV from prose. */
export function sniff(bytes: Uint8Array): Sniffed {
  if (starts(bytes, OLE, 0)) return sniffOle(bytes);
  if (starts(bytes, ZIP, 0)) return sniffZip(bytes);
  for (const [kind, signature, at] of SIGNATURES) {
    if (starts(bytes, signature, at)) return kind;
  }
  if (isBitmap(bytes)) return "bmp";
  // Mail servers and browsers put lines before the header; readers look at the first kilobyte.
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  if (head.includes("%PDF-")) return "pdf";
  return "text";
}

/**
 * The kind to read `bytes` as. Throws UNSUPPORTED_DOCUMENT_MEDIA_TYPE when they are not what was
 * declared, and DOCUMENT_ENCRYPTED for an encrypted office file.
 */
export function resolveKind(bytes: Uint8Array, declaredType: string, filename: string): FileKind {
  const declared = kindOfMediaType(declaredType);
  if (declared === undefined) throw unsupported(`The media type "${declaredType}" is not accepted`);
  const found = sniff(bytes);
  if (found === "encrypted") {
    throw new ExtractionError("DOCUMENT_ENCRYPTED", "The file needs a password");
  }
  if (found === "text" && isTextKind(declared)) {
    return declared === "text" && /\.(?:md|markdown)$/i.test(filename) ? "markdown" : declared;
  }
  if (found === declared) return declared;
  if (isImageKind(declared) && isKind(found) && isImageKind(found)) return found;
  throw unsupported(
    `The file was declared as ${declaredType}, but its bytes are ${describe(found)}`,
  );
}

function isKind(found: Sniffed): found is FileKind {
  return found !== "zip" && found !== "ole" && found !== "alien" && found !== "encrypted";
}

function describe(found: Sniffed): string {
  switch (found) {
    case "alien":
      return "of a type that is not accepted";
    case "zip":
    case "ole":
      return "an archive of another kind";
    case "text":
      return "text";
    default:
      return `of type ${found.toUpperCase()}`;
  }
}

function unsupported(message: string): ExtractionError {
  return new ExtractionError("UNSUPPORTED_DOCUMENT_MEDIA_TYPE", message);
}

function starts(bytes: Uint8Array, signature: readonly number[], at: number): boolean {
  return signature.every((byte, index) => bytes[at + index] === byte);
}

/** "BM" alone starts many a text; the header behind it must make sense too. */
function isBitmap(bytes: Uint8Array): boolean {
  const header = bytes[14] ?? 0;
  return bytes[0] === 0x42 && bytes[1] === 0x4d && bytes[6] === 0 && bytes[7] === 0 &&
    [12, 40, 52, 56, 64, 108, 124].includes(header) && bytes[15] === 0;
}

function sniffZip(bytes: Uint8Array): Sniffed {
  const zip = new ZipArchive(bytes);
  const mimetype = zip.text("mimetype")?.trim() ?? "";
  const named = kindOfMediaType(mimetype.replace(/-template$/, ""));
  if (named === "odt" || named === "ods" || named === "odp" || named === "epub") return named;
  const types = zip.text("[Content_Types].xml");
  if (types === undefined) return zip.has("META-INF/container.xml") ? "epub" : "zip";
  // Packages embed each other: only the type of the main part says what this one is.
  const main = mainPart(zip, "");
  const type = main === "" ? types : contentTypeOf(types, main);
  if (/wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)/.test(type)) {
    return "docx";
  }
  if (/presentationml\.|ms-powerpoint/.test(type)) return "pptx";
  return /spreadsheetml\.|ms-excel\.(?:sheet|template)/.test(type) ? "xlsx" : "zip";
}

function contentTypeOf(types: string, part: string): string {
  for (const [override] of types.matchAll(/<(?:\w+:)?Override\b[^>]*>/g)) {
    const name = /PartName\s*=\s*["']\/?([^"']*)["']/.exec(override)?.[1] ?? "";
    if (name.toLowerCase() === part.toLowerCase()) return override;
  }
  return types;
}

/** Stream names are UTF-16 in the directory; finding them needs no parser. */
function sniffOle(bytes: Uint8Array): Sniffed {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 512) return "ole";
  const sector = 1 << Math.min(16, view.getUint16(30, true));
  const names = new Set<string>();
  const decoder = new TextDecoder("utf-16le");
  let at = (view.getUint32(48, true) + 1) * sector;
  // The directory is usually one run; following its chain is the parser's work.
  for (let count = 0; count < 256 && at + 128 <= bytes.length; count++, at += 128) {
    const length = view.getUint16(at + 64, true);
    if (length < 2 || length > 64) continue;
    names.add(decoder.decode(bytes.subarray(at, at + length - 2)));
  }
  if (names.has("EncryptedPackage")) return "encrypted";
  if (names.has("WordDocument")) return "doc";
  if (names.has("Workbook") || names.has("Book") || names.has("WORKBOOK")) return "xls";
  return names.has("PowerPoint Document") ? "ppt" : "ole";
}
