/** Drives every transition of a document version and checks it against the table. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { reindexChunksIfOutdated } from "../../src/documents/reindex.ts";
import {
  type Advancer,
  TRANSITIONS,
  VERSION_STATES,
  type VersionState,
} from "../../src/documents/version_states.ts";
import {
  ACTOR,
  completeVersion,
  deleteSource,
  ingestVersion,
  LARGE,
  lastVersionNumber,
  purgeSome,
  readVersion,
  removeAll,
  restoreVersion,
  SMALL,
  stageFirstBatch,
  stageVersion,
  supersedeVersion,
  type TestVersion,
  type VersionFixture,
  withVersions,
} from "./version_fixture.ts";

type Setup = (
  fixture: VersionFixture,
  sourceKey: string,
) => Promise<Omit<TestVersion, "sourceKey">>;

/** Every way a version can get into each state. */
const SETUPS: Readonly<Record<VersionState | "nothing", readonly Setup[]>> = {
  nothing: [async (fixture) => ({ version: await lastVersionNumber(fixture) + 1 })],
  restoring: [
    (fixture, key) => restoreVersion(fixture, key, true),
    (fixture, key) => restoreVersion(fixture, key, false),
    async (fixture, key) => {
      const testVersion = await restoreVersion(fixture, key, false);
      await ingestVersion(fixture, key, SMALL);
      return testVersion;
    },
  ],
  staged: [
    (fixture, key) => stageVersion(fixture, key),
    (fixture, key) => stageFirstBatch(fixture, key),
  ],
  head: [
    (fixture, key) => ingestVersion(fixture, key, SMALL),
    (fixture, key) => ingestVersion(fixture, key, LARGE),
    async (fixture, key) => {
      const testVersion = await restoreVersion(fixture, key, true);
      await completeVersion(fixture, testVersion.version);
      return testVersion;
    },
  ],
  superseded: [
    (fixture, key) => supersedeVersion(fixture, key, SMALL),
    (fixture, key) => supersedeVersion(fixture, key, LARGE),
    async (fixture, key) => {
      const testVersion = await restoreVersion(fixture, key, true);
      await ingestVersion(fixture, key, SMALL);
      return testVersion;
    },
  ],
  archived: [
    async (fixture, key) => {
      const testVersion = await supersedeVersion(fixture, key, SMALL);
      await fixture.batches.collect(() => []);
      return testVersion;
    },
    async (fixture, key) => {
      const testVersion = await restoreVersion(fixture, key, false);
      await completeVersion(fixture, testVersion.version);
      return testVersion;
    },
  ],
  deleted: [
    async (fixture, key) => {
      const testVersion = await ingestVersion(fixture, key, SMALL);
      await deleteSource(fixture, key);
      return testVersion;
    },
    async (fixture, key) => {
      const testVersion = await ingestVersion(fixture, key, LARGE);
      await deleteSource(fixture, key);
      return testVersion;
    },
    async (fixture, key) => {
      const { version, prepared } = await stageVersion(fixture, key);
      fixture.documents.dispose(prepared);
      return { version };
    },
    async (fixture, key) => {
      const testVersion = await stageVersion(fixture, key);
      await purgeSome(fixture);
      return { ...testVersion, isUnprotected: true };
    },
    async (fixture, key) => {
      const testVersion = await stageFirstBatch(fixture, key);
      await purgeSome(fixture);
      return { ...testVersion, isUnprotected: true };
    },
  ],
};

type Command = (fixture: VersionFixture, testVersion: TestVersion) => Promise<unknown>;

/** Every way to advance a version. */
const COMMANDS: Readonly<Record<Advancer, readonly Command[]>> = {
  prepare: [
    async (_, testVersion) => {
      if (testVersion.resume !== undefined) testVersion.prepared = await testVersion.resume();
    },
    async (fixture, testVersion) => {
      const { version, prepared } = await stageVersion(
        fixture,
        testVersion.sourceKey,
        `${LARGE}Changed.`,
      );
      if (version === testVersion.version) testVersion.prepared = prepared;
      else fixture.documents.dispose(prepared);
    },
  ],
  ingest: [
    async ({ appContext, documents }, { prepared }) => {
      if (prepared === undefined) return;
      await appContext.store.write("maintenance", (tx) => documents.ingest(tx, ACTOR, prepared));
    },
    (fixture, { sourceKey }) => ingestVersion(fixture, sourceKey, `${SMALL} Changed.`),
  ],
  dispose: [
    ({ documents }, { prepared }) => {
      if (prepared !== undefined) documents.dispose(prepared);
      return Promise.resolve();
    },
  ],
  delete: [(fixture, { sourceKey }) => deleteSource(fixture, sourceKey)],
  gc: [
    ({ batches }, { isUnprotected }) => batches.collect(isUnprotected ? () => [] : batches.pinned),
  ],
  purge: [async (fixture, testVersion) => {
    testVersion.isUnprotected = true;
    await purgeSome(fixture);
  }],
  import: [
    (fixture, { sourceKey }) => restoreVersion(fixture, sourceKey, true),
    (fixture, { sourceKey }) => restoreVersion(fixture, sourceKey, false),
    (fixture, { version }) => completeVersion(fixture, version),
  ],
  restart: [
    (_, testVersion) => {
      testVersion.isUnprotected = true;
      return Promise.resolve();
    },
    async ({ appContext: { store } }, testVersion) => {
      testVersion.isUnprotected = true;
      await store.write(
        "maintenance",
        (tx) => tx.run(sql`delete from meta where name = 'chunk_index_version'`),
      );
      await reindexChunksIfOutdated(store);
    },
  ],
};

Deno.test("TRANSITIONS for document versions lists everything that can happen to a version", async () => {
  await withVersions(async (fixture) => {
    const [steps, advancers] = [new Set<string>(), new Set<string>()];
    let count = 0;
    for (const state of ["nothing", ...VERSION_STATES] as const) {
      for (const setup of SETUPS[state]) {
        for (const [by, commands] of Object.entries(COMMANDS)) {
          for (const command of commands) {
            const sourceKey = `source-${count++}`;
            const testVersion: TestVersion = { sourceKey, ...await setup(fixture, sourceKey) };
            const before = await readVersion(fixture, testVersion);
            strictEqual(before.state ?? "nothing", state);
            await command(fixture, testVersion);
            const after = await readVersion(fixture, testVersion);
            await removeAll(fixture, testVersion);
            if (JSON.stringify(after) === JSON.stringify(before)) continue;
            const step = `${before.state} -> ${after.state}`;
            const names = transitionsOf(by as Advancer, before.state, after.state);
            strictEqual(names.length, 1, `${by}: ${step} is ${names}`);
            steps.add(`${names[0]}: ${step}`);
            advancers.add(`${names[0]} by ${by}`);
          }
        }
      }
    }
    const table = Object.entries(TRANSITIONS);
    const expectedSteps = table.flatMap(([name, { from, to }]) =>
      from.flatMap((start) =>
        (to === "unchanged" ? [start] : to).map((end) => `${name}: ${start} -> ${end}`)
      )
    );
    deepStrictEqual([...steps].sort(), expectedSteps.sort());
    const expectedAdvancers = table.flatMap(([name, { by }]) =>
      by.map((each) => `${name} by ${each}`)
    );
    deepStrictEqual([...advancers].sort(), expectedAdvancers.sort());
  });
});

/** Returns the names of the transitions that allow a step. */
function transitionsOf(by: Advancer, start: VersionState | null, end: VersionState | null) {
  return Object.entries(TRANSITIONS).filter(([, transition]) => {
    const from: readonly (VersionState | null)[] = transition.from;
    const to: readonly (VersionState | null)[] = transition.to === "unchanged"
      ? [start]
      : transition.to;
    const advancers: readonly Advancer[] = transition.by;
    return from.includes(start) && to.includes(end) && advancers.includes(by);
  }).map(([name]) => name);
}
