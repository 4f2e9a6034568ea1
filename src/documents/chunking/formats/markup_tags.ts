/** Reads single HTML and XML tags. Hostile markup takes no longer than any other. */

import { isWhiteSpace } from "../characters.ts";

/** Maximum length of a tag including attributes. Anything longer is text. */
const MAX_TAG_CHARACTERS = 65_536;

/**
 * Returns the position after the tag at `at`, or -1 if it isn't closed. A ">" in a quoted attribute
 * doesn't close it. A "<" outside quotes means it wasn't a tag after all.
 */
export function endOfTag(text: string, at: number): number {
  const limit = Math.min(text.length, at + MAX_TAG_CHARACTERS);
  let quote = 0;
  let before = 0;
  for (let next = at + 1; next < limit; next++) {
    const code = text.charCodeAt(next);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return next + 1;
    else if (code === 0x3c) return -1;
    // A quote only opens a value after "=": <p class=o'clock> is a complete tag.
    else if ((code === 0x22 || code === 0x27) && before === 0x3d) quote = code;
    if (!isWhiteSpace(code)) before = code;
  }
  return -1;
}

/** Returns the name starting at `at`, lowercased. */
export function tagName(text: string, at: number): string {
  let end = at;
  while (end - at < 32) {
    const code = text.charCodeAt(end);
    if (Number.isNaN(code) || isWhiteSpace(code) || code === 0x2f || code === 0x3e) break;
    end++;
  }
  return text.slice(at, end).toLowerCase();
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** Returns the text in a short piece of markup, with tags removed and common entities resolved. */
export function stripMarkup(markup: string): string {
  return markup.replace(/<[^<>]*>/g, "").replace(
    /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,4});/g,
    (entity, name: string) => ENTITIES.get(name) ?? characterReference(name) ?? entity,
  );
}

function characterReference(name: string): string | undefined {
  if (!name.startsWith("#")) return undefined;
  const hex = name[1] === "x" || name[1] === "X";
  const code = hex ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : undefined;
}

/**
 * Searches a text, remembering which strings don't occur in it. Otherwise, something like
 * `<!--<!--<!--…` would be read to the end once for each of them.
 */
export class TextFinder {
  readonly #text: string;
  #lower: string | undefined;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the position of a string, or -1. Case-insensitive; the string must be lowercase. */
  indexOf(needle: string, from: number): number {
    if (this.#missing.has(needle)) return -1;
    // ASCII only, since toLowerCase() on the whole text can change its length and thus the
    // positions.
    this.#lower ??= this.#text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    const at = this.#lower.indexOf(needle, from);
    if (at < 0) this.#missing.add(needle);
    return at;
  }

  /** Returns the position after a string, or -1. The string must not contain letters. */
  indexAfter(needle: string, from: number): number {
    if (this.#missing.has(needle)) return -1;
    const at = this.#text.indexOf(needle, from);
    if (at < 0) this.#missing.add(needle);
    return at < 0 ? -1 : at + needle.length;
  }
}
