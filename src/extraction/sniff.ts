/** Finds out what a file is from its bytes, and whether that is what it was declared to be. */
import { corrupt, ExtractionError } from "./error.ts";
import { type FileKind, isImageKind, isTextKind, kindOfMediaType } from "./kinds.ts";
import { mainPart } from "./formats/office/ooxml.ts";
import { mayBeText, type SniffResult, sniffSignature } from "./signatures.ts";
import { ZipArchive } from "./zip.ts";

/** Bytes of the header of a compound file. */
const OLE_HEADER_BYTES = 512;

/** What `bytes` are. Text of every kind is `text`: nothing in bytes tells CSV from prose. */
export function sniff(bytes: Uint8Array): SniffResult {
  const found = sniffSignature(bytes);
  if (found === "ole") return sniffOle(bytes);
  return found === "zip" ? sniffZip(bytes) : found;
}

/**
 * The kind to read `bytes` as. Throws UNSUPPORTED_DOCUMENT_MEDIA_TYPE when they are not what was
 * declared, DOCUMENT_ENCRYPTED for an encrypted office file, and DOCUMENT_CORRUPT when the part of
 * a container that would tell is missing.
 */
export function resolveKind(bytes: Uint8Array, declaredType: string, filename: string): FileKind {
  const declared = kindOfMediaType(declaredType);
  if (declared === undefined) throw unsupported(`The media type "${declaredType}" is not accepted`);
  const found = sniff(bytes);
  if (found === "encrypted") {
    throw new ExtractionError("DOCUMENT_ENCRYPTED", "The file needs a password");
  }
  if (isTextKind(declared) && mayBeText(bytes)) {
    return declared === "text" && /\.(?:md|markdown)$/i.test(filename) ? "markdown" : declared;
  }
  if (found === declared) return declared;
  if (isImageKind(declared) && isFileKind(found) && isImageKind(found)) return found;
  throw unsupported(
    `The file was declared as ${declaredType}, but its bytes are ${describe(found)}`,
  );
}

function isFileKind(found: SniffResult): found is FileKind {
  return found !== "zip" && found !== "ole" && found !== "alien" && found !== "encrypted";
}

function describe(found: SniffResult): string {
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

function sniffZip(bytes: Uint8Array): SniffResult {
  const zip = new ZipArchive(bytes);
  const mimetype = zip.text("mimetype")?.trim() ?? "";
  const named = kindOfMediaType(mimetype.replace(/-template$/, ""));
  if (named === "odt" || named === "ods" || named === "odp" || named === "epub") return named;
  const types = zip.text("[Content_Types].xml");
  if (types === undefined) return zip.has("META-INF/container.xml") ? "epub" : sniffByMainPart(zip);
  // Packages embed each other: only the type of the main part says what this one is.
  const main = mainPart(zip, "");
  const type = main === "" ? types : findContentType(types, main);
  if (/wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)/.test(type)) {
    return "docx";
  }
  if (/presentationml\.|ms-powerpoint/.test(type)) return "pptx";
  return /spreadsheetml\.|ms-excel\.(?:sheet|template)/.test(type) ? "xlsx" : sniffByMainPart(zip);
}

/** Programs that write packages by hand leave out what only names their type. */
function sniffByMainPart(zip: ZipArchive): SniffResult {
  if (zip.has("word/document.xml")) return "docx";
  if (zip.has("ppt/presentation.xml")) return "pptx";
  return zip.has("xl/workbook.xml") ? "xlsx" : "zip";
}

function findContentType(types: string, part: string): string {
  for (const [override] of types.matchAll(/<(?:\w+:)?Override\b[^>]*>/g)) {
    const name = /PartName\s*=\s*["']\/?([^"']*)["']/.exec(override)?.[1] ?? "";
    if (name.toLowerCase() === part.toLowerCase()) return override;
  }
  return types;
}

/** Stream names are UTF-16 in the directory; finding them needs no parser. */
function sniffOle(bytes: Uint8Array): SniffResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < OLE_HEADER_BYTES) throw corrupt("The file is cut off");
  const sector = 1 << Math.min(16, view.getUint16(30, true));
  const names = new Set<string>();
  const decoder = new TextDecoder("utf-16le");
  let at = (view.getUint32(48, true) + 1) * sector;
  if (at + 128 > bytes.length) throw corrupt("The file is cut off: its directory is missing");
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
