/** The kinds of files the extractor reads, by media type. */

/** A file's kind, determined from its bytes. */
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
  "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptx",
  "application/vnd.ms-powerpoint.slideshow.macroenabled.12": "pptx",
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

/** Text kinds. */
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

/**
 * Image kinds. Images are read as what they actually are, even if declared as a different type of
 * image.
 */
const IMAGE_KINDS: ReadonlySet<FileKind> = new Set<FileKind>([
  "png",
  "jpeg",
  "tiff",
  "bmp",
  "webp",
]);

/** Returns the kind for a declared media type, or undefined if it isn't supported. */
export function kindOfMediaType(mediaType: string): FileKind | undefined {
  const type = mediaType.replace(/;.*$/s, "").trim().toLowerCase();
  const kind = KIND_BY_MEDIA_TYPE[type];
  if (kind !== undefined) return kind;
  if (type.startsWith("text/")) return "text";
  if (/^application\/[\w.-]+\+json$/.test(type)) return "json";
  return /^application\/[\w.-]+\+xml$/.test(type) ? "xml" : undefined;
}

/** Checks whether files of a kind are text. */
export function isTextKind(kind: FileKind): boolean {
  return TEXT_KINDS.has(kind);
}

/** Checks whether a kind is an image. */
export function isImageKind(kind: FileKind): boolean {
  return IMAGE_KINDS.has(kind);
}
