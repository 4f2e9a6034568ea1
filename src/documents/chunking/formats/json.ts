/** Scans JSON and JSON Lines. Cuts before members and elements, the shallower the better. */

import { skipWhiteSpace } from "../characters.ts";
import { cutBefore } from "../lines.ts";
import { Outline } from "../outline.ts";
import { CutCost, nestedCost } from "../sizes.ts";

/**
 * Returns the outline of JSON text. Makes a single pass with a depth counter, so ten thousand
 * levels cost no more than one. Accepts invalid JSON: strings end with their line, and surplus
 * brackets are ignored.
 */
export function outlineJson(content: string): Outline {
  const outline = new Outline();
  outline.open(0, CutCost.block, "item");
  let depth = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === 0x22) at = endOfString(content, at);
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth = Math.max(0, depth - 1);
    else if (code === 0x2c || (code === 0x0a && depth === 0)) {
      const textStart = skipWhiteSpace(content, at + 1, content.length);
      const cost = code === 0x2c ? nestedCost(depth - 1) : CutCost.division;
      if (textStart < content.length) outline.open(cutBefore(content, textStart), cost, "item");
      at = textStart - 1;
    }
  }
  return outline;
}

/** Returns the position of the closing quote, or the end of the line if there isn't one on it. */
function endOfString(content: string, quote: number): number {
  let at = quote + 1;
  for (; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at;
    else if (code === 0x0a) return at - 1;
  }
  return at;
}
