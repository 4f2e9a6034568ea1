/** List numbering of word processors: the counters of lists, and the numbers they print. */

/** One level of a list. */
export interface ListLevel {
  /** As in OOXML: `decimal`, `lowerRoman`, `bullet`, … */
  readonly format: string;
  /** The printed text, with `%1` for the number of the first level. */
  readonly text: string;
  readonly start: number;
}

/** The place of a paragraph in its list. */
export interface ListItemNumber {
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

/** Lists as documents define them: instances refer to definitions and may restart levels. */
export interface ListDefinitions {
  readonly levels: ReadonlyMap<string, ReadonlyMap<number, ListLevel>>;
  readonly definitionOf: ReadonlyMap<string, string>;
  readonly restarts: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** The running counters of a document's lists. Instances of one definition count on together. */
export class ListCounters {
  readonly #lists: ListDefinitions;
  readonly #counters = new Map<string, number[]>();
  readonly #started = new Set<string>();

  constructor(lists: ListDefinitions) {
    this.#lists = lists;
  }

  /** Counts the next item of list `id` at `level`; undefined when it shows no number. */
  next(id: string, level: number): ListItemNumber | undefined {
    const definition = this.#lists.definitionOf.get(id);
    const levels = definition === undefined ? undefined : this.#lists.levels.get(definition);
    const own = levels?.get(level);
    if (definition === undefined || levels === undefined || own === undefined) return undefined;
    const counters = this.#counters.get(definition) ?? [];
    this.#counters.set(definition, counters);
    const override = this.#lists.restarts.get(id)?.get(level);
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
      label: formatLabel(own, levels, counters),
      compound: (own.text.match(/%\d/g) ?? []).length > 1,
    };
  }
}

function formatLabel(
  own: ListLevel,
  levels: ReadonlyMap<number, ListLevel>,
  counters: readonly number[],
): string {
  return own.text.replace(/%(\d)/g, (_, digit: string) => {
    const index = Number(digit) - 1;
    return formatNumber(counters[index] ?? 1, levels.get(index)?.format ?? "decimal");
  });
}

/** A list number in one of the formats word processors share. */
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
