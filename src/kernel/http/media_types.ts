/** Compares media types and derives them from file names. */

/**
 * The media type declared by senders that don't know the actual one, e.g. browsers and curl for
 * Markdown.
 */
export const UNKNOWN_MEDIA_TYPE = "application/octet-stream";

const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

const BY_EXTENSION = new Map(Object.entries({
  pdf: "application/pdf",
  doc: "application/msword",
  docx: `${OOXML}.wordprocessingml.document`,
  docm: "application/vnd.ms-word.document.macroenabled.12",
  ppt: "application/vnd.ms-powerpoint",
  pptx: `${OOXML}.presentationml.presentation`,
  pptm: "application/vnd.ms-powerpoint.presentation.macroenabled.12",
  ppsx: `${OOXML}.presentationml.slideshow`,
  ppsm: "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
  xls: "application/vnd.ms-excel",
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  xlsm: "application/vnd.ms-excel.sheet.macroenabled.12",
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

/**
 * Returns a media type, lowercased and without its parameters.
 *
 * @example
 * ```ts
 * import { essenceOf } from "./media_types.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(essenceOf("Text/HTML; charset=utf-8"), "text/html");
 * ```
 */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}

/**
 * Returns the usual media type for a file name, or UNKNOWN_MEDIA_TYPE if the extension is unknown.
 *
 * @example
 * ```ts
 * import { mediaTypeOf, UNKNOWN_MEDIA_TYPE } from "./media_types.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(mediaTypeOf("Notes.MD"), "text/markdown");
 * strictEqual(mediaTypeOf("notes"), UNKNOWN_MEDIA_TYPE);
 * ```
 */
export function mediaTypeOf(filename: string): string {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION.get(extension) ?? UNKNOWN_MEDIA_TYPE;
}
