/** The kinds of file the extractor reads, by media type. */

/** A kind of file, as its bytes show it. */
export type FileKind =
  | "pdf"
  | "doc"
  | "docx"
  | "ppt"
  | "pptx"
  | "xls"
  | "xlsx"
  | "odt"
  | "ods"
  | "odp"
  | "rtf"
  | "epub"
  | "png"
  | "jpeg"
  | "tiff"
  | "bmp"
  | "webp"
  | "eml"
  | "json"
  | "xml"
  | "yaml"
  | "csv"
  | "tsv"
  | "html"
  | "markdown"
  | "text";

const OOXML = "application/vnd.openxmlformats-officedocument.";
const ODF = "application/vnd.oasis.opendocument.";

const KIND_BY_MEDIA_TYPE: Readonly<Record<string, FileKind>> = {
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/msword": "doc",
  [`${OOXML}wordprocessingml.document`]: "docx",
  "application/vnd.ms-word.document.macroenabled.12": "docx",
  "application/vnd.ms-powerpoint": "ppt",
  [`${OOXML}presentationml.presentation`]: "pptx",
  [`${OOXML}presentationml.slideshow`]: "pptx",
  "application/vnd.ms-excel": "xls",
  [`${OOXML}spreadsheetml.sheet`]: "xlsx",
  "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
  [`${ODF}text`]: "odt",
  [`${ODF}spreadsheet`]: "ods",
  [`${ODF}presentation`]: "odp",
  "application/rtf": "rtf",
  "application/x-rtf": "rtf",
  "text/rtf": "rtf",
  "text/richtext": "rtf",
  "application/epub+zip": "epub",
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/jpg": "jpeg",
  "image/pjpeg": "jpeg",
  "image/tiff": "tiff",
  "image/bmp": "bmp",
  "image/x-ms-bmp": "bmp",
  "image/webp": "webp",
  "message/rfc822": "eml",
  "application/json": "json",
  "text/json": "json",
  "application/x-ndjson": "json",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/yaml": "yaml",
  "application/x-yaml": "yaml",
  "text/yaml": "yaml",
  "text/x-yaml": "yaml",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
};

/** Kinds whose bytes are text. */
const TEXT_KINDS: ReadonlySet<FileKind> = new Set<FileKind>([
  "eml",
  "json",
  "xml",
  "yaml",
  "csv",
  "tsv",
  "html",
  "markdown",
  "text",
]);

/** Kinds that may stand in for each other: an image is read by what it is. */
const IMAGE_KINDS: ReadonlySet<FileKind> = new Set<FileKind>([
  "png",
  "jpeg",
  "tiff",
  "bmp",
  "webp",
]);

/** The kind a declared media type names, or undefined when it is not accepted. */
export function kindOfMediaType(mediaType: string): FileKind | undefined {
  const type = mediaType.replace(/;.*$/s, "").trim().toLowerCase();
  const known = KIND_BY_MEDIA_TYPE[type];
  if (known !== undefined) return known;
  if (type.startsWith("text/")) return "text";
  if (/^application\/[\w.-]+\+json$/.test(type)) return "json";
  return /^application\/[\w.-]+\+xml$/.test(type) ? "xml" : undefined;
}

export function isTextKind(kind: FileKind): boolean {
  return TEXT_KINDS.has(kind);
}

export function isImageKind(kind: FileKind): boolean {
  return IMAGE_KINDS.has(kind);
}
