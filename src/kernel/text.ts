/** What may be text here: well-formed Unicode without NUL, measured in UTF-8 bytes. */

import { Buffer } from "node:buffer";

/** The length of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Nothing but white space, by Unicode's reckoning and by that of `trim`, which differ a little. */
export function isBlank(text: string): boolean {
  return !/[^\p{White_Space}\ufeff]/u.test(text);
}

/** Why a text can't be stored, or null when it can. */
export function textProblem(text: string): "surrogate" | "nul" | null {
  if (!text.isWellFormed()) return "surrogate";
  return text.includes("\0") ? "nul" : null;
}

/** True when a text holds a control character (Unicode category Cc). */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
