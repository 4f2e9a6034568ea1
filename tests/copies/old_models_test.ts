/** Removals of models from search copies, after they have been removed from the records. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { COPY_START } from "../../src/copies/feed.ts";
import { OpenCopies } from "../../src/copies/open_copies.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Number of vectors of each model. Too many for a batch of a removal. */
const VECTORS = 1_200;

/** Copies a project with the given models, whose ids are their numbers, and nothing else. */
async function applyModels(copies: OpenCopies, project: number, models: readonly number[]) {
  const batch = {
    position: COPY_START,
    more: false,
    entries: [],
    memories: [],
    ends: [],
    totals: [],
    documentTotals: undefined,
    heads: [],
    models: models.map((number) => ({
      ...{ number, id: String(number), dims: 2, position: 0 },
      serving: 1,
    })),
    vectors: [],
    accesses: [],
  };
  const state = { ...COPY_START, models: models.join(), usedAt: 0 };
  await copies.apply({ project, apply: batch, state });
}

/** Adds vectors of each model to a copy. */
function addVectors(database: DatabaseSync, project: number): void {
  database.exec(`insert into memories
      (seq, project, id, memory, memory_type, importance, created_at, updated_at, terms)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${VECTORS})
    select n, ${project}, 'mem_' || n, '', 'fact', 0.5, '', '', x'' from numbers;
    insert into vectors (project, model, kind, seq, vector)
    select project, number, 0, m.seq, x'00' from embedding_models, memories m order by number, m.seq;
    insert into vector_signs (project, model, kind, seq, signs)
    select project, number, 0, m.seq, x'00' from embedding_models, memories m order by number, m.seq`);
}

/** Returns how many vectors each model in a copy has. */
function countVectors(database: DatabaseSync) {
  return database.prepare(`select id, (select count(*) from vectors where model = number) as vectors
    from embedding_models order by number`).all()
    .map(({ id, vectors }) => [String(id), Number(vectors)] as const);
}

Deno.test("OpenCopies.removeOldModels() removes all models that are gone, also after a failure or a restart", async () => {
  const root = makeTempDirSync();
  let copies = await OpenCopies.open(root);
  const databases: DatabaseSync[] = [];
  try {
    await copies.startOwnFile(1, 0, () => Promise.resolve(false));
    for (const project of [1, 2]) {
      await applyModels(copies, project, [1, 2, 3]);
      const database = new DatabaseSync(copies.database(project));
      databases.push(database);
      addVectors(database, project);
    }
    const counts = () => databases.map(countVectors);

    const all = [["1", VECTORS], ["2", VECTORS], ["3", VECTORS]] as const;
    await applyModels(copies, 1, [2, 3]);
    deepStrictEqual(counts(), [[["removed 1", VECTORS], ...all.slice(1)], all]);
    const removal = copies.removeOldModels();
    strictEqual(copies.removeOldModels(), removal);
    // This one is gone while the removal runs.
    await applyModels(copies, 1, [3]);
    await removal;
    deepStrictEqual(counts(), [all.slice(2), all]);

    databases[1]!.exec(`create trigger fails before delete on vectors when old.seq > 500
      begin select raise(abort, 'the disk failed'); end`);
    await applyModels(copies, 2, [2, 3]);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await rejects(copies.removeOldModels(), /the disk failed/);
      deepStrictEqual(counts()[1], [["removed 1", VECTORS - 500], ...all.slice(1)]);
    }
    databases[1]!.exec("drop trigger fails");

    // The restart comes between two steps.
    await applyModels(copies, 1, [4]);
    const interrupted = copies.removeOldModels();
    await copies.close();
    await interrupted;
    deepStrictEqual(counts().map((models) => models.length), [2, 3]);
    copies = await OpenCopies.open(root);
    await copies.removeOldModels();
    deepStrictEqual(counts(), [[["4", 0]], all.slice(1)]);

    // A file that is removed during a removal isn't made again.
    await applyModels(copies, 1, [5]);
    const last = copies.removeOldModels();
    await copies.clear(1);
    await last;
    deepStrictEqual(copies.large(), []);
  } finally {
    for (const database of databases) database.close();
    await copies.close();
    await rm(root);
  }
});
