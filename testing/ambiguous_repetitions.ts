/**
 * Finds repeated groups that can match the same text in two ways. A backtracking engine tries every
 * combination if the rest doesn't match, i.e. 2ⁿ for n repetitions.
 */

import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";

/** Characters to compare character classes with: ASCII, and some that the engine's words contain. */
const SAMPLES = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)),
  ..."\n\t\u00a0éÉßñ中¤–—…’“”«»•\u2028",
];

/** Repetitions from which on a bounded group counts as unbounded. */
const MANY_REPETITIONS = 8;

/** A repeated group, and the beginning of a text that it can match in two ways. */
export interface AmbiguousRepetition {
  readonly group: string;
  readonly text: string;
}

/** Automaton with a state per character of the expression, without empty transitions. */
interface Automaton {
  readonly isNullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Automaton = { isNullable: true, first: [], last: [] };

/** What nothing can follow: the end of the text. */
const DEAD_END: Automaton = { isNullable: false, first: [], last: [] };

/**
 * Returns the ambiguous repetitions of an expression. Assertions are ignored, so a group may be
 * listed that only an assertion makes unambiguous.
 */
export function ambiguousRepetitions({ source, flags }: RegExp): readonly AmbiguousRepetition[] {
  const { pattern } = parseRegExpLiteral(`/${source}/${flags}`);
  return repetitionsIn(pattern).flatMap((quantifier): AmbiguousRepetition[] => {
    if (quantifier.max < MANY_REPETITIONS) return [];
    const text = new Repetition(quantifier.element, flags).ambiguousText();
    return text === null ? [] : [{ group: quantifier.raw, text }];
  });
}

function repetitionsIn(node: AST.Node): AST.Quantifier[] {
  switch (node.type) {
    case "Quantifier":
      return [node, ...repetitionsIn(node.element)];
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return node.alternatives.flatMap(repetitionsIn);
    case "Assertion":
      return "alternatives" in node ? node.alternatives.flatMap(repetitionsIn) : [];
    case "Alternative":
      return node.elements.flatMap(repetitionsIn);
    default:
      return [];
  }
}

/** The automaton of a repeated element, by Glushkov's construction. */
class Repetition {
  #flags: string;
  /** Per state, the samples that it matches. */
  readonly #matches: bigint[] = [];
  readonly #follow: Set<number>[] = [];
  readonly #whole: Automaton;
  /** A state with two ways to the same next state, i.e. within a repetition and into the next one. */
  #forked: number | null = null;

  constructor(element: AST.Element, flags: string) {
    this.#flags = flags.replace(/[dgy]/g, "");
    this.#whole = this.#repeated(this.#build(element));
  }

  /** Returns the beginning of a text with two paths to the end of the group, or null. */
  ambiguousText(): string | null {
    const { first, last } = this.#whole;
    const size = this.#matches.length;
    // Each pair of states that the same text leads to, and that text.
    const reached = new Map<number, string>();
    const visit = (states: Iterable<number>, others: Iterable<number>, text: string) => {
      for (const [one, other, shared] of this.#sharing(states, others)) {
        const pair = Math.min(one, other) * size + Math.max(one, other);
        if (!reached.has(pair)) reached.set(pair, text + sampleOf(shared));
      }
    };
    visit(first, first, "");
    // A map's iteration includes the entries that are added during it.
    for (const [pair, text] of reached) {
      const [one, other] = [Math.floor(pair / size), pair % size];
      if (one === this.#forked || one !== other && this.#canMeet(one, other, new Set(last))) {
        return text;
      }
      visit(this.#follow[one]!, this.#follow[other]!, text);
    }
    return null;
  }

  /** Checks whether two states reach the end of the group with the same text. */
  #canMeet(one: number, other: number, last: ReadonlySet<number>): boolean {
    const size = this.#matches.length;
    const seen = new Set([one * size + other]);
    for (const pair of seen) {
      const [a, b] = [Math.floor(pair / size), pair % size];
      if (last.has(a) && last.has(b)) return true;
      for (const [x, y] of this.#sharing(this.#follow[a]!, this.#follow[b]!)) {
        seen.add(x * size + y);
      }
    }
    return false;
  }

  /** Pairs of states that match the same characters, and these. */
  *#sharing(
    states: Iterable<number>,
    others: Iterable<number>,
  ): Generator<[number, number, bigint]> {
    for (const one of states) {
      for (const other of others) {
        const shared = this.#matches[one]! & this.#matches[other]!;
        if (shared !== 0n) yield [one, other, shared];
      }
    }
  }

  #build(node: AST.Element | AST.Alternative): Automaton {
    switch (node.type) {
      case "Alternative":
        return node.elements.map((one) => this.#build(one))
          .reduce((a, b) => this.#sequence(a, b), EMPTY);
      case "Group":
      case "CapturingGroup":
        return this.#group(node);
      case "Quantifier":
        return this.#quantified(node);
      case "Assertion":
        return node.kind === "end" ? DEAD_END : EMPTY;
      case "Backreference":
        return EMPTY;
      default:
        return this.#character(node.raw);
    }
  }

  #character(raw: string): Automaton {
    const state = this.#matches.push(samplesOf(raw, this.#flags)) - 1;
    this.#follow.push(new Set());
    return { isNullable: false, first: [state], last: [state] };
  }

  #group(node: AST.Group | AST.CapturingGroup): Automaton {
    const outside = this.#flags;
    if (node.type === "Group" && node.modifiers?.remove?.ignoreCase) {
      this.#flags = outside.replace("i", "");
    }
    const all = node.alternatives.map((one) => this.#build(one));
    this.#flags = outside;
    return {
      isNullable: all.some(({ isNullable }) => isNullable),
      first: all.flatMap(({ first }) => first),
      last: all.flatMap(({ last }) => last),
    };
  }

  #sequence(a: Automaton, b: Automaton): Automaton {
    if (a === DEAD_END || b === DEAD_END) return DEAD_END;
    for (const end of a.last) {
      for (const start of b.first) {
        if (this.#follow[end]!.has(start)) this.#forked = end;
        this.#follow[end]!.add(start);
      }
    }
    return {
      isNullable: a.isNullable && b.isNullable,
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
    };
  }

  #repeated(one: Automaton): Automaton {
    this.#sequence(one, one);
    return { ...one, isNullable: true };
  }

  #quantified({ element, min, max }: AST.Quantifier): Automaton {
    if (max >= MANY_REPETITIONS) {
      const once = this.#build(element);
      return { ...this.#repeated(once), isNullable: min === 0 || once.isNullable };
    }
    // From the last to the first, since a text must not have the choice which of them to leave out.
    let all = EMPTY;
    for (let n = max; n > 0; n--) {
      const rest = this.#sequence(this.#build(element), all);
      all = n > min ? { ...rest, isNullable: true } : rest;
    }
    return all;
  }
}

const sampleOf = (shared: bigint) => SAMPLES[shared.toString(2).length - 1]!;

const known = new Map<string, bigint>();

/** Returns which samples a character or class matches, as bits. */
function samplesOf(raw: string, flags: string): bigint {
  const key = `${flags}/${raw}`;
  let bits = known.get(key);
  if (bits === undefined) {
    const expression = new RegExp(`^${raw}$`, flags);
    bits = SAMPLES.reduce((sum, one, i) => expression.test(one) ? sum | 1n << BigInt(i) : sum, 0n);
    known.set(key, bits);
  }
  return bits;
}
