/** Tests from where a copy goes on with the vectors, after changes and after a restore. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { SearchCopies } from "../../src/copies/copies.ts";
import { COPY_START, projectEnd, readBatches } from "../../src/copies/feed.ts";
import { continueVectors } from "../../src/copies/vector_position.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { databasePath, type SqliteStore } from "../../src/store/sqlite/store.ts";
import type { Reader, Tx } from "../../src/store/store.ts";
import { withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "../store/engines.ts";
import { withStore } from "../store/with_store.ts";
import { newDatabase, TOOLS } from "./content.ts";

/** Adds a memory. Its number is also that of its journal entry. */
async function addMemory(tx: Tx, seq: number, change = "ADD"): Promise<void> {
  await tx.run(sql`insert into memories (seq, project, id, memory_type, importance, created_at,
      updated_at, terms, memory)
    values (${seq}, 1, ${`mem_${seq}`}, 'fact', 0.5, '', '', ${new Uint8Array()}, 'text')`);
  await addEntry(tx, seq, change);
}

async function addEntry(tx: Tx, seq: number, change: string): Promise<void> {
  await tx.run(sql`insert into journal (project, kind, record_id, change, at)
    values (1, 'memory', ${`mem_${seq}`}, ${change}, '')`);
}

async function addVector(tx: Tx, number: number, model: number, seq: number): Promise<void> {
  const bytes = new Uint8Array([1]);
  await tx.run(sql`insert into vectors (project, model, kind, seq, vector)
    values (1, ${model}, 0, ${seq}, ${bytes})`);
  await tx.run(sql`insert into vector_signs (number, project, model, kind, seq, signs)
    values (${number}, 1, ${model}, 0, ${seq}, ${bytes})`);
}

async function addModel(tx: Tx, number: number): Promise<void> {
  await tx.run(sql`insert into embedding_models (number, id, dims) values (${number},
    ${`model-${number}`}, 8)`);
}

/** Makes three memories with vectors, and returns the position of their copy. */
async function copied(store: SqliteStore) {
  await store.write("rows", async (tx) => {
    await tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'p', 'p', '')`);
    await addModel(tx, 1);
    for (const seq of [1, 2, 3]) await addMemory(tx, seq);
    for (const seq of [1, 2, 3]) await addVector(tx, seq, 1, seq);
  });
  let position = COPY_START;
  for await (const batch of readBatches(store, 1, COPY_START)) position = batch.position;
  deepStrictEqual([position.vectors, position.vectorAnchor], [3, "1 0 3"]);
  return position;
}

/** Changes that records see, and the number of the vector after which their copy goes on. */
const SCENARIOS: Readonly<Record<string, readonly [(tx: Tx) => Promise<unknown>, number]>> = {
  "the last one while nothing changes": [() => Promise.resolve(), 3],
  "the last one after an addition": [async (tx) => {
    await addMemory(tx, 4);
    await addVector(tx, 4, 1, 4);
  }, 3],
  "the one before after the memory of the last one was deleted": [async (tx) => {
    await tx.run(sql`delete from memories where seq = 3`);
    await addEntry(tx, 3, "DELETE");
  }, 2],
  "the one before after the memory of the last one was changed": [async (tx) => {
    await tx.run(sql`update memories set memory = 'other' where seq = 3`);
    await addEntry(tx, 3, "UPDATE");
  }, 2],
  "the one before after the memory of the last one was changed and embedded again": [async (tx) => {
    await tx.run(sql`update memories set memory = 'other' where seq = 3`);
    await addEntry(tx, 3, "UPDATE");
    await addVector(tx, 4, 1, 3);
  }, 2],
  "the one before after the memory of the last one was deleted and another added": [async (tx) => {
    await tx.run(sql`delete from memories where seq = 3`);
    await addEntry(tx, 3, "DELETE");
    await addMemory(tx, 4);
    await addVector(tx, 4, 1, 4);
  }, 2],
  "the start if the last one is missing": [
    (tx) => tx.run(sql`delete from vectors where seq = 3`),
    0,
  ],
  "the start if all are missing": [(tx) => tx.run(sql`delete from vectors`), 0],
  "the start if its number belongs to another text": [async (tx) => {
    await tx.run(sql`delete from vectors where seq = 3`);
    await addMemory(tx, 4);
    await addVector(tx, 3, 1, 4);
    await addVector(tx, 4, 1, 3);
  }, 0],
  "the start if its number belongs to another model": [async (tx) => {
    await tx.run(sql`delete from vectors where seq = 3`);
    await addModel(tx, 2);
    await addVector(tx, 3, 2, 3);
  }, 0],
};

for (const [name, [change, expected]] of Object.entries(SCENARIOS)) {
  Deno.test(`continueVectors() returns ${name}`, () =>
    withStore(async (store) => {
      const known = await copied(store);
      await store.write("rows", change);
      const position = await continueVectors(store, 1, known, await projectEnd(store, 1, known));
      strictEqual(position.vectors, expected);
      if (expected === 0) return;
      // It's recognized the next time.
      const end = await projectEnd(store, 1, position);
      strictEqual(end.vectorAnchor, position.vectorAnchor);
    }));
}

testWith(
  TOOLS,
  "SearchCopies have the vectors of the model that's in use after a restore to an earlier moment",
  async () => {
    const database = await newDatabase();
    await withServer(async (server) => {
      await server.add("A heron stood in the reeds");
      const store = await PgStore.open(database);
      const folder = makeTempDirSync();
      const copies = new SearchCopies(store, folder, systemClock());
      const useOnly = async (model: number, number: number) => {
        const { seq } = (await store.read((db: Reader) =>
          db.first<{ seq: number }>(sql`select seq from memories`)
        ))!;
        await (await postgres()).query(`set search_path to ${database.schema};
          delete from vectors; delete from embedding_models`);
        await store.write("rows", async (tx) => {
          await addModel(tx, model);
          await addVector(tx, number, model, seq);
        });
        await copies.ready(1);
      };
      await useOnly(2, 2);
      // As after the restore of a backup from before the model was changed.
      await useOnly(1, 1);
      await copies.maintain();
      await copies.close();
      await store.close();
      const copy = new DatabaseSync(databasePath(folder));
      const models = copy.prepare("select model from vectors").all().map(({ model }) =>
        model
      );
      copy.close();
      await rm(folder);
      deepStrictEqual(models, [1]);
    }, { database });
  },
);
