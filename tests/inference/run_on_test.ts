/** Tests that dictated sentences are read clause by clause, and long pasted ones aren't. */

import assert from "node:assert/strict";
import { factsOf } from "../../src/inference/builtin/engine.ts";
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { dictatedClauses } from "../../src/inference/builtin/message/run_on.ts";

const DATE = "2026-03-18T09:00:00.000Z";

const DICTATED = [
  {
    said: `so yeah it's been a crazy year and i moved back to Leeds in november after my dad got ill
      and i'm working at the royal infirmary now as a ward clerk which is fine but i miss teaching
      and the kids are good lily is 8 now and jack is 5 so we have to be careful with the school
      dinners and my sister Karen lives round the corner so she helps a lot and anyway the doctor
      put me on ramipril for my blood pressure because i had a funny turn in january and i've
      started swimming on tuesdays with my friend Donna and that's where we are at the moment`,
    claims: ["lives_in=Leeds", "sibling=Karen", "medication=ramipril", "friend=Donna"],
  },
  {
    said: `ok hi so i'm a junior dentist in Coventry and i've just bought a terraced house which
      needs everything doing and my boyfriend Marcus is a roofer so that helps but he's in Hull
      during the week, i really want to do the bathroom first because the shower leaks and the cat
      keeps sleeping in the bath, and i can't stand beige and i've got about four thousand pounds to
      spend, my mum thinks that the spring would be better but i'm impatient and the neighbours are
      already asking when all of the noise is going to end, what would you do first`,
    claims: ["job_title=junior dentist", "partner=Marcus", "dislikes=beige"],
  },
  {
    said:
      `right so basically i grew up in Tralee and we moved around a lot as my mam was a nurse and
      then i ended up in Bristol which i never planned but i met my wife Siobhan there and we have
      two dogs now and i'm allergic to one of them so that's fun and i've been taking antihistamines
      every morning and my brother Declan reckons that the house is too small for all of us and he
      isn't wrong but the rent is cheap and the landlord leaves us alone and i can walk to work in
      ten minutes which is worth an awful lot to me these days`,
    claims: ["from=Tralee", "spouse=Siobhan", "sibling=Declan"],
  },
  {
    said: `hi there so i'm a teaching assistant in Dundee and i've got two boys Callum and Ewan and
      they're both mad on football so every saturday we're at some pitch or other, i'm from Perth
      originally and my mum still lives there but my husband Gregor works for the council here so we
      stay and i don't mind that at all`,
    claims: ["job_title=teaching assistant", "child=Callum", "child=Ewan", "from=Perth"],
  },
].map(({ said, claims }) => ({ said: said.replace(/\s+/g, " "), claims }));

for (const { said, claims } of DICTATED) {
  Deno.test(`factsOf() reads a dictated sentence: ${said.slice(0, 40)} …`, async () => {
    const facts = await factsOf({
      messages: [{ role: "user", content: said }],
      eventDate: DATE,
      requestTime: DATE,
    }, { tagger: await openTagger("minilm", "native"), rules: true });
    const found = facts.flatMap((fact) =>
      fact.claims.map(({ attribute, value }) => `${attribute}=${value}`)
    );
    assert.deepEqual(claims.filter((claim) => !found.includes(claim)), []);
  });
}

for (
  const [what, said] of [
    ["a short sentence", "i live in Oslo and my dog barks and i love my garden"],
    [
      "a paper",
      `we included 482 patients who were treated between 2010 and 2019 and we excluded those with
      prior surgery and we performed a multivariate regression and our findings suggest that the
      intervention was associated with lower mortality and we believe that further trials are needed
      and my colleagues thank the nurses of the ward because their help was invaluable and the
      authors declare no conflict of interest and the data are available on reasonable request from
      the corresponding author, who wrote the protocol and who also chaired the steering committee`,
    ],
    [
      "a list",
      `I need ${"flour, eggs, milk, my mum's tin, rice, oats, salt, ".repeat(10)} and me`,
    ],
    [
      "a hypothesis",
      `imagine ${"i live in a castle and i have three dragons and my wife is a witch ".repeat(8)}`,
    ],
    [
      "a contract",
      `I hereby declare ${"that my statement is true and I confirm my consent to it ".repeat(10)}`,
    ],
    ["a text too long to be dictated", "and i live in Oslo and my dog barks ".repeat(300)],
  ] as const
) {
  Deno.test(`dictatedClauses() returns nothing of ${what}`, () => {
    assert.deepEqual(dictatedClauses(said.replace(/\s+/g, " ")), []);
  });
}

for (
  const [what, said, kept] of [
    [
      "reported",
      `so on monday i met this woman on the train from Reading and we talked about the weather and she
      said i live in paris and i work at google and i am allergic to nuts and my son is called Theo
      and Marta is at home now and i finally started my course in Leeds, that was all of it really`,
      [
        "so on monday i met this woman on the train from Reading",
        "we talked about the weather",
        "Marta is at home now",
        "i finally started my course in Leeds, that was all of it really",
      ],
    ],
    [
      "hypothetical",
      `so i was thinking about this on the bus and if i won the lottery i would move to rome and i have
      a yacht and my wife is called Bella and i drive a ferrari and i own three houses and the sun
      shines every single day and that is all there is to say about it for now and ever`,
      [
        "i was thinking about this on the bus and if i won the lottery i would move to rome",
        "the sun shines every single day and that is all there is to say about it for now and ever",
      ],
    ],
  ] as const
) {
  Deno.test(`dictatedClauses() leaves out what is ${what}`, () => {
    assert.deepEqual(dictatedClauses(said.replace(/\s+/g, " ")), kept);
  });
}

Deno.test("dictatedClauses() keeps what follows an order or a wish", () => {
  const said = `ok so the doctor told me to cut down on salt and i take ramipril every morning and i
    would love to go swimming again and my sister Karen lives in Leeds and i don't know if i can
    manage the stairs in her house but i'm going there in june for a week or maybe two`;
  const clauses = dictatedClauses(said.replace(/\s+/g, " "));
  assert.ok(clauses.includes("i take ramipril every morning"));
  assert.ok(clauses.includes("my sister Karen lives in Leeds"));
  assert.ok(clauses.some((clause) => clause.startsWith("i'm going there in june")));
});

Deno.test("dictatedClauses() keeps what follows a yes or a report about something", () => {
  const said =
    `so it was a lovely year really because i asked her to marry me and she said yes and i
    moved in with her in Porto and i work as a nurse there now and the hospital is close and i'm
    allergic to peanuts so she cooks and my boss told me about a course and i started it on Monday`;
  const clauses = dictatedClauses(said.replace(/\s+/g, " "));
  assert.ok(clauses.some((clause) => clause.startsWith("i work as a nurse there now")));
  assert.ok(clauses.some((clause) => clause.startsWith("i started it on Monday")));
});
