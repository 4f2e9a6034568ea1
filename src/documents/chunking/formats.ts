/** Selects the scanner for a media type. */

import { outlineDelimited } from "./formats/delimited.ts";
import { outlineIndented } from "./formats/indented.ts";
import { outlineJson } from "./formats/json.ts";
import { MarkdownScanner } from "./formats/markdown.ts";
import { MarkupScanner } from "./formats/markup.ts";
import type { Outline } from "./outline.ts";

type Scan = (content: string) => Outline;

const markdown: Scan = (content) => new MarkdownScanner(content, "markdown").outline();
const plain: Scan = (content) => new MarkdownScanner(content, "plain").outline();
const html: Scan = (content) => new MarkupScanner(content, "html").outline();
const xml: Scan = (content) => new MarkupScanner(content, "xml").outline();

/** Scanners keyed by subtype without its `x-` prefix, or by structured suffix (`+json`). */
const SCANNERS: ReadonlyMap<string, Scan> = new Map([
  ["markdown", markdown],
  ["web-markdown", markdown],
  ["md", markdown],
  ["html", html],
  ["xhtml+xml", html],
  ["xml", xml],
  ["xsl", xml],
  ["json", outlineJson],
  ["ndjson", outlineJson],
  ["jsonl", outlineJson],
  ["json5", outlineJson],
  ["csv", outlineDelimited],
  ["tsv", outlineDelimited],
  ["tab-separated-values", outlineDelimited],
  ["yaml", outlineIndented],
  ["toml", outlineIndented],
  ["css", outlineIndented],
  ["javascript", outlineIndented],
  ["ecmascript", outlineIndented],
  ["typescript", outlineIndented],
  ["plain", plain],
  ["rst", plain],
  ["org", plain],
  ["log", plain],
]);

/** Returns the structure of `content`. Types without a scanner are treated as plain text. */
export function outlineOf(content: string, mediaType: string): Outline {
  return scannerOf(mediaType)(content);
}

function scannerOf(mediaType: string): Scan {
  const essence = mediaType.split(";", 1)[0]!.trim().toLowerCase();
  const subtype = essence.slice(essence.indexOf("/") + 1);
  const plainSubtype = subtype.replace(/^x-/, "");
  const known = SCANNERS.get(plainSubtype) ??
    SCANNERS.get(subtype.slice(subtype.lastIndexOf("+") + 1));
  if (known !== undefined) return known;
  // text/x-python, text/x-java-source, text/x-sh etc. are structured by indentation.
  return essence.startsWith("text/x-") ? outlineIndented : plain;
}
