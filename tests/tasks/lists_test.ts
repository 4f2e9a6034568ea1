/** Task lists: every filter, page by page, compared with a sorted list. */

import { deepStrictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { timestamp } from "../../src/kernel/clock.ts";
import { listTasks, type TaskFilter } from "../../src/tasks/repository.ts";
import { TASK_KINDS, TASK_STATUSES } from "../../src/tasks/states.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { type QueueFixture, withQueue } from "./queue_fixture.ts";

const PAGE = 7;

/** Inserts tasks of all kinds and states, many of them with equal times, in no particular order. */
async function insertTasks(fixture: QueueFixture, random: SeededRandom) {
  const tasks = Array.from({ length: 200 }, (_, index) => ({
    id: `task_${random.below(1_000)}_${index}`,
    kind: random.pick(TASK_KINDS)!,
    status: random.pick(TASK_STATUSES)!,
    created_at: timestamp(random.below(20)),
  }));
  await fixture.store.write("maintenance", async (tx) => {
    for (const { id, kind, status, created_at } of tasks) {
      await tx.run(sql`insert into tasks
        (project, id, kind, status, max_attempts, payload, created_at, updated_at)
        values (1, ${id}, ${kind}, ${status}, 5, '{}', ${created_at}, ${created_at})`);
    }
    await tx.run(sql`insert into tasks
      (project, id, kind, status, max_attempts, payload, created_at, updated_at)
      values (2, 'task_other', 'export', 'success', 5, '{}', ${timestamp(0)}, ${timestamp(0)})`);
  });
  return tasks.sort((a, b) => `${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? 1 : -1);
}

async function listInPages({ store }: QueueFixture, filter: TaskFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let after: [string, string] | null = null;;) {
    const rows = await store.read((db) => listTasks(db, 1, filter, after, PAGE));
    ids.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return ids;
    after = [last.created_at, last.id];
  }
}

Deno.test("listTasks() returns the matching tasks, newest first, each on exactly one page", async () => {
  await withQueue(async (fixture) => {
    const random = new SeededRandom(1);
    const tasks = await insertTasks(fixture, random);
    const sample = <T>(all: readonly T[]) => all.filter(() => random.chance(0.3));
    const filters: TaskFilter[] = [{ kinds: [], statuses: [] }];
    while (filters.length < 20) {
      filters.push({ kinds: sample(TASK_KINDS), statuses: sample(TASK_STATUSES) });
    }
    for (const filter of filters) {
      const { kinds, statuses } = filter;
      const expected = tasks.filter(({ kind, status }) =>
        (kinds.length === 0 || kinds.includes(kind)) &&
        (statuses.length === 0 || statuses.includes(status))
      );
      deepStrictEqual(await listInPages(fixture, filter), expected.map(({ id }) => id));
    }
  });
});
