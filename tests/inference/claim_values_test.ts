/** Tests the form in which values of claims are stored. */

import { strictEqual } from "node:assert/strict";
import { infinitive } from "../../src/inference/builtin/rules/intent.ts";
import { normalized } from "../../src/inference/builtin/claim_values.ts";

const NUMBERS: readonly (readonly [attribute: string, words: string, value: string | null])[] = [
  ["children", "two sons and 1 daughter", "3"],
  ["children", "2 kids", "2"],
  ["children", "a boy and a girl", "2"],
  ["children", "three, two boys and a girl", "3"],
  ["children", "twenty-one kids", "21"],
  ["children", "a daughter, two sons", "3"],
  ["children", "kids", null],
  ["children", "two sons and others", null],
  ["children", "zwei Kinder", "2"],
  ["siblings", "deux sœurs et un frère", "3"],
  ["siblings", "três irmãos", "3"],
  ["age", "34 and a half", "34"],
  ["age", "thirty four", "34"],
  ["age", "nearly a hundred", null],
  ["age", "a hundred and one", null],
  ["age", "sette", "7"],
];

const CLAUSES: readonly (readonly [attribute: string, words: string, value: string | null])[] = [
  ["plan", "Flying out to Denver", "fly out to Denver"],
  ["plan", "moving to Graz", "move to Graz"],
  ["plan", "off to Crete", "go to Crete"],
  ["plan", "priya", null],
  ["goal", "get from 94 kg down to 80 by", "get from 94 kg down to 80"],
  ["plan", "moving in", "move in"],
  ["todo", "hand it in", "hand it in"],
  ["todo", "log in", "log in"],
  ["goal", "to run a marathon", "run a marathon"],
  ["goal", "sing in a choir", "sing in a choir"],
  ["todo", "signed the lease", null],
  ["todo", "read the lease", "read the lease"],
];
for (const [attribute, words, value] of [...NUMBERS, ...CLAUSES]) {
  Deno.test(`normalized() makes ${value ?? "nothing"} of ${attribute}: ${words}`, () => {
    strictEqual(normalized(attribute, words)?.value ?? null, value);
  });
}

for (
  const [said, value] of [
    ["move in May", "move"],
    ["log in", "log in"],
    ["hand it in", "hand it in"],
    ["visit Rome in June", "visit Rome"],
    ["fly home on the 9th", "fly home"],
  ] as const
) {
  Deno.test(`infinitive() makes "${value}" of: ${said}`, () => {
    strictEqual(infinitive(said), value);
  });
}
