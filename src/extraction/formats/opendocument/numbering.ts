/** OpenDocument list and chapter numbers: formats and counters. */
import type { XmlElement } from "../../xml.ts";
import { formatNumber } from "../office/list_numbering.ts";

/** Numbering of one list or chapter level. */
export interface OdfLevel {
  /** Number format as in OOXML: `decimal`, `lowerRoman`, … */
  readonly format: string;
  /** Number of levels in the printed number, including its own. */
  readonly displayLevels: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
}

/** A number and its printed form. */
export interface OdfNumber {
  readonly value: number;
  readonly label: string;
  /** Whether the printed number has more than one level. */
  readonly compound: boolean;
}

const NUMBER_FORMATS: Readonly<Record<string, string>> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** Returns the level described by a style element, or `undefined` if it doesn't print a number. */
export function odfLevel(style: XmlElement | undefined): OdfLevel | undefined {
  const format = style?.attributes["style:num-format"] ?? "";
  if (style === undefined || format === "") return undefined;
  return {
    format: NUMBER_FORMATS[format] ?? "decimal",
    displayLevels: parseWholeNumber(style.attributes["text:display-levels"]) ?? 1,
    prefix: style.attributes["style:num-prefix"] ?? "",
    suffix: style.attributes["style:num-suffix"] ?? "",
    start: parseWholeNumber(style.attributes["text:start-value"]) ?? 1,
  };
}

/** Counters for a document's lists and chapters. */
export class OdfCounters {
  readonly #counters = new Map<string, (number | undefined)[]>();

  /**
   * Counts the next item in `list` at `level` (from 0) and returns its number, or `undefined` if
   * the level doesn't print one.
   *
   * @param levelOf Returns a level from the list's style.
   * @param restart The number to restart the level from.
   */
  next(
    list: string,
    level: number,
    levelOf: (level: number) => OdfLevel | undefined,
    restart?: number,
  ): OdfNumber | undefined {
    const style = levelOf(level);
    if (style === undefined) return undefined;
    const counters = this.#counters.get(list) ?? [];
    this.#counters.set(list, counters);
    counters.length = Math.min(counters.length, level + 1);
    const value = restart ?? (counters[level] ?? style.start - 1) + 1;
    counters[level] = value;
    const numbers: string[] = [];
    for (let at = Math.max(0, level + 1 - style.displayLevels); at <= level; at++) {
      const levelStyle = levelOf(at);
      if (levelStyle === undefined) continue;
      // Skipped levels count as started.
      numbers.push(formatNumber(counters[at] ??= levelStyle.start, levelStyle.format));
    }
    return {
      value,
      label: `${style.prefix}${numbers.join(".")}${style.suffix}`,
      compound: numbers.length > 1,
    };
  }
}

/** Parses an attribute as a whole number of up to 6 digits. Returns `undefined` if it isn't one. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
