/** Media types of the files that can be uploaded, by the ending of their names. */

const OFFICE = "application/vnd.openxmlformats-officedocument.";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  doc: "application/msword",
  docx: `${OFFICE}wordprocessingml.document`,
  ppt: "application/vnd.ms-powerpoint",
  pptx: `${OFFICE}presentationml.presentation`,
  xls: "application/vnd.ms-excel",
  xlsx: `${OFFICE}spreadsheetml.sheet`,
  odt: `${OPEN_DOCUMENT}text`,
  ods: `${OPEN_DOCUMENT}spreadsheet`,
  odp: `${OPEN_DOCUMENT}presentation`,
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
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  html: "text/html",
  htm: "text/html",
  md: "text/markdown",
};

/** Returns the media type of a file, by its name. Defaults to plain text. */
export function mediaTypeOf(filename: string): string {
  return MEDIA_TYPES[filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()] ?? "text/plain";
}
