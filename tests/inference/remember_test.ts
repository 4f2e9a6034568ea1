/** Tests that what a message asks to remember is kept in each language that is read. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { withoutRequest } from "../../src/inference/builtin/message/remember.ts";
import { markingTagger } from "./marked_tags.ts";

const DATE = "2026-03-18T09:00:00.000Z";

for (
  const [request, told] of [
    ["Merk dir bitte: ", "ich bin Vegetarier"],
    ["Denk daran, dass ", "der Schlüssel unter der Matte liegt"],
    ["Recuerda que ", "la llave está debajo de la maceta"],
    ["Por favor, ten en cuenta que ", "soy alérgica"],
    ["N'oublie pas que ", "le code de la porte est 4471"],
    ["Retiens: ", "je suis végétarien"],
    ["Lembra-te de que ", "a chave está debaixo do vaso"],
    ["Não te esqueças de que ", "sou vegetariano"],
    ["Ricordati che ", "la chiave è sotto il vaso"],
    ["Tieni a mente che ", "sono allergico"],
  ] as const
) {
  Deno.test(`withoutRequest() returns what follows: ${request}`, () => {
    strictEqual(withoutRequest(request + told), told);
  });
}

for (
  const said of [
    "Ich merke mir nichts",
    "Recuerda mi hermana",
    "Note du vendredi",
    "Ricorda la sua infanzia",
    "Anota",
  ]
) {
  Deno.test(`withoutRequest() returns a sentence without a request: ${said}`, () => {
    strictEqual(withoutRequest(said), said);
  });
}

Deno.test("factsOf() keeps what it's asked to remember in the words of its language", async () => {
  const tagger = { ...markingTagger({ store: 0 }), multilingual: true };
  const facts = await factsOf({
    messages: [{ role: "user", content: "N'oublie pas que le code de ma porte est 4471." }],
    eventDate: DATE,
    requestTime: DATE,
  }, { tagger, rules: true });
  deepStrictEqual(facts.map(({ memory }) => memory), ["Le code de ma porte est 4471"]);
});
