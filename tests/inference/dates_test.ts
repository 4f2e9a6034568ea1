/** Tests date phrases: the instant each one refers to, and the direction implied by the tense. */
import assert from "node:assert/strict";
import { tenseOf, validityOf } from "../../src/inference/builtin/dates/validity.ts";

const ANCHOR = Date.parse("2026-03-18T09:00:00.000Z"); // a Wednesday

const EVENTS: readonly (readonly [string, string])[] = [
  ["I went to the dentist yesterday", "2026-03-17"],
  ["I finished it last night", "2026-03-17"],
  ["I leave tomorrow", "2026-03-19"],
  ["I moved two weeks ago", "2026-03-04"],
  ["I passed my test a few days ago", "2026-03-15"],
  ["I left a couple of months ago", "2026-01-18"],
  ["I broke my ankle three months ago", "2025-12-18"],
  ["I must pay in three days", "2026-03-21"],
  ["I gave a talk last Friday", "2026-03-13"],
  ["I joined a choir last Tues", "2026-03-17"],
  ["I fly to Oslo next Fri", "2026-03-27"],
  ["I ran a race on Sunday", "2026-03-15"],
  ["I am flying to Oslo on Saturday", "2026-03-21"],
  ["I start next Monday", "2026-03-23"],
  ["I bought it last week", "2026-03-09"],
  ["I met her last weekend", "2026-03-14"],
  ["I will see her this weekend", "2026-03-21"],
  ["I moved last month", "2026-02-01"],
  ["I will renovate next month", "2026-04-01"],
  ["I will adopt a dog this summer", "2026-06-01"],
  ["I was there last summer", "2025-06-01"],
  ["I visited Kyoto in October", "2025-10-01"],
  ["I am moving in August", "2026-08-01"],
  ["I got married on 8 October 2016", "2016-10-08"],
  ["I need to renew it by June 5th", "2026-06-05"],
  ["I moved to Oslo in May 2019", "2019-05-01"],
  ["I graduated in 2011", "2011-01-01"],
  ["I turned forty last year", "2025-01-01"],
];
for (const [text, day] of EVENTS) {
  Deno.test(`validityOf() resolves the date in: ${text}`, () => {
    assert.equal(validityOf(text, ANCHOR, null, false).event_date?.slice(0, 10), day);
  });
}

Deno.test('validityOf() starts validity at "since" and ends it at "until", without an event date', () => {
  assert.deepEqual(validityOf("I have lived here since 2019", ANCHOR, null, true), {
    event_date: null,
    valid_from: "2019-01-01T00:00:00.000Z",
    valid_to: null,
  });
  assert.equal(
    validityOf("I work here until June", ANCHOR, null, true).valid_to,
    "2026-06-01T00:00:00.000Z",
  );
  const range = validityOf("I lived in Tromsø from 2015 to 2019", ANCHOR, null, true);
  assert.deepEqual([range.valid_from, range.valid_to], [
    "2015-01-01T00:00:00.000Z",
    "2019-01-01T00:00:00.000Z",
  ]);
});

Deno.test('validityOf() counts "for N years" back from the anchor only in the perfect tense', () => {
  assert.equal(
    validityOf("I have been doing aikido for six years", ANCHOR, null, true).valid_from,
    "2020-03-18T00:00:00.000Z",
  );
  assert.equal(validityOf("I lived in Rome for six years", ANCHOR, null, true).valid_from, null);
});

Deno.test("validityOf() starts a dated change of state on its date", () => {
  assert.equal(
    validityOf("I moved to Porto last month", ANCHOR, null, true).valid_from,
    "2026-02-01T00:00:00.000Z",
  );
});

Deno.test("validityOf() uses a clock time only together with a day", () => {
  assert.equal(
    validityOf("I have a call tomorrow at 15:00", ANCHOR, null, false).event_date,
    "2026-03-19T15:00:00.000Z",
  );
  assert.equal(validityOf("I get up at 5:30", ANCHOR, null, false).event_date, null);
});

Deno.test("validityOf() uses the date of the request if there is no phrase", () => {
  assert.equal(
    validityOf("I like jazz", ANCHOR, "2026-03-18T09:00:00.000Z", false).event_date,
    "2026-03-18T09:00:00.000Z",
  );
});

Deno.test("tenseOf() uses the first verb that shows a tense", () => {
  assert.equal(tenseOf("I went to Rome"), "past");
  assert.equal(tenseOf("I am going to Rome"), "future");
  assert.equal(tenseOf("My sister turns 30"), "future");
});

Deno.test("validityOf() returns no date outside the timestamp range", () => {
  for (
    const text of [
      "I will be there in 9000 years",
      "I moved 5000 years ago",
      "I have lived here for 3000 years",
      "I need to call in 999999999999 years",
    ]
  ) {
    assert.deepEqual(validityOf(text, ANCHOR, null, true), {
      event_date: null,
      valid_from: null,
      valid_to: null,
    }, text);
  }
  const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T00:00:00Z")];
  assert.equal(validityOf("I moved yesterday", first, null, true).valid_from, null);
  assert.equal(validityOf("I leave tomorrow", last, null, false).event_date, null);
});

Deno.test("validityOf() doesn't shift years in the first century to the twentieth", () => {
  const anchor = Date.parse("0050-03-18T00:00:00Z");
  for (
    const [text, day] of [
      ["I moved last year", "0049-01-01"],
      ["I moved last month", "0050-02-01"],
      ["I moved two months ago", "0050-01-18"],
    ] as const
  ) {
    assert.equal(validityOf(text, anchor, null, false).event_date?.slice(0, 10), day);
  }
});

Deno.test("validityOf() ignores impossible days, including their parts", () => {
  for (
    const text of [
      "I went to the zoo on 30 February",
      "I went to the zoo on February 30, 2024",
      "I met her on the 31st of November",
      "I paid on 2026-02-29",
      "I paid on 31/04/2025",
      "I leave on the 32nd",
    ]
  ) assert.equal(validityOf(text, ANCHOR, null, false).event_date, null, text);
});

Deno.test("validityOf() uses the nearest month or year that includes the day", () => {
  for (
    const [text, day] of [
      ["I was born on 29 February", "2024-02-29"],
      ["I will celebrate on 29 February", "2028-02-29"],
      ["I paid on the 31st", "2026-01-31"],
      ["I must pay on the 31st", "2026-03-31"],
    ] as const
  ) assert.equal(validityOf(text, ANCHOR, null, false).event_date?.slice(0, 10), day, text);
});

Deno.test("validityOf() puts the date that something was booked for in the future", () => {
  assert.equal(
    validityOf("I booked a cottage for August", ANCHOR, null, false).event_date?.slice(0, 10),
    "2026-08-01",
  );
});

Deno.test('validityOf() places the start of "as of" a date in the past', () => {
  assert.equal(
    validityOf("I live in Bruges as of 1 March", ANCHOR, null, true).valid_from?.slice(0, 10),
    "2026-03-01",
  );
});

Deno.test("validityOf() puts what was arranged ahead, and what was done before now", () => {
  for (
    const [text, day] of [
      ["I have booked a table for our anniversary on 14 June", "2026-06-14"],
      ["I have just signed up for a half marathon in August", "2026-08-01"],
      ["I have been invited to Noor's wedding on 5 July", "2026-07-05"],
      ["I have been asked to speak at a conference on 9 September", "2026-09-09"],
      ["I have been to Rome in May", "2025-05-01"],
      ["I have been promoted in January", "2026-01-01"],
      ["I have booked it last week", "2026-03-09"],
    ] as const
  ) assert.equal(validityOf(text, ANCHOR, null, false).event_date?.slice(0, 10), day, text);
});

Deno.test("validityOf() doesn't date a habit on a weekday", () => {
  for (const text of ["I swim on Saturday mornings", "I play cards Friday nights"]) {
    assert.equal(validityOf(text, ANCHOR, null, true).event_date, null, text);
  }
});

Deno.test("validityOf() starts validity on the date of a change to come", () => {
  for (
    const [text, day] of [
      ["I am studying physics at ETH from September", "2026-09-01"],
      ["I start at Siemens on Monday", "2026-03-23"],
      ["I am joining Bosch in May", "2026-05-01"],
      ["I flew from Rome on Monday", undefined],
      ["I work from Monday to Friday", undefined],
    ] as const
  ) assert.equal(validityOf(text, ANCHOR, null, true).valid_from?.slice(0, 10), day, text);
});

Deno.test("validityOf() returns no event date after the end of validity", () => {
  const text = "I am starting at Bosch next month, still at Siemens till the end of March";
  assert.deepEqual(validityOf(text, ANCHOR, null, true), {
    event_date: null,
    valid_from: null,
    valid_to: "2026-03-31T00:00:00.000Z",
  });
});
