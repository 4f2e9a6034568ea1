/** Tests which items of a context are chosen, by their order, their sources and the budget. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { inOrderOfUse, pack } from "../../src/context/packing.ts";
import type { ContextItem } from "../../src/context/schema.ts";

const LARGE = { tokens: 1_500, characters: Infinity };

function item(kind: ContextItem["kind"], text: string, ...source_ids: string[]): ContextItem {
  return { kind, id: source_ids[0]!, text, date: null, score: null, source_ids, citation: null };
}

const POT = item("memory", "The blue pot is by the door.", "mem_a");
const KEY = item("memory", "I live in Porto. The spare key is under the blue pot.", "mem_b");
const KEY_LINE = item("profile", KEY.text, "mem_b");
const PORTO = item("state", "user lives in: Porto", "mem_b");
const JOB = item("state", "user works at: a bakery", "mem_b");
const NOTES = item("passage", "Porto is in Portugal.", "doc_a");

const textsOf = ({ items }: { readonly items: readonly ContextItem[] }) =>
  items.map(({ text }) => text);

Deno.test("inOrderOfUse() takes turns: memory, current fact, profile line, memory, passage", () => {
  const kinds = (["memory", "state", "profile", "passage"] as const).map((kind) =>
    Array.from({ length: 10 }, (_, rank) => item(kind, `${rank}`, `${kind} ${rank}`))
  );
  deepStrictEqual(inOrderOfUse(kinds).slice(0, 10).map(({ kind, text }) => `${kind} ${text}`), [
    "memory 0",
    "state 0",
    "profile 0",
    "memory 1",
    "passage 0",
    "memory 2",
    "state 1",
    "profile 1",
    "memory 3",
    "passage 1",
  ]);
});

Deno.test("pack() prefers a memory to a current fact in it, also to one chosen before", () => {
  const packed = pack([POT, PORTO, KEY_LINE, KEY, JOB, NOTES], "markdown", LARGE);
  deepStrictEqual(textsOf(packed), [POT.text, KEY.text, NOTES.text]);
  strictEqual(packed.overBudget, 0);
  const alone = pack([POT, KEY_LINE, NOTES], "markdown", LARGE);
  deepStrictEqual([packed.text, packed.tokens], [alone.text, alone.tokens]);
});

Deno.test("pack() includes the first of a memory and its line in the profile", () => {
  for (const candidates of [[KEY_LINE, KEY], [KEY, KEY_LINE]]) {
    const packed = pack(candidates, "markdown", LARGE);
    deepStrictEqual(packed.items.map(({ kind }) => kind), [candidates[0]!.kind]);
    strictEqual(packed.overBudget, 0);
  }
});

Deno.test("pack() includes every current fact of a memory that it doesn't include", () => {
  deepStrictEqual(textsOf(pack([PORTO, JOB], "markdown", LARGE)), [PORTO.text, JOB.text]);
});

Deno.test("pack() replaces a memory that doesn't fit with the current facts in it", () => {
  const long = { ...KEY, text: KEY.text.padEnd(9_000, " And so on.") };
  for (const candidates of [[long, PORTO, NOTES], [PORTO, long, NOTES]]) {
    const packed = pack(candidates, "markdown", LARGE);
    deepStrictEqual(textsOf(packed), [PORTO.text, NOTES.text]);
    strictEqual(packed.overBudget, 1);
  }
});
