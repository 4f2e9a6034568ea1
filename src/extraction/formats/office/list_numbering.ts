/** List numbering in word processor files: list counters and number formats. */

/** One level of a list. */
export interface ListLevel {
  /** Number format as in OOXML: `decimal`, `lowerRoman`, `bullet`, … */
  readonly format: string;
  /** Printed text, with `%1` for the first level's number. */
  readonly text: string;
  readonly start: number;
}

/** A paragraph's number within its list. */
export interface ListItemNumber {
  /** List id. Adjacent lists have different ids. */
  readonly list: string;
  readonly level: number;
  readonly bullet: boolean;
  /** Counter of the paragraph's own level. */
  readonly value: number;
  /** The number as printed, e.g. `2.1` or `iv)`. */
  readonly label: string;
  /** Whether the printed number has more than one level. */
  readonly compound: boolean;
}

/** A document's list definitions. Instances refer to definitions and can restart levels. */
export interface ListDefinitions {
  readonly levels: ReadonlyMap<string, ReadonlyMap<number, ListLevel>>;
  readonly definitionOf: ReadonlyMap<string, string>;
  readonly restarts: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Counters for a document's lists. All instances of a definition share counters. */
export class ListCounters {
  readonly #lists: ListDefinitions;
  readonly #counters = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(lists: ListDefinitions) {
    this.#lists = lists;
  }

  /**
   * Counts the next item in list `id` at `level` and returns its number. Returns `undefined` if the
   * list or level isn't defined or the level doesn't show a number.
   */
  next(id: string, level: number): ListItemNumber | undefined {
    const definition = this.#lists.definitionOf.get(id);
    const levels = definition === undefined ? undefined : this.#lists.levels.get(definition);
    const definedLevel = levels?.get(level);
    if (definition === undefined || levels === undefined || definedLevel === undefined) {
      return undefined;
    }
    const counters = this.#counters.get(definition) ?? [];
    this.#counters.set(definition, counters);
    const override = this.#lists.restarts.get(id)?.get(level);
    const levelKey = `${id}/${level}`;
    if (override !== undefined && !this.#started.has(levelKey)) counters[level] = override;
    else counters[level] = (counters[level] ?? definedLevel.start - 1) + 1;
    this.#started.add(levelKey);
    counters.length = level + 1;
    for (let above = 0; above < level; above++) {
      counters[above] ??= levels.get(above)?.start ?? 1;
    }
    if (definedLevel.format === "none" && definedLevel.text.trim() === "") return undefined;
    const bullet = definedLevel.format === "bullet" || definedLevel.format === "none" ||
      !definedLevel.text.includes("%");
    return {
      list: id,
      level,
      bullet,
      value: counters[level] ?? 1,
      label: formatLabel(definedLevel, levels, counters),
      compound: (definedLevel.text.match(/%\d/g) ?? []).length > 1,
    };
  }
}

function formatLabel(
  definedLevel: ListLevel,
  levels: ReadonlyMap<number, ListLevel>,
  counters: readonly number[],
): string {
  return definedLevel.text.replace(/%(\d)/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    return formatNumber(counters[index] ?? 1, levels.get(index)?.format ?? "decimal");
  });
}

/** Formats a list number. Unknown formats fall back to decimal. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return toLetters(value).toLowerCase();
    case "upperLetter":
      return toLetters(value);
    case "lowerRoman":
      return toRoman(value).toLowerCase();
    case "upperRoman":
      return toRoman(value);
    case "decimalZero":
      return String(value).padStart(2, "0");
    default:
      return String(value);
  }
}

function toLetters(value: number): string {
  if (value < 1) return String(value);
  const letter = String.fromCharCode(65 + (value - 1) % 26);
  return letter.repeat(Math.min(8, Math.ceil(value / 26)));
}

function toRoman(value: number): string {
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
  let remainder = value;
  let numeral = "";
  for (const [step, symbol] of steps) {
    while (remainder >= step) {
      numeral += symbol;
      remainder -= step;
    }
  }
  return numeral;
}
