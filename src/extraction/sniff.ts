/** Detects what a file is from its bytes, and checks that against the declared media type. */
import { ExtractionError } from "./error.ts";
import { type FileKind, isImageKind, isTextKind, kindOfMediaType } from "./kinds.ts";
import { rootNames } from "./formats/office/ole_directory.ts";
import { mainPart } from "./formats/office/ooxml.ts";
import { mayBeText, type SniffResult, sniffSignature } from "./signatures.ts";
import { ZipArchive } from "./zip.ts";

/**
 * Returns what `bytes` are. All kinds of text are reported as `text`, since the bytes alone don't
 * show whether it's CSV or prose.
 */
export function sniff(bytes: Uint8Array): SniffResult {
  const found = sniffSignature(bytes);
  if (found === "ole") return sniffOle(bytes);
  return found === "zip" ? sniffZip(bytes) : found;
}

/**
 * Returns the kind to read `bytes` as.
 *
 * @throws {ExtractionError} UNSUPPORTED_DOCUMENT_MEDIA_TYPE if the bytes aren't what was declared,
 *   DOCUMENT_ENCRYPTED if an office file is encrypted, or DOCUMENT_CORRUPT if a container lacks the
 *   part that identifies its kind
 */
export function resolveKind(bytes: Uint8Array, declaredType: string, filename: string): FileKind {
  const declared = kindOfMediaType(declaredType);
  if (declared === undefined) throw unsupported(`Media type "${declaredType}" is not supported`);
  const found = sniff(bytes);
  if (found === "encrypted") {
    throw new ExtractionError(
      "DOCUMENT_ENCRYPTED",
      "The file is password-protected; remove the password and upload it again",
    );
  }
  if (isTextKind(declared) && mayBeText(bytes)) {
    return declared === "text" && /\.(?:md|markdown)$/i.test(filename) ? "markdown" : declared;
  }
  if (found === declared) return declared;
  if (isImageKind(declared) && isFileKind(found) && isImageKind(found)) return found;
  throw unsupported(
    `The file was declared as ${declaredType}, but its content is ${describe(found)}`,
  );
}

function isFileKind(found: SniffResult): found is FileKind {
  return found !== "zip" && found !== "ole" && found !== "unsupported" && found !== "encrypted";
}

function describe(found: SniffResult): string {
  switch (found) {
    case "unsupported":
      return "of an unsupported type";
    case "zip":
    case "ole":
      return "an archive of an unsupported type";
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
  const kind = kindOfMediaType(mimetype.replace(/-template$/, ""));
  if (kind === "odt" || kind === "ods" || kind === "odp" || kind === "epub") return kind;
  const types = zip.text("[Content_Types].xml");
  if (types === undefined) return zip.has("META-INF/container.xml") ? "epub" : sniffByMainPart(zip);
  // Packages can embed other packages, so only the main part's content type identifies this one.
  const main = mainPart(zip, "");
  const type = main === "" ? types : findContentType(types, main);
  if (/wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)/.test(type)) {
    return "docx";
  }
  if (/presentationml\.|ms-powerpoint/.test(type)) return "pptx";
  return /spreadsheetml\.|ms-excel\.(?:sheet|template)/.test(type) ? "xlsx" : sniffByMainPart(zip);
}

/**
 * Returns a package's kind based on its main part's name. Programs with their own package writer
 * often leave out the parts that only declare the type.
 */
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

/** Returns a compound file's kind. Those of the documents embedded in it are in other storages. */
function sniffOle(bytes: Uint8Array): SniffResult {
  const names = rootNames(bytes);
  if (names.has("EncryptedPackage")) return "encrypted";
  if (names.has("WordDocument")) return "doc";
  if (names.has("Workbook") || names.has("Book") || names.has("WORKBOOK")) return "xls";
  return names.has("PowerPoint Document") ? "ppt" : "ole";
}
