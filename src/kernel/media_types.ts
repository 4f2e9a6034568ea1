/** Media types: how they are compared, and which one a file name tells where none is declared. */

/** What a sender declares that doesn't know the type, as browsers and curl do for Markdown. */
export const UNKNOWN_MEDIA_TYPE = "application/octet-stream";

const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

const BY_EXTENSION = new Map(Object.entries({
  pdf: "application/pdf",
  doc: "application/msword",
  docx: `${OOXML}.wordprocessingml.document`,
  ppt: "application/vnd.ms-powerpoint",
  pptx: `${OOXML}.presentationml.presentation`,
  xls: "application/vnd.ms-excel",
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  odt: `${ODF}.text`,
  ods: `${ODF}.spreadsheet`,
  odp: `${ODF}.presentation`,
  rtf: "application/rtf",
  epub: "application/epub+zip",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  tif: "image/tiff",
  tiff: "image/tiff",
  bmp: "image/bmp",
  webp: "image/webp",
  eml: "message/rfc822",
  json: "application/json",
  jsonl: "application/json",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  toml: "application/toml",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  html: "text/html",
  htm: "text/html",
  md: "text/markdown",
  markdown: "text/markdown",
  rst: "text/x-rst",
  txt: "text/plain",
  text: "text/plain",
  log: "text/plain",
}));

/** A media type in lower case without its parameters. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}

/** The usual media type of a file name; UNDECLARED when the extension is unknown. */
export function mediaTypeOf(filename: string): string {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION.get(extension) ?? UNKNOWN_MEDIA_TYPE;
}
