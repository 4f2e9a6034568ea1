/**
 * Checks and measures text. Valid text is well-formed Unicode without NUL. Sizes are in UTF-8
 * bytes.
 */

import { Buffer } from "node:buffer";

/**
 * Returns the length of a text in UTF-8 bytes.
 *
 * @example
 * ```ts
 * import { utf8Length } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(utf8Length("é"), 2);
 * ```
 */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Checks whether a text is all white space, as defined by either Unicode or `trim` (they differ
 * slightly).
 *
 * @example
 * ```ts
 * import { isBlank } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isBlank(" \t\u0085\ufeff"), true);
 * strictEqual(isBlank(" a "), false);
 * ```
 */
export function isBlank(text: string): boolean {
  return !/[^\p{White_Space}\ufeff]/u.test(text);
}

/**
 * Returns why a text can't be stored, or null if it can.
 *
 * @example
 * ```ts
 * import { textProblem } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(textProblem("Ana"), null);
 * strictEqual(textProblem("\ud800"), "surrogate");
 * strictEqual(textProblem("a\0b"), "nul");
 * ```
 */
export function textProblem(text: string): "surrogate" | "nul" | null {
  if (!text.isWellFormed()) return "surrogate";
  return text.includes("\0") ? "nul" : null;
}

/**
 * Checks whether a text contains a control character (Unicode category Cc).
 *
 * @example
 * ```ts
 * import { hasControlCharacter } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(hasControlCharacter("line\n"), true);
 * strictEqual(hasControlCharacter("line"), false);
 * ```
 */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/**
 * Returns the first `max` UTF-16 code units of a text, or one fewer if that would split a character.
 *
 * @example
 * ```ts
 * import { truncate } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(truncate("abc", 2), "ab");
 * strictEqual(truncate("a😀", 2), "a");
 * ```
 */
export function truncate(text: string, max: number): string {
  const start = text.slice(0, max);
  return text.length > max ? start.replace(/[\ud800-\udbff]$/, "") : start;
}

/**
 * Returns a text on a single line, truncated to `max` UTF-16 code units and an ellipsis.
 *
 * @example
 * ```ts
 * import { excerpt } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(excerpt("Ana\nsails", 9), "Ana sails");
 * strictEqual(excerpt("Ana\nsails", 4), "Ana…");
 * ```
 */
export function excerpt(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= max ? line : `${truncate(line, max).trimEnd()}…`;
}

/**
 * Returns a text with its first letter in upper case.
 *
 * @example
 * ```ts
 * import { capitalize } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(capitalize("ana sails"), "Ana sails");
 * ```
 */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns a text with its first letter in lower case.
 *
 * @example
 * ```ts
 * import { uncapitalize } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(uncapitalize("Based in Lyon"), "based in Lyon");
 * ```
 */
export function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Returns the same text, stored with one byte per character if its characters allow that. V8 stores
 * a text with "’" or an emoji with two, and goes on to do so for what is left of it if they are
 * replaced. It compiles each regular expression for both kinds, so a few texts of the second kind
 * take tens of megabytes in code with thousands of expressions.
 *
 * @example
 * ```ts
 * import { compactText } from "./text.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(compactText("It’s raining".replaceAll("’", "'")), "It's raining");
 * ```
 */
export function compactText(text: string): string {
  return /[^\0-\xff]/.test(text) ? text : [...text].join("");
}

/** Returns a text with U+FFFD in place of the characters that can't be stored. */
export function storableText(text: string): string {
  return textProblem(text) === null ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}
