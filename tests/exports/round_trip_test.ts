/** An export, imported elsewhere, equals the original in every field. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { datedId } from "../../src/kernel/ids.ts";
import { MEMORY_TYPES } from "../../src/memories/schema.ts";
import { withServer } from "../../testing/harness.ts";
import { importFile } from "../imports/imports.ts";
import { currentRecords, exportFile } from "./exports.ts";

const MEMORIES = 150;

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((value) => /[^\p{White_Space}\ufeff]/u.test(value) && !value.includes("\0"));
const owner = fc.constantFrom(null, "ana", "ben");
const time = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const timeOrNull = fc.option(time, { nil: null });

/** Values that mem0 has in fields of its own, those that an import writes, and others like them. */
const metadata = fc.option(
  fc.record({
    categories: fc.oneof(
      fc.constant([]),
      fc.array(text),
      text,
      fc.integer(),
      fc.constant({ a: 1 }),
    ),
    app_id: fc.oneof(text, fc.integer(), fc.constant(null)),
    expiration_date: fc.oneof(fc.constant("2031-01-01"), time, text, fc.integer()),
    source: fc.oneof(text, fc.constant({ system: "mem0", id: "7" }), fc.constant({ page: 3 })),
    imported_from: text,
    other: fc.jsonValue({ maxDepth: 2, noUnicodeString: true }),
  }, { requiredKeys: [] }),
  { nil: null },
);

const memory = fc.record({
  content: text,
  memory_type: fc.constantFrom(...MEMORY_TYPES),
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  user_id: owner,
  agent_id: owner,
  run_id: owner,
  metadata,
  created_at: time,
  updated_at: time,
  event_date: timeOrNull,
  valid_from: timeOrNull,
  valid_to: timeOrNull,
}).filter(({ user_id, agent_id, run_id }) => (user_id ?? agent_id ?? run_id) !== null);

for (const format of ["mem0", "jsonl"]) {
  Deno.test(`POST /v1/exports/${format}, imported elsewhere, equals the original in every field`, async () => {
    const memories = fc.sample(memory, { numRuns: MEMORIES, seed: 24 })
      .map((fields, n) => ({
        id: datedId("mem", Date.parse(fields.created_at), `${n}`),
        ...fields,
      }));
    await withServer(async (server) => {
      const lines = memories.map((fields) => JSON.stringify(fields)).join("\n");
      const added = await importFile(server.call, "jsonl", lines);
      strictEqual(added.memories.added, MEMORIES, JSON.stringify(added));
      const original = await currentRecords(server.call);
      const archive = await exportFile(server, format);
      await withServer(async (other) => {
        const copied = await importFile(other.call, format, archive);
        deepStrictEqual([copied.set_aside.count, copied.cut], [0, {}]);
        deepStrictEqual(await currentRecords(other.call), original);
      });
    });
  });
}

Deno.test("POST /v1/exports/mem0 has a superseded memory's end apart from its expiration date", async () => {
  await withServer(async ({ call }) => {
    // The file of an export before its items had valid_to.
    const old = {
      memory: "Lived in Lisbon",
      user_id: "ana",
      expiration_date: "2024-05-01T00:00:00Z",
    };
    await importFile(call, "mem0", JSON.stringify([{ id: "1", ...old }]));
    const { memories: [{ valid_to, metadata }] } = await currentRecords(call);
    deepStrictEqual([valid_to, metadata.expiration_date], [
      "2024-05-01T00:00:00.000Z",
      "2024-05-01",
    ]);
  });
});
