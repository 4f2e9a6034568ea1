/** Character properties: white space, letter case, grapheme cluster parts. */

/**
 * Checks whether a character is white space, as defined by `String.prototype.trim`. This includes
 * U+FEFF, so a byte order mark never counts as text.
 */
export function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  return code === 0xa0 || code === 0xfeff || code === 0x3000 || code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 ||
    code === 0x202f || code === 0x205f;
}

/** Checks whether a character is LF, CR or a Unicode line or paragraph separator. */
export function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

/** Returns the first position in `[from, to)` that isn't white space, or `to`. */
export function skipWhiteSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Checks whether a character is a lowercase letter with an uppercase form. */
export function isLowerCase(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  const letter = String.fromCharCode(code);
  return letter !== letter.toUpperCase() && letter === letter.toLowerCase();
}

/** Checks whether a character is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Checks whether a character is an ASCII letter. */
export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Checks whether a cut at `at` would split a surrogate pair. */
export function splitsSurrogatePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

const EXTENDS_CLUSTER = /^[\p{M}\u200c\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;

/**
 * Checks whether the character at `at` belongs to the previous one: combining marks, joiners, skin
 * tones, tags. These attach even to spaces, so positions after white space are checked too.
 */
export function extendsCluster(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x300 || Number.isNaN(code)) return false;
  return EXTENDS_CLUSTER.test(text.slice(at, at + 2));
}
