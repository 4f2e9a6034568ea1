/**
 * Processes inferred adds in any order, with and without dates, and checks that the latest
 * statement wins.
 */

import { deepStrictEqual } from "node:assert/strict";
import type { Actor } from "../../src/contract/endpoint.ts";
import { isValidAt, stateHistory } from "../../src/derived/state.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { comparable, isSingleValued } from "../../src/inference/vocabulary.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import { claimsOfSlot } from "../../src/memories/claims/claims.ts";
import {
  closeServices,
  openServices,
  runTaskInProcess,
  type Services,
} from "../../src/server/services.ts";
import { fc } from "../../testing/fast_check.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { completion, type ProviderReply, withProvider } from "./provider.ts";

interface Statement {
  readonly attribute: string;
  readonly value: string;
  readonly ends: boolean;
  /** A different date per statement, or null for none. */
  readonly date: string | null;
}

const statement = fc.record({
  value: fc.constantFrom("Porto", "Porto", "Lisbon"),
  ends: fc.boolean(),
  isDated: fc.boolean(),
});

/** Generates statements and a processing order. */
const story = fc.integer({ min: 2, max: 6 }).chain((count) => {
  const attribute = fc.constantFrom("lives_in", "likes");
  const indexes = Array.from({ length: count }, (_, index) => index);
  const shuffled = fc.shuffledSubarray(indexes, { minLength: count });
  const all = fc.array(statement, { minLength: count, maxLength: count });
  return fc.tuple(attribute, all, shuffled, shuffled).map(([attribute, all, months, order]) => ({
    attribute,
    statements: all.map(({ isDated, ...rest }, index): Statement => ({
      ...rest,
      attribute,
      date: isDated ? `2026-0${months[index]! + 1}-01T00:00:00.000Z` : null,
    })),
    order,
  }));
});

const textOf = ({ attribute, value, ends }: Statement) =>
  `User ${ends ? "no longer " : ""}${attribute} ${value}`;

function responseFor(statement: Statement): ProviderReply {
  const { attribute, value, ends } = statement;
  const claim = { subject: "user", attribute, value };
  const claims = [{ ...claim, op: ends ? "end" : "assert" }];
  const dates = { event_date: null, valid_from: null, valid_to: null };
  const fact = { memory: textOf(statement), memory_type: "fact", ...dates, claims, source: 0 };
  return completion(JSON.stringify({ facts: [fact] }));
}

/** Returns the expected values: dated statements apply in date order, then the undated ones. */
function expectedValues(statements: readonly Statement[]): string[] {
  const dated = statements.filter(({ date }) => date !== null).sort((a, b) =>
    a.date! < b.date! ? -1 : 1
  );
  const values = new Set<string>();
  for (const { attribute, value, ends } of [...dated, ...statements.filter(({ date }) => !date)]) {
    if (!ends && isSingleValued(attribute)) values.clear();
    if (ends) values.delete(value);
    else values.add(value);
  }
  return [...values].sort();
}

/** Returns the values asserted by active memories, and those returned by state. */
async function actualValues(
  { appContext: { store, clock } }: Services,
  actor: Actor,
  user_id: string,
  attribute: string,
) {
  const slot = { subject_key: "user", attribute };
  const claims = await store.read((db) => claimsOfSlot(db, actor.project, { user_id }, slot));
  const history = stateHistory(
    claims.map((claim) => ({ ...claim, source_id: claim.memory_id })),
    { single: isSingleValued(attribute), comparable, identify: (parts) => parts.join() },
  );
  const now = timestamp(clock.now());
  const asserted = claims.filter(({ op, valid_to }) => op === "assert" && valid_to === null);
  return [asserted, history.filter((record) => isValidAt(record, now))].map((list) =>
    [...new Set(list.map(({ value }) => value))].sort()
  );
}

Deno.test("inference keeps the values from the latest statements in any order of processing", async () => {
  let reply: ProviderReply;
  await withProvider(() => reply, async (inference) => {
    const directory = makeTempDirSync();
    const services = await openServices(directory, {
      embedder: NO_EMBEDDER,
      searchMemoryBytes: 0,
      inference,
    });
    const { memories, appContext: { store, clock } } = services;
    /** Waits for the next millisecond, so that no two statements or changes share a timestamp. */
    const tick = () => {
      for (const now = clock.now(); clock.now() === now;);
    };
    let users = 0;
    try {
      const { id: projectId } = await store.write(
        "maintenance",
        (tx) => services.projects.create(tx, "default"),
      );
      const actor = { project: 1, projectId, requestId: "req_1" };
      await fc.assert(
        fc.asyncProperty(story, async ({ attribute, statements, order }) => {
          const user_id = `user ${++users}`;
          const ids: string[] = [];
          for (const statement of statements) {
            const event_date = statement.date === null ? {} : { event_date: statement.date };
            const body = { content: textOf(statement), infer: true, user_id, ...event_date };
            ids.push(
              await store.write("maintenance", (tx) => memories.enqueueInference(tx, actor, body)),
            );
            tick();
          }
          for (const index of order) {
            reply = responseFor(statements[index]!);
            await runTaskInProcess(services, actor.project, ids[index]!);
            tick();
          }
          const expected = expectedValues(statements);
          deepStrictEqual(await actualValues(services, actor, user_id, attribute), [
            expected,
            expected,
          ]);
        }),
        { numRuns: 100 },
      );
    } finally {
      await closeServices(services);
      await rm(directory);
    }
  });
});
