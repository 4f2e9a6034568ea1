/** What state says at any time, from claims in any order. */
import assert from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import { isValidAt, stateAt, type StateClaim, stateHistory } from "../../src/derived/state.ts";

const day = (n: number) => `2026-01-${String(n).padStart(2, "0")}T00:00:00.000Z`;
let serial = 0;
const claim = (value: string, from: number, more: Partial<StateClaim> = {}): StateClaim => ({
  subject: "user",
  attribute: "lives_in",
  value,
  op: "assert",
  source_id: `mem_${serial++}`,
  valid_from: day(from),
  valid_to: null,
  event_date: null,
  created_at: day(from),
  ...more,
});
const rules = (single: boolean) => ({
  single,
  comparable: (text: string) => text.toLowerCase(),
  identify: (parts: readonly string[]) => `state_${parts.join("|")}`,
});
const history = (claims: readonly StateClaim[], single = true) =>
  stateHistory(claims, rules(single));
const spans = (claims: readonly StateClaim[], single = true) =>
  history(claims, single).map((
    one,
  ) => [one.value, one.valid_from?.slice(8, 10) ?? null, one.valid_to?.slice(8, 10) ?? null]);

Deno.test("state: a later value supersedes the earlier one of a single-valued attribute", () => {
  const records = history([claim("Porto", 1), claim("Berlin", 5)]);
  assert.deepEqual(records.map((one) => [one.value, one.valid_to, one.superseded_by]), [[
    "Porto",
    day(5),
    records[1]!.id,
  ], ["Berlin", null, null]]);
});

Deno.test("state: values of a multi-valued attribute live side by side", () => {
  assert.deepEqual(spans([claim("French", 1), claim("Dutch", 5)], false), [["French", "01", null], [
    "Dutch",
    "05",
    null,
  ]]);
});

Deno.test("state: as_of looks up the value that held then", () => {
  const records = history([claim("Porto", 1), claim("Berlin", 5)]);
  assert.equal(stateAt(records, day(3))?.value, "Porto");
  assert.equal(stateAt(records, day(5))?.value, "Berlin");
  assert.equal(stateAt(records, "2025-12-31T00:00:00.000Z"), null);
});

Deno.test("state: an end closes the value and leaves nothing in force", () => {
  const records = history([claim("Porto", 1), claim("porto", 6, { op: "end" })]);
  assert.deepEqual(records.map((one) => [one.value, one.valid_to]), [["Porto", day(6)]]);
  assert.equal(stateAt(records, day(7)), null);
});

Deno.test("state: an end without a value before it is history", () => {
  assert.deepEqual(spans([claim("Nokia", 6, { op: "end" })], false), [["Nokia", null, "06"]]);
});

Deno.test("state: an end that was contradicted from the start closes nothing", () => {
  const never = claim("Porto", 6, { op: "end", valid_to: day(6) });
  assert.deepEqual(spans([claim("Porto", 1), never]), [["Porto", "01", null]]);
});

Deno.test("state: an end of another value closes nothing", () => {
  assert.deepEqual(spans([claim("Porto", 1), claim("Rome", 6, { op: "end" })])[1], [
    "Porto",
    "01",
    null,
  ]);
});

Deno.test("state: the same value again is one record with both sources", () => {
  const records = history([
    claim("Porto", 1, { source_id: "mem_a" }),
    claim("porto", 4, { source_id: "mem_b" }),
  ]);
  assert.deepEqual(records.map((one) => one.source_ids), [["mem_a", "mem_b"]]);
});

Deno.test("state: a value that comes back is a record of its own", () => {
  assert.deepEqual(spans([claim("Porto", 1), claim("Berlin", 3), claim("Porto", 7)]), [
    ["Porto", "01", "03"],
    ["Berlin", "03", "07"],
    ["Porto", "07", null],
  ]);
});

Deno.test("state: time is valid_from, else the event's date, else when it was written", () => {
  const undated = claim("Porto", 9, { valid_from: null });
  const event = claim("Berlin", 9, { valid_from: null, event_date: day(2) });
  assert.deepEqual(spans([undated, event]), [["Berlin", "02", "09"], ["Porto", "09", null]]);
});

Deno.test("state: a memory's own end bounds its value", () => {
  assert.deepEqual(spans([claim("Porto", 1, { valid_to: day(4) })]), [["Porto", "01", "04"]]);
});

Deno.test("state: what was over before it was told has an end, and no start that anybody told", () => {
  const told = { valid_from: null, event_date: day(20), valid_to: day(4) };
  assert.deepEqual(spans([claim("Porto", 20, told)]), [["Porto", null, "04"]]);
});

const claims = fc.array(
  fc.record({
    value: fc.constantFrom("Porto", "Berlin", "Rome"),
    from: fc.integer({ min: 1, max: 28 }),
    op: fc.constantFrom<"assert" | "end">("assert", "assert", "end"),
    to: fc.option(fc.integer({ min: 1, max: 28 }), { nil: null }),
  }),
  { maxLength: 12 },
).map((list) =>
  list.map((one, i) =>
    claim(one.value, one.from, {
      op: one.op,
      source_id: `mem_${i}`,
      valid_to: one.to !== null && one.to > one.from ? day(one.to) : null,
    })
  )
);

Deno.test("state: the order in which claims are read never matters", () => {
  fc.assert(
    fc.property(
      claims,
      fc.boolean(),
      (list, single) =>
        assert.deepEqual(history([...list].reverse(), single), history(list, single)),
    ),
  );
});

Deno.test("state: a single-valued attribute has one value at a time, and every record a source", () => {
  fc.assert(fc.property(claims, fc.integer({ min: 1, max: 28 }), (list, n) => {
    const records = history(list);
    assert.ok(records.filter((one) => isValidAt(one, day(n))).length <= 1);
    assert.ok(records.every((one) => one.source_ids.length > 0));
  }));
});
