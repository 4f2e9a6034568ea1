/** Inferred adds read in any order, with dates and without: what was told last is what holds. */

import { deepStrictEqual } from "node:assert/strict";
import type { Actor } from "../../src/contract/endpoint.ts";
import { stateAt, stateHistory } from "../../src/derived/state.ts";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { comparable } from "../../src/inference/vocabulary.ts";
import { claimsInScope } from "../../src/memories/claims.ts";
import { closeHouse, type House, openHouse, runHere } from "../../src/server/house.ts";
import { fc } from "../properties.ts";
import { makeTempDirSync, rm } from "../temporary.ts";
import { completion, type ProviderReply, withProvider } from "./provider.ts";

interface Said {
  readonly value: string;
  readonly ends: boolean;
  /** A date of its own among those that are told; null for now. */
  readonly date: string | null;
}

const said = fc.record({
  value: fc.constantFrom("Porto", "Lisbon", "Braga"),
  ends: fc.nat(2).map((n) => n === 0),
  isDated: fc.boolean(),
});

/** What is told, and in which order it is read. */
const story = fc.integer({ min: 2, max: 5 }).chain((count) => {
  const places = Array.from({ length: count }, (_, place) => place);
  const shuffled = fc.shuffledSubarray(places, { minLength: count });
  return fc.tuple(fc.array(said, { minLength: count, maxLength: count }), shuffled, shuffled).map(
    ([all, months, read]) => ({
      says: all.map(({ isDated, ...each }, place): Said => ({
        ...each,
        date: isDated ? `2026-0${months[place]! + 1}-01T00:00:00.000Z` : null,
      })),
      read,
    }),
  );
});

const textOf = ({ value, ends }: Said) => `User ${ends ? "no longer lives" : "lives"} in ${value}`;

function answer(each: Said): ProviderReply {
  const claim = { subject: "user", attribute: "lives_in", value: each.value };
  const claims = [{ ...claim, op: each.ends ? "end" : "assert" }];
  const dates = { event_date: null, valid_from: null, valid_to: null };
  const fact = { memory: textOf(each), memory_type: "fact", ...dates, claims, source: 0 };
  return completion(JSON.stringify({ facts: [fact] }));
}

/** What holds when all is told: those with a date in the order of their dates, then the others. */
function lastOf(says: readonly Said[]): string | null {
  const dated = says.filter(({ date }) => date !== null).sort((a, b) => a.date! < b.date! ? -1 : 1);
  const inOrder = [...dated, ...says.filter(({ date }) => date === null)];
  return inOrder.reduce<string | null>(
    (held, { value, ends }) => ends ? held === value ? null : held : value,
    null,
  );
}

/** The values that memories of a scope assert still, and the one that state has. */
async function heldOf({ foundation: { store, clock } }: House, actor: Actor, user_id: string) {
  const slot = { subject_key: "user", attribute: "lives_in" };
  const claims = await store.read((db) => claimsInScope(db, actor.project, { user_id }, slot));
  const asserted = claims.filter(({ op, valid_to }) => op === "assert" && valid_to === null);
  const history = stateHistory(
    claims.map((claim) => ({ ...claim, source_id: claim.memory_id })),
    { single: true, comparable, identify: (parts) => parts.join() },
  );
  const state = stateAt(history, new Date(clock.now()).toISOString())?.value ?? null;
  return { asserted: asserted.map(({ value }) => value), state };
}

Deno.test("what was told last holds, in whatever order it is read", async () => {
  let reply: ProviderReply;
  await withProvider(() => reply, async (inference) => {
    const directory = makeTempDirSync();
    const house = await openHouse(directory, {
      embedder: NO_EMBEDDER,
      searchMemoryBytes: 0,
      inference,
    });
    const { memories, foundation: { store, clock } } = house;
    /** Nothing is told, or read, in the same millisecond as something else. */
    const tick = () => {
      for (const now = clock.now(); clock.now() === now;);
    };
    let users = 0;
    try {
      const { id: projectId } = await store.write((tx) => house.projects.create(tx, "default"));
      const actor = { project: 1, projectId, requestId: "req_1" };
      await fc.assert(
        fc.asyncProperty(story, async ({ says, read }) => {
          const user_id = `user ${++users}`;
          const ids: string[] = [];
          for (const each of says) {
            const event_date = each.date === null ? {} : { event_date: each.date };
            const body = { content: textOf(each), infer: true, user_id, ...event_date };
            ids.push(await store.write((tx) => memories.addInferred(tx, actor, body)));
            tick();
          }
          for (const place of read) {
            reply = answer(says[place]!);
            await runHere(house, actor.project, ids[place]!);
            tick();
          }
          const last = lastOf(says);
          const asserted = last === null ? [] : [last];
          deepStrictEqual(await heldOf(house, actor, user_id), { asserted, state: last });
        }),
        { numRuns: 100 },
      );
    } finally {
      await closeHouse(house);
      await rm(directory);
    }
  });
});
