/**
 * What the tagger's outputs mean, in their order. The same lists are in `scripts/train/markup.py`;
 * a test compares them with the model's configuration file.
 */

import type { MemoryType } from "../../memories/schema.ts";

/** Attributes that the tagger marks in a sentence. `favorite` and `decision` have no topic yet. */
export const TAGGED_ATTRIBUTES: readonly string[] = (
  "address age allergic_to avoids birthday breed browser child children colleague condition " +
  "database decision degree diet dislikes editor email employment favorite framework friend from " +
  "goal grandparent habit handle hobby identity job_title learning likes lived_in lives_in " +
  "marital_status medication name nationality native_language nickname os owns parent partner " +
  "pet phone plan prefers programming_language pronouns relative religion shell sibling siblings " +
  "speaks species spouse studied_at studies studies_at timezone todo uses website worked_at " +
  "works_at"
).split(" ");

/** Values that a sentence can state without naming them ("we tied the knot"), by attribute. */
export const CLOSED_VALUES: Readonly<Record<string, readonly string[]>> = {
  marital_status: ["single", "engaged", "married", "separated", "divorced", "widowed"],
  employment: [
    "employed",
    "unemployed",
    "self-employed",
    "freelance",
    "retired",
    "student",
    "parental leave",
  ],
  diet: ["vegetarian", "vegan", "pescatarian", "keto", "halal", "kosher", "gluten-free"],
};

/** A closed value that a sentence asserts, or ends. */
export interface ClosedValue {
  readonly attribute: string;
  readonly value: string;
  readonly ended: boolean;
}

/** Closed values in the order of the model's output. */
export const LABELS: readonly ClosedValue[] = Object.entries(CLOSED_VALUES).flatMap(
  ([attribute, values]) =>
    values.flatMap((value) => [
      { attribute, value, ended: false },
      { attribute, value, ended: true },
    ]),
);

/** What a span says about its value: it holds or has ended, for the user or another person. */
export const STATES = ["holds", "ended", "other", "other_ended"] as const;

export type SpanState = typeof STATES[number];

/** Memory types in the order of the model's output. */
export const TYPES: readonly MemoryType[] = [
  "fact",
  "identity",
  "preference",
  "goal",
  "todo",
  "event",
  "decision",
  "observation",
];
