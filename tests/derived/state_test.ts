/** Tests for the state at any time, computed from claims in any order. */
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
    { value, valid_from, valid_to },
  ) => [value, valid_from?.slice(8, 10) ?? null, valid_to?.slice(8, 10) ?? null]);

Deno.test("stateHistory() supersedes the earlier value of a single-valued attribute", () => {
  const records = history([claim("Porto", 1), claim("Berlin", 5)]);
  assert.deepEqual(records.map((record) => [record.value, record.valid_to, record.superseded_by]), [
    [
      "Porto",
      day(5),
      records[1]!.id,
    ],
    ["Berlin", null, null],
  ]);
});

Deno.test("stateHistory() keeps all values of a multi-valued attribute", () => {
  assert.deepEqual(spans([claim("French", 1), claim("Dutch", 5)], false), [["French", "01", null], [
    "Dutch",
    "05",
    null,
  ]]);
});

Deno.test("stateAt() returns the value that is valid at the given instant", () => {
  const records = history([claim("Porto", 1), claim("Berlin", 5)]);
  assert.equal(stateAt(records, day(3))?.value, "Porto");
  assert.equal(stateAt(records, day(5))?.value, "Berlin");
  assert.equal(stateAt(records, "2025-12-31T00:00:00.000Z"), null);
});

Deno.test("stateHistory() ends a value at an end claim", () => {
  const records = history([claim("Porto", 1), claim("porto", 6, { op: "end" })]);
  assert.deepEqual(records.map(({ value, valid_to }) => [value, valid_to]), [["Porto", day(6)]]);
  assert.equal(stateAt(records, day(7)), null);
});

Deno.test("stateHistory() records an end claim without an earlier value as history", () => {
  assert.deepEqual(spans([claim("Nokia", 6, { op: "end" })], false), [["Nokia", null, "06"]]);
});

Deno.test("stateHistory() ignores an end claim that was contradicted from the start", () => {
  const contradicted = claim("Porto", 6, { op: "end", valid_to: day(6) });
  assert.deepEqual(spans([claim("Porto", 1), contradicted]), [["Porto", "01", null]]);
});

Deno.test("stateHistory() ignores an end claim for a different value", () => {
  assert.deepEqual(spans([claim("Porto", 1), claim("Rome", 6, { op: "end" })])[1], [
    "Porto",
    "01",
    null,
  ]);
});

Deno.test("stateHistory() merges claims with the same value into a single record with all sources", () => {
  const records = history([
    claim("Porto", 1, { source_id: "mem_a" }),
    claim("porto", 4, { source_id: "mem_b" }),
  ]);
  assert.deepEqual(records.map(({ source_ids }) => source_ids), [["mem_a", "mem_b"]]);
});

Deno.test("stateHistory() returns a separate record for a value that comes back later", () => {
  assert.deepEqual(spans([claim("Porto", 1), claim("Berlin", 3), claim("Porto", 7)]), [
    ["Porto", "01", "03"],
    ["Berlin", "03", "07"],
    ["Porto", "07", null],
  ]);
});

Deno.test("stateHistory() uses valid_from, then the event date, then the time of writing", () => {
  const undated = claim("Porto", 9, { valid_from: null });
  const event = claim("Berlin", 9, { valid_from: null, event_date: day(2) });
  assert.deepEqual(spans([undated, event]), [["Berlin", "02", "09"], ["Porto", "09", null]]);
});

Deno.test("stateHistory() ends a value at the valid_to date of its memory", () => {
  assert.deepEqual(spans([claim("Porto", 1, { valid_to: day(4) })]), [["Porto", "01", "04"]]);
});

Deno.test("stateHistory() returns no start for a value that ended before it was stated", () => {
  const past = { valid_from: null, event_date: day(20), valid_to: day(4) };
  assert.deepEqual(spans([claim("Porto", 20, past)]), [["Porto", null, "04"]]);
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
  list.map(({ value, from, op, to }, i) =>
    claim(value, from, {
      op,
      source_id: `mem_${i}`,
      valid_to: to !== null && to > from ? day(to) : null,
    })
  )
);

Deno.test("stateHistory() doesn't depend on the order of the claims", () => {
  fc.assert(
    fc.property(
      claims,
      fc.boolean(),
      (list, single) =>
        assert.deepEqual(history([...list].reverse(), single), history(list, single)),
    ),
  );
});

Deno.test("stateHistory() gives a single-valued attribute one value at a time, and every record a source", () => {
  fc.assert(fc.property(claims, fc.integer({ min: 1, max: 28 }), (list, n) => {
    const records = history(list);
    assert.ok(records.filter((record) => isValidAt(record, day(n))).length <= 1);
    assert.ok(records.every((record) => record.source_ids.length > 0));
  }));
});
