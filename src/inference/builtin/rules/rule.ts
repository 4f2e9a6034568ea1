/** The form of a rule: an expression for a first-person clause, and the claims of a match. */
import type { MemoryType } from "../../../memories/schema.ts";

/** A claim before its subject is known. Without one, it has the subject of the clause. */
export interface Draft {
  readonly attribute: string;
  readonly value: string;
  readonly subject?: string;
  readonly op?: "assert" | "end";
  /** Id of the rule that made it. */
  readonly rule?: string;
}

/** The subject of a clause. */
export interface About {
  /** Subject of claims: `user`, `klara`, `user's sister`. */
  readonly subject: string;
  /** True when the clause is about the speaker. */
  readonly speaker: boolean;
  /** The clause as it was said, with adverbs and fronted phrases. */
  readonly said: string;
  /** Anchor of relative dates, in milliseconds. */
  readonly anchor: number;
}

/** A person, pet or thing that later pronouns may mean. */
export interface Mention {
  /** Subject of claims about it. */
  readonly subject: string;
  /** How it is called in memory texts. */
  readonly display: string;
  readonly kind: "person" | "pet" | "thing";
  /** Attribute of the speaker that a name fills once it is known, with who owns the relation. */
  readonly fills?: { readonly owner: string; readonly attribute: string };
  readonly species?: string;
  /** Word for what a person is to the speaker ("sister"), in lower case. */
  readonly relation?: string;
  /**
   * True for someone whom claims can't be about, since they are another one's ("my boss's wife"). A
   * pronoun that may mean them is unclear.
   */
  readonly isOfAnother?: boolean;
}

/** A rule in priority order: the first claim on a single-valued slot wins. */
export interface Rule {
  /** A sentence in which the rule finds something. */
  readonly example: string;
  /** A sentence in which it must find nothing. */
  readonly counterexample?: string;
  readonly when: RegExp;
  readonly then: (m: RegExpExecArray, about: About) => readonly Draft[];
  /** Shown by `explain`. Given by its place in its group. */
  readonly id?: string;
  /** Memory type when it isn't the one of the first claim. */
  readonly type?: MemoryType;
  /** First-person text of the memory where the clause itself would not do. */
  readonly text?: (m: RegExpExecArray) => string;
}

/** Returns one claim, or none if the value is empty. */
export function claim(
  attribute: string,
  value: string | null | undefined,
  more: Partial<Draft> = {},
): Draft[] {
  return value && /[\p{L}\p{N}]/u.test(value) ? [{ attribute, value, ...more }] : [];
}

/** Returns one claim per value. */
export function claims(attribute: string, values: readonly string[]): Draft[] {
  return values.flatMap((value) => claim(attribute, value));
}

/** Returns a claim that ends a value. */
export const ends = (attribute: string, value: string | null | undefined): Draft[] =>
  claim(attribute, value, { op: "end" });

/** Words that have no meaning by themselves, and so can't be a value. */
export const EMPTY =
  /^(?:(?:doing |using |eating |having |making |playing |watching |reading )?(?:it|this|that|them)|these|those|him|her|you|one|two|three|four|five|several|a few|so|things?|stuff|something|anything|everything|nothing|someone|everyone|here|there|to|all|both|some|more|a lot|lot|much|none|what|how|when|idea|the idea|myself|home|fun|time|way|same|\p{P}+)$/iu;
