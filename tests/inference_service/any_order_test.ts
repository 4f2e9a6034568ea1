/** Inferred adds read in any order, with dates and without: what was told last is what holds. */

import { deepStrictEqual } from "node:assert/strict";
import type { Actor } from "../../src/contract/endpoint.ts";
import { isValidAt, stateHistory } from "../../src/derived/state.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { comparable, isSingleValued } from "../../src/inference/vocabulary.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import { claimsInScope } from "../../src/memories/claims.ts";
import {
  closeServices,
  openServices,
  runTaskInProcess,
  type Services,
} from "../../src/server/services.ts";
import { fc } from "../../testing/fast_check.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { completion, type ProviderReply, withProvider } from "./provider.ts";

interface Said {
  readonly attribute: string;
  readonly value: string;
  readonly ends: boolean;
  /** A date of its own among those that are told; null for now. */
  readonly date: string | null;
}

const said = fc.record({
  value: fc.constantFrom("Porto", "Porto", "Lisbon"),
  ends: fc.boolean(),
  isDated: fc.boolean(),
});

/** What is told, and in which order it is read. */
const story = fc.integer({ min: 2, max: 6 }).chain((count) => {
  const attribute = fc.constantFrom("lives_in", "likes");
  const places = Array.from({ length: count }, (_, place) => place);
  const shuffled = fc.shuffledSubarray(places, { minLength: count });
  const all = fc.array(said, { minLength: count, maxLength: count });
  return fc.tuple(attribute, all, shuffled, shuffled).map(([attribute, all, months, read]) => ({
    attribute,
    says: all.map(({ isDated, ...each }, place): Said => ({
      ...each,
      attribute,
      date: isDated ? `2026-0${months[place]! + 1}-01T00:00:00.000Z` : null,
    })),
    read,
  }));
});

const textOf = ({ attribute, value, ends }: Said) =>
  `User ${ends ? "no longer " : ""}${attribute} ${value}`;

function answer(each: Said): ProviderReply {
  const { attribute, value } = each;
  const claim = { subject: "user", attribute, value };
  const claims = [{ ...claim, op: each.ends ? "end" : "assert" }];
  const dates = { event_date: null, valid_from: null, valid_to: null };
  const fact = { memory: textOf(each), memory_type: "fact", ...dates, claims, source: 0 };
  return completion(JSON.stringify({ facts: [fact] }));
}

/** What holds when all is told: those with a date in the order of their dates, then the others. */
function lastOf(says: readonly Said[]): string[] {
  const dated = says.filter(({ date }) => date !== null).sort((a, b) => a.date! < b.date! ? -1 : 1);
  const held = new Set<string>();
  for (const { attribute, value, ends } of [...dated, ...says.filter((each) => !each.date)]) {
    if (!ends && isSingleValued(attribute)) held.clear();
    if (ends) held.delete(value);
    else held.add(value);
  }
  return [...held].sort();
}

/** The values that memories of a scope assert still, and those that state has. */
async function heldOf(
  { appContext: { store, clock } }: Services,
  actor: Actor,
  user_id: string,
  attribute: string,
) {
  const slot = { subject_key: "user", attribute };
  const claims = await store.read((db) => claimsInScope(db, actor.project, { user_id }, slot));
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

Deno.test("what was told last holds, in whatever order it is read", async () => {
  let reply: ProviderReply;
  await withProvider(() => reply, async (inference) => {
    const directory = makeTempDirSync();
    const services = await openServices(directory, {
      embedder: NO_EMBEDDER,
      searchMemoryBytes: 0,
      inference,
    });
    const { memories, appContext: { store, clock } } = services;
    /** Nothing is told, or read, in the same millisecond as something else. */
    const tick = () => {
      for (const now = clock.now(); clock.now() === now;);
    };
    let users = 0;
    try {
      const { id: projectId } = await store.write((tx) => services.projects.create(tx, "default"));
      const actor = { project: 1, projectId, requestId: "req_1" };
      await fc.assert(
        fc.asyncProperty(story, async ({ attribute, says, read }) => {
          const user_id = `user ${++users}`;
          const ids: string[] = [];
          for (const each of says) {
            const event_date = each.date === null ? {} : { event_date: each.date };
            const body = { content: textOf(each), infer: true, user_id, ...event_date };
            ids.push(await store.write((tx) => memories.enqueueInference(tx, actor, body)));
            tick();
          }
          for (const place of read) {
            reply = answer(says[place]!);
            await runTaskInProcess(services, actor.project, ids[place]!);
            tick();
          }
          const last = lastOf(says);
          deepStrictEqual(await heldOf(services, actor, user_id, attribute), [last, last]);
        }),
        { numRuns: 100 },
      );
    } finally {
      await closeServices(services);
      await rm(directory);
    }
  });
});
