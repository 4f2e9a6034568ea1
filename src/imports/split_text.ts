/** Splits texts that are longer than a record can be. */

import { Buffer } from "node:buffer";
import { utf8Length } from "../kernel/text.ts";

/** How far back from the limit to look for a better place to split, in bytes. */
const SEARCH_BYTES = 20_000;

/**
 * Splits a text into parts of at most `maxBytes`, before a heading or after an empty line or a line
 * end if there's one near the limit. Together, the parts are the text.
 */
export function splitText(text: string, maxBytes: number): string[] {
  if (utf8Length(text) <= maxBytes) return [text];
  const bytes = Buffer.from(text);
  const parts: string[] = [];
  let start = 0;
  while (bytes.length - start > maxBytes) {
    const end = splitPoint(bytes, start + maxBytes);
    parts.push(bytes.toString("utf8", start, end));
    start = end;
  }
  parts.push(bytes.toString("utf8", start));
  return parts.filter((part) => part.trim() !== "");
}

function splitPoint(bytes: Buffer, limit: number): number {
  for (const [mark, length] of [["\n## ", 1], ["\n\n", 2], ["\n", 1]] as const) {
    const at = bytes.lastIndexOf(mark, limit - length);
    if (at >= limit - SEARCH_BYTES) return at + length;
  }
  let end = limit;
  // A byte of the form 10xxxxxx continues a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}
