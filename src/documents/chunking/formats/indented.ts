/** Scans text structured by lines and indentation: YAML, TOML, INI, source code. */

import { isAsciiLetter } from "../characters.ts";
import { LineCursor } from "../lines.ts";
import { Outline } from "../outline.ts";
import { CutCost, nestedCost } from "../sizes.ts";

/**
 * Returns the outline of indented text. Each non-blank line that doesn't close a block can have a
 * cut before it. The less indentation, the better the cut; the best ones come after a blank line,
 * at a TOML table, or between YAML documents. Comments stay with the line below, and the first
 * indented line stays with the line above.
 */
export function outlineIndented(content: string): Outline {
  const outline = new Outline();
  outline.open(0, CutCost.block, "code");
  const line = new LineCursor(content);
  let indentBefore = 0;
  let afterBlank = true;
  let announced = false;
  while (line.advance()) {
    if (line.blank) {
      afterBlank = true;
      announced = false;
      continue;
    }
    if (!closesBlock(line)) {
      let cost = costOf(line, afterBlank);
      if (announced || line.indent > indentBefore) cost += CutCost.announced;
      outline.open(line.start, cost, "code");
    }
    announced = isComment(line);
    afterBlank = false;
    indentBefore = line.indent;
  }
  return outline;
}

function costOf(line: LineCursor, afterBlank: boolean): number {
  const { text, textStart, indent } = line;
  if (indent === 0) {
    if (text.startsWith("---", textStart)) return CutCost.division;
    if (text.charCodeAt(textStart) === 0x5b) return CutCost.division;
    if (afterBlank) return CutCost.block;
  }
  return nestedCost((indent >> 1) + (afterBlank ? 0 : 1));
}

/** Checks for a closing bracket, or a word that continues the block above, e.g. `end` or `else`. */
function closesBlock(line: LineCursor): boolean {
  const { text, textStart, end } = line;
  const code = text.charCodeAt(textStart);
  if (code === 0x7d || code === 0x5d || code === 0x29) return true;
  if (!isAsciiLetter(code)) return false;
  return /^(?:end|else|elif|elsif|except|finally|catch|fi|done|esac)\b/.test(
    text.slice(textStart, Math.min(end, textStart + 8)),
  );
}

function isComment(line: LineCursor): boolean {
  const { text, textStart } = line;
  const code = text.charCodeAt(textStart);
  // "#", "@decorator", "* in a block comment", "//", "/*", "--"
  if (code === 0x23 || code === 0x40 || code === 0x2a) return true;
  const next = text.charCodeAt(textStart + 1);
  if (code === 0x2d) return next === 0x2d && text.charCodeAt(textStart + 2) !== 0x2d;
  return code === 0x2f && (next === 0x2f || next === 0x2a);
}
