/** Tests the texts of memories that the rules write: what was said, about someone, in a sentence. */

import { deepStrictEqual } from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";

const DATE = "2026-03-18T09:00:00.000Z";

const TEXTS: readonly (readonly [said: string, memories: readonly string[]])[] = [
  // Denials that correct nothing.
  ["My sister Pilar speaks Galician and Spanish but not a word of English.", [
    "User's sister Pilar speaks Galician and Spanish but not a word of English",
  ]],
  ["I own a Škoda, not theirs. My wife has a Dacia.", [
    "User owns a Škoda, not theirs",
    "User's wife has a Dacia",
  ]],
  // Contractions without an apostrophe.
  ["asking bc im getting a tattoo on Saturday", [
    "Asking because User is getting a tattoo on Saturday",
  ]],
  ["my uncle wont drive on motorways", ["User's uncle will not drive on motorways"]],
  ["My cousin Kerensa's just turned eleven.", ["User's cousin Kerensa has just turned eleven"]],
  ["I use Ubuntu since the nephew got to it.", ["User uses Ubuntu since the nephew got to it"]],
  // Words at the front that aren't an adverbial.
  ["At work everyone has a Mac, I use Linux.", ["User uses Linux"]],
  ["By the time I'm fifty I want to write a book about Ghent.", [
    "By the time User is fifty they want to write a book about Ghent",
  ]],
  ["Three weeks ago I joined Bosch.", ["User joined Bosch three weeks ago"]],
  // A letter that isn't an initial.
  ["The form has an X. My sister Ana lives in Ghent.", ["User's sister Ana lives in Ghent"]],
  // A possessive isn't a part of the name.
  [
    "It's for my friend Agnieszka's. She lives in Stroud.",
    ["User's friend is Agnieszka", "Agnieszka lives in Stroud"],
  ],
  // Verbs behind the user.
  ["The boys' father and I do one week each.", ["The boys' father and User do one week each"]],
  [
    "I put Fedora on it because Jarek dared me to.",
    ["User put Fedora on it because Jarek dared them to"],
  ],
  [
    "I read history at Bangor and came out with a BA.",
    ["User read history at Bangor and came out with a BA"],
  ],
  ["we been living in Ghent since 2020", ["User has been living in Ghent since 2020"]],
  // Texts without claims that can't be read without the message.
  ["He turned eighty yesterday and still chops my wood.", []],
  ["Pebbles, lids, my guitar picks.", []],
  // Subjects that are left out.
  [
    "From August my parents-in-law take the children on Mondays.",
    ["User's parents-in-law take the children on Mondays from August"],
  ],
  ["Rodel, a gentleman.", []],
  // A front before several parts.
  [
    "Every January I say the same thing, and my sister laughs.",
    ["Every January, User says the same thing, and their sister laughs"],
  ],
  [
    "Ever since he sold my bike I walk to work.",
    ["Ever since he sold User's bike they walk to work"],
  ],
  ["But I teach chemistry at a school.", ["User teaches chemistry at a school"]],
  [
    "Zumba was my thing and I quit it last year.",
    ["Zumba was User's thing and they quit it last year"],
  ],
  // No one of the user's.
  ["She was employed as a bakery supervisor. She has three children.", []],
  ["My friend has a sticker of a frog. He is on probation.", [
    "User's friend has a sticker of a frog",
    "User's friend is on probation",
  ]],
  // Words that look like others.
  ["we r moving to Ghent in May", ["User is moving to Ghent in May"]],
  [
    "I am vegan since I lived over a butcher's in Cardiff.",
    ["User is vegan since they lived over a butcher's in Cardiff"],
  ],
  ["Not a name is left in my book.", []],
  ["Deke, my oldest buddy, bought the boat.", ["User's oldest buddy Deke bought the boat"]],
  [
    "My favourite month's January: quiet, and nobody rings.",
    ["User's favourite month is January: quiet, and nobody rings"],
  ],
];
for (const [said, memories] of TEXTS) {
  Deno.test(`factsOf() writes the memory of: ${said}`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: null,
      requestTime: DATE,
    });
    deepStrictEqual(facts.map(({ memory }) => memory), memories);
  });
}
