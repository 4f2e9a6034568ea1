/** Tests the advice to change an English embedder for texts in other languages. */

import { match, strictEqual } from "node:assert/strict";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { isEnglish } from "../../src/health/language.ts";
import { withServer } from "../../testing/harness.ts";

const ENGLISH = [
  "Ana bought a puppy last spring",
  "The invoice was paid on time",
  "We moved to Porto yesterday, the boxes are everywhere",
];

const OTHERS = [
  "Ich habe gestern das rote Fahrrad verkauft",
  "Die Sitzung am Montag wurde auf Mittwoch verschoben",
  "Ayer compramos una mesa nueva para la cocina",
  "Ma sœur habite à Lyon depuis trois ans",
  "Minha filha não gosta de cogumelos no jantar",
  "Вчера мы купили новую машину",
  "私は毎朝コーヒーを飲みます",
];

Deno.test("isEnglish() recognizes English by its function words", () => {
  for (const text of ENGLISH) strictEqual(isEnglish(text), true, text);
  for (const text of OTHERS) strictEqual(isEnglish(text), false, text);
  strictEqual(isEnglish("Porto, Lisbon"), null, "no function words");
});

Deno.test("GET /v1/health advises to change the embedder if most texts are not in English", async () => {
  await withServer(async ({ add, call, waitForEmbeddings }) => {
    const advice = async () => (await call("GET", "/v1/health")).json.embedder.advice;
    for (const text of OTHERS) await add(text);
    await waitForEmbeddings();
    strictEqual(await advice(), null, "too few texts");
    for (const text of OTHERS) await add(`${text} (2)`);
    match(await advice(), /commonplace embedder use multilingual-e5-small/);
    for (let copy = 0; copy < 6; copy++) {
      for (const text of ENGLISH) await add(`${text}, number ${copy}`);
    }
    strictEqual(await advice(), null);
  }, { embedder: { ...NO_EMBEDDER, name: "minilm", runtime: "static" } });
});
