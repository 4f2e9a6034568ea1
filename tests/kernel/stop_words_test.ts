/** Pins down exactly which stop words are skipped by search, reconciliation and messages. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { MESSAGE_STOP_WORDS } from "../../src/inference/builtin/message/salience.ts";
import { COMPARISON_STOP_WORDS } from "../../src/inference/comparison.ts";
import { STOP_WORDS } from "../../src/kernel/stop_words.ts";
import { QUERY_STOP_WORDS } from "../../src/search/query/stop_words.ts";

/** The words for each combination of users: queries (Q), comparisons (C) and messages (M). */
const WORDS: Readonly<Record<string, string>> = {
  QCM: `
    am and are as at be been by did do does for from had has have in is it its just no not of on
    or that their them they this to too very was were which who with`,
  QC: `
    also now`,
  QM: `
    a about after again all an any anything before being both but can could d doing down each
    everything few having he her here him his how i if into ll lot m me more most much my myself
    nor off only other our out over own re s same she should so some something such t than the
    then there these those up us ve we what when where why would you your yours`,
  CM: `
    really`,
  Q: `
    above against anyone aren because below between cannot couldn didn doesn don during ever
    further hadn hasn haven hers herself himself id im isn itself ive know let ma many mustn o
    once ours ourselves please shan shouldn someone tell thats theirs themselves through under
    until wasn weren whats while whom whose won wouldn y youre yourself yourselves`,
  C: `
    called currently named still today user`,
  M: `
    bit done get got hey hi like lots may might mine must oh onto shall thing things well will
    without wow yeah yes`,
};

Deno.test("stopWords() composes the words for each user", () => {
  const users = { Q: QUERY_STOP_WORDS, C: COMPARISON_STOP_WORDS, M: MESSAGE_STOP_WORDS };
  const actual = Map.groupBy(
    new Set(Object.values(users).flatMap((words) => [...words])),
    (word) => Object.entries(users).map(([user, words]) => words.has(word) ? user : "").join(""),
  );
  for (const [combination, words] of Object.entries(WORDS)) {
    deepStrictEqual(actual.get(combination)?.toSorted(), words.trim().split(/\s+/), combination);
  }
});

Deno.test("STOP_WORDS contains every word only once", () => {
  const words = Object.values(STOP_WORDS).flat();
  strictEqual(new Set(words).size, words.length);
});
