/** List numbering of a DOCX: which item a paragraph is, and the number it carries. */
import { xmlPart } from "./ooxml.ts";
import { child, elements, type XmlElement } from "../xml.ts";
import type { ZipArchive } from "../zip.ts";

interface Level {
  readonly format: string;
  readonly text: string;
  readonly start: number;
}

/** The place of a paragraph in its list. */
export interface Numbered {
  /** The list, for telling neighbours apart. */
  readonly list: string;
  readonly level: number;
  readonly bullet: boolean;
  /** The counter of its own level. */
  readonly value: number;
  /** The number as printed, such as `2.1` or `iv)`. */
  readonly label: string;
  /** Whether the printed number counts more than one level. */
  readonly compound: boolean;
}

/** The numbering part of a document, with its running counters. */
export class Numbering {
  readonly #abstractOf = new Map<string, string>();
  readonly #levels = new Map<string, Map<number, Level>>();
  readonly #overrides = new Map<string, Map<number, number>>();
  readonly #counters = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(zip: ZipArchive, part: string | undefined) {
    const root = part === undefined ? undefined : xmlPart(zip, part);
    for (const element of elements(root, "w:abstractNum")) {
      const id = element.attributes["w:abstractNumId"] ?? "";
      const levels = new Map<number, Level>();
      for (const level of elements(element, "w:lvl")) {
        levels.set(levelIndex(level), readLevel(level));
      }
      this.#levels.set(id, levels);
    }
    for (const element of elements(root, "w:num")) {
      const id = element.attributes["w:numId"] ?? "";
      this.#abstractOf.set(id, child(element, "w:abstractNumId")?.attributes["w:val"] ?? "");
      const starts = new Map<number, number>();
      for (const override of elements(element, "w:lvlOverride")) {
        const start = child(override, "w:startOverride")?.attributes["w:val"];
        if (start !== undefined) starts.set(levelIndex(override), Number.parseInt(start, 10) || 0);
      }
      this.#overrides.set(id, starts);
    }
  }

  /** Counts the next item of list `id` at `level`; undefined when it shows no number. */
  next(id: string, level: number): Numbered | undefined {
    const abstract = this.#abstractOf.get(id);
    const levels = abstract === undefined ? undefined : this.#levels.get(abstract);
    const own = levels?.get(level);
    if (abstract === undefined || levels === undefined || own === undefined) return undefined;
    const counters = this.#counters.get(abstract) ?? [];
    this.#counters.set(abstract, counters);
    const override = this.#overrides.get(id)?.get(level);
    const first = `${id}/${level}`;
    if (override !== undefined && !this.#started.has(first)) counters[level] = override;
    else counters[level] = (counters[level] ?? own.start - 1) + 1;
    this.#started.add(first);
    counters.length = level + 1;
    for (let above = 0; above < level; above++) {
      counters[above] ??= levels.get(above)?.start ?? 1;
    }
    if (own.format === "none" && own.text.trim() === "") return undefined;
    const bullet = own.format === "bullet" || own.format === "none" || !own.text.includes("%");
    return {
      list: id,
      level,
      bullet,
      value: counters[level] ?? 1,
      label: printed(own, levels, counters),
      compound: (own.text.match(/%\d/g) ?? []).length > 1,
    };
  }
}

function levelIndex(element: XmlElement): number {
  return Number.parseInt(element.attributes["w:ilvl"] ?? "0", 10) || 0;
}

function readLevel(element: XmlElement): Level {
  const start = Number.parseInt(child(element, "w:start")?.attributes["w:val"] ?? "1", 10);
  return {
    format: child(element, "w:numFmt")?.attributes["w:val"] ?? "decimal",
    text: child(element, "w:lvlText")?.attributes["w:val"] ?? "",
    start: Number.isNaN(start) ? 1 : start,
  };
}

function printed(own: Level, levels: Map<number, Level>, counters: readonly number[]): string {
  return own.text.replace(/%(\d)/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    return formatNumber(counters[index] ?? 1, levels.get(index)?.format ?? "decimal");
  });
}

/** A list number in one of the formats word processors share. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return letters(value).toLowerCase();
    case "upperLetter":
      return letters(value);
    case "lowerRoman":
      return roman(value).toLowerCase();
    case "upperRoman":
      return roman(value);
    case "decimalZero":
      return String(value).padStart(2, "0");
    default:
      return String(value);
  }
}

function letters(value: number): string {
  if (value < 1) return String(value);
  const letter = String.fromCharCode(65 + (value - 1) % 26);
  return letter.repeat(Math.min(8, Math.ceil(value / 26)));
}

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  const steps: readonly (readonly [number, string])[] = [
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ];
  let rest = value;
  let out = "";
  for (const [step, sign] of steps) {
    while (rest >= step) {
      out += sign;
      rest -= step;
    }
  }
  return out;
}
