/** Queries over the memories of a scope, on both engines: which owner's index they use changes nothing. */

import { deepStrictEqual, ok } from "node:assert/strict";
import sql from "sql-template-tag";
import type { Scope } from "../../src/contract/fields.ts";
import { claimsOfPage, claimsOfSlot, memoriesOfSlots } from "../../src/memories/claims/claims.ts";
import {
  activeMemories,
  countInScope,
  listMemories,
  memoriesInScope,
  supersededBy,
} from "../../src/memories/repository.ts";
import type { MemoryRow } from "../../src/memories/row.ts";
import { scopePages } from "../../src/memories/scope_pages.ts";
import { countAddedRows } from "../../src/memories/scope_counters.ts";
import type { Store } from "../../src/store/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { testStores } from "../store/engines.ts";

const MEMORIES = 60;
const AT = "2026-01-01T00:00:00.000Z";
const OWNERS = {
  user_id: ["ana", "ben", null],
  agent_id: ["bot", "bot", null],
  run_id: ["r1", "r2", null],
} as const;
const ATTRIBUTES = ["lives_in", "lives_in", "works_at"] as const;

type Owned = Readonly<Record<keyof typeof OWNERS, string | null>>;

interface Added extends Owned {
  readonly project: number;
  readonly id: string;
  readonly attribute: string;
  readonly successor: string | null;
}

function randomOwners(random: SeededRandom): Owned {
  return {
    user_id: random.pick(OWNERS.user_id) ?? null,
    agent_id: random.pick(OWNERS.agent_id) ?? null,
    run_id: random.pick(OWNERS.run_id) ?? null,
  };
}

/** Adds memories with a claim each to two projects with the same owners. */
async function addMemories(store: Store, random: SeededRandom): Promise<Added[]> {
  const added: Added[] = [];
  for (let n = 0; n < MEMORIES; n++) {
    const project = 1 + random.below(2);
    const owners = n === 0
      ? { user_id: "ana", agent_id: "bot", run_id: null }
      : randomOwners(random);
    if (Object.values(owners).every((owner) => owner === null)) continue;
    const previous = added.find((memory) =>
      memory.project === project && JSON.stringify(memoryOwners(memory)) === JSON.stringify(owners)
    );
    added.push({
      ...owners,
      project,
      id: `mem_${n.toString().padStart(2, "0")}`,
      attribute: random.pick(ATTRIBUTES)!,
      successor: previous?.id ?? null,
    });
  }
  await store.write("rows", async (tx) => {
    for (const project of [1, 2]) {
      await tx.run(sql`insert into projects (number, id, name, created_at)
        values (${project}, ${`p${project}`}, ${`p${project}`}, '')`);
      const rows = added.filter((memory) => memory.project === project);
      countAddedRows(tx, project, rows.map((row) => ({ ...row, created_at: AT, updated_at: AT })));
    }
    for (const [index, memory] of added.entries()) {
      const { project, id, user_id, agent_id, run_id, attribute, successor } = memory;
      const validTo = successor === null ? null : AT;
      await tx.run(sql`insert into memories (seq, project, id, user_id, agent_id, run_id,
        memory_type, importance, created_at, updated_at, valid_to, terms, memory)
        values (${index + 1}, ${project}, ${id}, ${user_id}, ${agent_id}, ${run_id},
        'fact', 0.5, ${AT}, ${AT}, ${validTo}, ${new Uint8Array()}, ${id})`);
      await tx.run(sql`insert into memory_claims
        (project, memory_id, position, subject, subject_key, attribute, value, op, origin)
        values (${project}, ${id}, 0, 'user', 'user', ${attribute}, ${id}, 'assert', 'text')`);
      if (successor === null) continue;
      const changes = JSON.stringify({ superseded_by: { from: null, to: successor } });
      await tx.run(sql`insert into memory_history
        (project, id, memory_id, event, changes, source, created_at)
        values (${project}, ${`h_${id}`}, ${id}, 'INVALIDATE', ${changes}, '{}', ${AT})`);
    }
  });
  return added;
}

function memoryOwners({ user_id, agent_id, run_id }: Owned): Owned {
  return { user_id, agent_id, run_id };
}

testStores("Queries over a scope return its memories, and no others", async (store) => {
  const random = new SeededRandom(20_727);
  const added = await addMemories(store, random);
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
  let compared = 0;
  for (let round = 0; round < 60; round++) {
    const owners = randomOwners(random);
    const entries = Object.entries(owners).filter(([, owner]) => owner !== null);
    const scope: Scope = Object.fromEntries(entries);
    const project = 1 + random.below(2);
    const inProject = added.filter((memory) => memory.project === project);
    const expected = inProject.filter((memory) =>
      entries.every(([key, owner]) => memory[key as keyof Owned] === owner)
    );
    const slot = { subject_key: "user", attribute: random.pick(ATTRIBUTES)! };
    compared += expected.length;
    await store.read(async (db) => {
      deepStrictEqual(ids(await memoriesInScope(db, project, scope)), ids(expected));
      deepStrictEqual(ids(await listMemories(db, project, scope, null, 100)), ids(expected));
      deepStrictEqual(await countInScope(db, project, scope), expected.length);
      const claimed = (rows: readonly { readonly memory_id: string }[]) =>
        rows.map(({ memory_id }) => memory_id).sort();
      for await (const page of scopePages(db, project, scope)) {
        deepStrictEqual(claimed(await claimsOfPage(db, page)), ids(expected));
      }
      const ofSlot = ids(expected.filter(({ attribute }) => attribute === slot.attribute));
      deepStrictEqual(claimed(await claimsOfSlot(db, project, scope, slot)), ofSlot);
      const found = await memoriesOfSlots(db, project, scope, [slot]);
      ok(ofSlot.every((id) => found.has(id)));
      ok([...found].every((id) => inProject.some((memory) => memory.id === id)));
      const exact = expected.filter((memory) =>
        JSON.stringify(memoryOwners(memory)) === JSON.stringify(owners)
      );
      const active = exact.filter(({ successor }) => successor === null);
      for (const selection of [100, new Set(added.map(({ id }) => id))]) {
        deepStrictEqual(ids(await activeMemories(db, project, scope, AT, selection)), ids(active));
      }
      for (const { id } of active) {
        const memory = { id, ...owners } as MemoryRow;
        deepStrictEqual(
          (await supersededBy(db, project, memory)).sort(),
          ids(exact.filter(({ successor }) => successor === id)),
        );
      }
    });
  }
  ok(compared > MEMORIES);
});
