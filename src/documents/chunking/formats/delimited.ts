/** Scans comma- and tab-separated tables. Cuts between rows, but never inside a quoted cell. */

import { skipWhiteSpace } from "../characters.ts";
import { cutBefore } from "../lines.ts";
import { Outline } from "../outline.ts";
import { CutCost, nestedCost } from "../sizes.ts";

const QUOTE = 0x22;

/** Returns a table's outline. The header row stays with the first row below it. */
export function outlineDelimited(content: string): Outline {
  const outline = new Outline();
  outline.open(0, CutCost.block, "item");
  let rows = 0;
  let quotesClose = true;
  let fieldStart = skipWhiteSpace(content, 0, content.length);
  for (let at = fieldStart; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === QUOTE && at === fieldStart && quotesClose) {
      const closing = closingQuote(content, at);
      // An unclosed quote is an ordinary character, and so are all quotes after it.
      if (closing < 0) quotesClose = false;
      else at = closing;
    } else if (isDelimiter(code)) {
      fieldStart = at + 1;
    } else if (code === 0x0a || code === 0x0d) {
      const textStart = skipWhiteSpace(content, at, content.length);
      rows++;
      fieldStart = cutBefore(content, textStart);
      if (textStart < content.length && rows > 1) outline.open(fieldStart, nestedCost(0), "item");
      at = fieldStart - 1;
    }
  }
  return outline;
}

function isDelimiter(code: number): boolean {
  return code === 0x2c || code === 0x09 || code === 0x3b || code === 0x7c;
}

/**
 * Returns the quote that closes the field opened at `opening`. Two quotes in a row are an escaped
 * quote.
 */
function closingQuote(content: string, opening: number): number {
  let at = content.indexOf('"', opening + 1);
  while (at >= 0 && content.charCodeAt(at + 1) === QUOTE) at = content.indexOf('"', at + 2);
  return at;
}
