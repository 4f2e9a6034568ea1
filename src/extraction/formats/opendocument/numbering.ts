/** Numbers of OpenDocument lists and chapters: what their styles print, and how far they count. */
import type { XmlElement } from "../../xml.ts";
import { formatNumber } from "../office/list_numbering.ts";

/** How one level of a list or of the chapters is numbered. */
export interface OdfLevel {
  /** As in OOXML: `decimal`, `lowerRoman`, … */
  readonly format: string;
  /** How many levels the printed number shows, its own counted. */
  readonly displayLevels: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
}

/** A number, and how it is printed. */
export interface OdfNumber {
  readonly value: number;
  readonly label: string;
  /** Whether the printed number counts more than one level. */
  readonly compound: boolean;
}

const NUMBER_FORMATS: Readonly<Record<string, string>> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** The level a style element describes, or undefined when it prints no number. */
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

/** The running counters of a document's lists and chapters. */
export class OdfCounters {
  readonly #counters = new Map<string, (number | undefined)[]>();

  /**
   * Counts the next item of `list` at `level` (from 0), or starts anew with `restart`. `levelOf`
   * tells of the levels of its style; undefined when this one prints no number.
   */
  next(
    list: string,
    level: number,
    levelOf: (level: number) => OdfLevel | undefined,
    restart?: number,
  ): OdfNumber | undefined {
    const own = levelOf(level);
    if (own === undefined) return undefined;
    const counters = this.#counters.get(list) ?? [];
    this.#counters.set(list, counters);
    counters.length = Math.min(counters.length, level + 1);
    const value = restart ?? (counters[level] ?? own.start - 1) + 1;
    counters[level] = value;
    const numbers: string[] = [];
    for (let at = Math.max(0, level + 1 - own.displayLevels); at <= level; at++) {
      const style = levelOf(at);
      if (style === undefined) continue;
      // A level that is left out counts as begun.
      numbers.push(formatNumber(counters[at] ??= style.start, style.format));
    }
    return {
      value,
      label: `${own.prefix}${numbers.join(".")}${own.suffix}`,
      compound: numbers.length > 1,
    };
  }
}

/** A whole number as attributes hold it. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
