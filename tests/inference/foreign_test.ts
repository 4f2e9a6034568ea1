/** Tests what is made of the tagger's findings in languages that the rules don't read. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { foreignDay, foreignNumber } from "../../src/inference/builtin/lexicon/foreign_numbers.ts";
import { splitSentences } from "../../src/inference/builtin/message/sentences.ts";
import { foreignRelatives, withForeignWords } from "../../src/inference/builtin/tagged/foreign.ts";
import {
  foreignRelation,
  foreignRelationWords,
} from "../../src/inference/builtin/lexicon/foreign_people.ts";
import { relationAttribute } from "../../src/inference/builtin/lexicon/people.ts";
import { type Language, LANGUAGES } from "../../src/inference/builtin/lexicon/languages.ts";
import { languageOf } from "../../src/inference/builtin/tagged/languages.ts";
import { claimText } from "../../src/inference/builtin/tagged/templates.ts";
import { marked, type Marks } from "./marked_tags.ts";

const LANGUAGE_OF: readonly (readonly [Language | null, string])[] = [
  ["de", "Meine Freundin Gabi wohnt in Weimar"],
  ["es", "Quiero abrir un restaurante"],
  ["fr", "J'aimerais construire un voilier"],
  ["pt", "Sou alérgica a camarão"],
  ["it", "Il mio ragazzo Nicola sta a Lecce"],
  ["it", "Abbiamo un cane, Tufo"],
  ["es", "Toco la guitarra"],
  ["it", "Suono la batteria"],
  ["pt", "Leio romances policiais"],
  [null, "Leo loves tuna"],
  [null, "I'm flexible vis-à-vis hours"],
  [null, "Love Thai cuisine"],
  [null, "Adore pinto beans"],
  [null, "Prefer tabs"],
  [null, "Also I bought a stand mixer"],
  [null, "I'd rather die than live in La Paz"],
  [null, "divorced men die sooner"],
];
for (const [language, text] of LANGUAGE_OF) {
  Deno.test(`languageOf() returns ${language ?? "none"} for: ${text}`, () => {
    strictEqual(languageOf(text), language);
  });
}

interface Correction {
  readonly language: Language;
  readonly said: string;
  readonly marks: Marks;
  readonly found: readonly string[];
}

const UNSURE = { confidence: 0.4 };

const CORRECTIONS: readonly Correction[] = [
  {
    language: "es",
    said: "Mi abuela Rosalba reza por todos",
    marks: { ...UNSURE, spans: { parent: "Rosalba" } },
    found: ["grandparent 0.8"],
  },
  {
    language: "de",
    said: "Meine Frau Heidrun ist Köchin",
    marks: { ...UNSURE, spans: { parent: "Heidrun" } },
    found: ["spouse 0.8"],
  },
  {
    language: "de",
    said: "Die Frau Berg ist Köchin",
    marks: { ...UNSURE, spans: { friend: "Berg" } },
    found: ["friend 0.4"],
  },
  {
    language: "fr",
    said: "Sa tante Odile habite ici",
    marks: { spans: { relative: "Odile" } },
    found: [],
  },
  {
    language: "pt",
    said: "Antes trabalhei na TAP",
    marks: { spans: { works_at: "TAP" } },
    found: ["worked_at 0.99"],
  },
  {
    language: "es",
    said: "Trabajo de camarero",
    marks: { spans: { works_at: "camarero" } },
    found: ["job_title 0.99"],
  },
  {
    language: "de",
    said: "Ich habe zwei Hunde",
    marks: { spans: { children: "zwei" } },
    found: [],
  },
  {
    language: "de",
    said: "Ich bin fast Vegetarier",
    marks: { spans: { diet: "Vegetarier" } },
    found: [],
  },
  {
    language: "it",
    said: "Non sono mai stato sposato",
    marks: { spans: { marital_status: "sposato" } },
    found: [],
  },
  {
    language: "it",
    said: "I miei amici sono sposati",
    marks: { spans: { marital_status: "sposati" } },
    found: [],
  },
  {
    language: "pt",
    said: "O marido da minha irmã chama-se Rui",
    marks: { spans: { spouse: "Rui" } },
    found: [],
  },
  {
    language: "de",
    said: "Die Frau meines Sohnes heißt Petra",
    marks: { spans: { sibling: "Petra" } },
    found: [],
  },
  {
    language: "fr",
    said: "Mon frère Paul et sa femme Marie",
    marks: { spans: { sibling: "Marie" } },
    found: [],
  },
  {
    language: "de",
    said: "Meine beste Freundin Anna",
    marks: { spans: { partner: "Anna" } },
    found: ["friend 0.99"],
  },
  {
    language: "it",
    said: "Prima ero alla Rai e adesso lavoro da Eataly",
    marks: { spans: { works_at: "Eataly" } },
    found: ["works_at 0.99"],
  },
  {
    language: "de",
    said: "Alle nennen mich Friedel",
    marks: { spans: { name: "Friedel" } },
    found: ["nickname 0.99"],
  },
  {
    language: "it",
    said: "Vorrei aprire un forno",
    marks: { spans: { todo: "aprire un forno" } },
    found: ["goal 0.99"],
  },
  {
    language: "de",
    said: "Ich habe zwei Schwestern",
    marks: { ...UNSURE, spans: { children: "zwei" } },
    found: ["siblings 0.8"],
  },
];
for (const { language, said, marks, found } of CORRECTIONS) {
  Deno.test(`withForeignWords() finds ${found.join() || "nothing"} in: ${said}`, () => {
    const { spans } = withForeignWords(said, marked(said, marks), language);
    deepStrictEqual(spans.map(({ attribute, confidence }) => `${attribute} ${confidence}`), found);
  });
}

Deno.test("withForeignWords() takes a status for the one that a sentence names", () => {
  const labels = ["divorced", "widowed"].map((value, i) => ({
    attribute: "marital_status",
    value,
    ended: false,
    confidence: 0.95 - i / 10,
  }));
  const statusOf = (said: string) =>
    withForeignWords(said, { ...marked(said, {}), labels }, "de").labels.map(({ value }) => value);
  deepStrictEqual(statusOf("Ich bin seit zwölf Jahren verheiratet"), ["married"]);
  deepStrictEqual(statusOf("War verheiratet, bin jetzt geschieden"), ["divorced"]);
  deepStrictEqual(statusOf("Ich bin nicht verheiratet"), []);
  deepStrictEqual(statusOf("Mein Vater ist ledig"), ["divorced", "widowed"]);
});

Deno.test("withForeignWords() joins the parts of a number", () => {
  const said = "A minha mãe tem oitenta e cinco";
  const [first] = marked(said, { others: { age: "oitenta" } }).spans;
  const [second] = marked(said, { others: { age: "cinco" } }).spans;
  const { spans } = withForeignWords(said, {
    ...marked(said, {}),
    spans: [first!, second!],
  }, "pt");
  deepStrictEqual(spans.map(({ start, end }) => said.slice(start, end)), ["oitenta e cinco"]);
});

const NUMBERS: readonly (readonly [text: string, number: number | null])[] = [
  ["achtundfünfzig", 58],
  ["sechzehn", 16],
  ["treinta y uno", 31],
  ["veintiséis", 26],
  ["quarante-sept ans", 47],
  ["soixante-douze", 72],
  ["quatre-vingt-dix", 90],
  ["oitenta e cinco", 85],
  ["cinquantasei anni", 56],
  ["ventuno", 21],
  ["Hunde", null],
];
for (const [text, number] of NUMBERS) {
  Deno.test(`foreignNumber() returns ${number} for: ${text}`, () => {
    strictEqual(foreignNumber(text), number);
  });
}

Deno.test("foreignDay() reads days in five languages", () => {
  const days = [
    "4. August",
    "17 de abril",
    "1er mai",
    "5 de julho",
    "2 giugno",
    "40 giugno",
    "30 février",
    "soon",
  ];
  deepStrictEqual(days.map(foreignDay), [
    "08-04",
    "04-17",
    "05-01",
    "07-05",
    "06-02",
    null,
    null,
    null,
  ]);
});

Deno.test("splitSentences() doesn't end a sentence at the day of a German date", () => {
  deepStrictEqual(splitSentences("Ich habe am 4. August Geburtstag. Und du?"), [
    "Ich habe am 4. August Geburtstag.",
    "Und du?",
  ]);
});

const RELATIVES: readonly (readonly [Language, string, readonly (string | null)[]])[] = [
  ["es", "Mi hermano vive en Lima", ["user's brother"]],
  ["de", "Meine Oma ist 90", ["user's grandmother"]],
  ["fr", "Maman habite à Brest", ["user's mother"]],
  ["pt", "A minha irmã é enfermeira", ["user's sister"]],
  ["it", "Mia nipote ha 7 anni", ["user's relative"]],
  ["de", "Meine Frau ist Köchin", ["user's wife"]],
  ["de", "Die Frau ist Köchin", []],
  ["es", "El marido de mi hermana es fontanero", [null, null]],
  ["de", "Der Mann meiner Schwester ist Lehrer", [null]],
  ["de", "Der Bruder meiner besten Freundin wohnt in Kiel", [null, null]],
  ["fr", "Le mari de ma meilleure amie est infirmier", [null, null]],
  ["es", "Mi ex novio vive en Lima", [null]],
  ["it", "Abito a Bari ma una ragazza vive a Roma", []],
  ["de", "Mein bester Freund ist Vegetarier", ["user's friend"]],
  ["de", "Mit meiner Schwester wohne ich in Kiel", ["user's sister"]],
  ["es", "Mi hermano de Lima es médico", ["user's brother"]],
  ["de", "Laut meiner Schwester regnet es", ["user's sister"]],
  ["fr", "Mon petit ami est infirmier", ["user's boyfriend"]],
  ["fr", "Ma meilleure amie est infirmière", ["user's friend"]],
  ["es", "Mi compañero de piso es vegano", [null]],
  ["es", "Madre soltera, vivo en Cádiz", [null]],
  ["it", "Mamma mia, abito a Bari", [null]],
  ["de", "Mutter von zwei Kindern", [null]],
  ["de", "Meine älteste Schwester wohnt in Bonn", ["user's sister"]],
  ["de", "Meine Älteste wohnt in Bonn", ["user's eldest"]],
  ["it", "Il marito di mia sorella lavora qui", [null, null]],
  ["fr", "Son frère habite à Brest", [null]],
];
for (const [language, text, subjects] of RELATIVES) {
  Deno.test(`foreignRelatives() finds ${subjects.map((one) => one ?? "another").join() || "none"} in: ${text}`, () => {
    const found = foreignRelatives(text, language, { user: "user", mentions: [] });
    deepStrictEqual(found.map(({ subject }) => subject), subjects);
  });
}

const TEXTS: readonly (readonly [Language, subject: string, claim: string, text: string])[] = [
  ["es", "user's brother", "lives_in=Lima", "Hermano de User vive en Lima"],
  ["es", "ana's cousin", "lives_in=Lima", "Primo o prima de Ana vive en Lima"],
  ["de", "user's roommate", "lives_in=Kiel", "User's roommate wohnt in Kiel"],
  ["de", "user's sister", "age=30", "Schwester von User ist 30 Jahre alt"],
  ["pt", "user's father", "condition=diabetes", "Saúde de pai de User: diabetes"],
  ["it", "user's boyfriend", "diet=vegan", "Dieta di fidanzato di User: vegana"],
  ["fr", "user's father", "employment=retired", "Emploi de père de User : à la retraite"],
  ["fr", "user's relative", "lives_in=Lyon", "User's relative habite à Lyon"],
  ["de", "user's friend", "lives_in=Kiel", "Freund oder Freundin von User wohnt in Kiel"],
  ["pt", "user", "likes=single", "User gosta de single"],
  ["es", "user's partner's mother", "lives_in=Lima", "Madre de pareja de User vive en Lima"],
  ["fr", "user", "lives_in=Brest", "User habite à Brest"],
  ["de", "jan", "lives_in!=Kiel", "Nicht mehr: Jan wohnt in Kiel"],
];
for (const [language, subject, claim, text] of TEXTS) {
  Deno.test(`claimText() writes ${subject} ${claim} in ${language}: ${text}`, () => {
    const [, attribute = "", ended, value = ""] = /^(\w+)(!?)=(.+)$/.exec(claim)!;
    const op = ended ? "end" : "assert";
    strictEqual(claimText({ subject, attribute, value, op }, language), text);
  });
}

Deno.test("foreignAttribute() knows the attribute of each relation", () => {
  for (const language of LANGUAGES) {
    for (const word of foreignRelationWords(language)) {
      const relation = foreignRelation(word, language, false)!;
      ok(relation === "relative" || relationAttribute(relation) !== null, relation);
    }
  }
});
