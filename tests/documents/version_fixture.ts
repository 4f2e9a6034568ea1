/** Document versions in any state, for use in tests. */

import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import sql from "sql-template-tag";
import type { AppContext } from "../../src/contract/app_context.ts";
import { ChunkBatchQueue, threadedBatches } from "../../src/documents/chunk_batch_queue.ts";
import type { ChunkInput, PreparedChunk } from "../../src/documents/prepare.ts";
import { Preparer } from "../../src/documents/preparer.ts";
import { documentPurge } from "../../src/documents/purge.ts";
import { reindexChunksIfOutdated } from "../../src/documents/reindex.ts";
import { ingestBody } from "../../src/documents/schema.ts";
import {
  DocumentService,
  newDocument,
  type PreparedDocument,
} from "../../src/documents/service.ts";
import { documentSections } from "../../src/documents/snapshot.ts";
import { HAS_CONTENT, IS_HEAD, type VersionState } from "../../src/documents/version_states.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { ulidIds } from "../../src/kernel/ids.ts";
import { utf8Length } from "../../src/kernel/text.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import "../../testing/note_statements.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { markdownSections } from "./documents.ts";

const PROJECT = 1;
export const ACTOR = { project: PROJECT, projectId: "proj_x", requestId: "req_x" };
export const SMALL = "A small note.";
/** Enough chunks for two batches, and for two steps of the collector. */
export const LARGE = markdownSections(150);

/** A queue that exposes the collector's pins. */
class ObservedQueue extends ChunkBatchQueue {
  pinned: () => Iterable<number> = () => [];

  override collect(pinned: () => Iterable<number>): Promise<boolean> {
    this.pinned = pinned;
    return super.collect(pinned);
  }
}

/** A preparer that can be paused between two batches. */
class PausablePreparer extends Preparer {
  beforeNext: () => Promise<void> = () => Promise.resolve();

  override async *batches(document: ChunkInput): AsyncGenerator<readonly PreparedChunk[], void> {
    for await (const batch of super.batches(document)) {
      yield batch;
      await this.beforeNext();
    }
  }
}

/** Documents in their own database. */
export interface VersionFixture {
  readonly appContext: AppContext;
  readonly preparer: PausablePreparer;
  readonly batches: ObservedQueue;
  readonly documents: DocumentService;
}

/** A version in a particular state, along with what its creating process knows about it. */
export interface TestVersion {
  readonly sourceKey: string;
  readonly version: number;
  prepared?: PreparedDocument;
  /** Continues preparing a document once a batch has been written. */
  resume?: () => Promise<PreparedDocument>;
  /** Whether pins no longer count, because the process restarted or the project is being purged. */
  isUnprotected?: boolean;
}

/** Runs a test with documents in a temporary directory. */
export async function withVersions(
  work: (fixture: VersionFixture) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const batches = new ObservedQueue(threadedBatches(store));
  const preparer = new PausablePreparer();
  const clock = systemClock();
  const appContext = {
    store,
    blobs: new FolderBlobs(join(directory, "blobs"), Math.random),
    clock,
    ids: ulidIds(clock, Math.random),
    cursors: new Cursors("secret"),
  };
  const documents = new DocumentService(appContext, preparer, batches);
  const fixture = { appContext, preparer, batches, documents };
  try {
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`),
    );
    await reindexChunksIfOutdated(store);
    // After a first step, the queue knows which versions the collector has pinned.
    await ingestVersion(fixture, "first", SMALL);
    await deleteSource(fixture, "first");
    await documents.collectGarbage();
    await work(fixture);
  } finally {
    preparer.close();
    await batches.close();
    await store.close();
    await rm(directory);
  }
}

/** Returns a version's state and all stored data changed by transitions. */
export async function readVersion(
  { appContext, batches }: VersionFixture,
  { version, isUnprotected }: TestVersion,
) {
  const row = await appContext.store.read((db) =>
    db.first<Record<string, number>>(sql`select
      (select count(*) from document_versions where seq = ${version}) as versions,
      (select count(*) from document_versions where seq = ${version} and ${IS_HEAD}) as heads,
      (select count(*) from document_versions where seq = ${version} and ${HAS_CONTENT}) as restored,
      (select count(*) from document_contents where version = ${version}) as contents,
      (select count(*) from chunks where version = ${version}) as chunks,
      (select count(*) from chunk_terms where version = ${version}) as indexed,
      (select indexed from retired_versions where version = ${version}) as listed,
      (select count(*) from retired_versions
        where version = ${version} and deleted = 0) as superseded,
      (select count(*) from retired_versions
        where version = ${version} and deleted = 1) as uncollected`)
  );
  const stored = row!;
  const isPinned = !isUnprotected && [...batches.pinned()].includes(version);
  const state = stateOf(stored, isPinned);
  const expectedIndexed = state === "head" ? stored["chunks"] : stored["listed"] ?? 0;
  strictEqual(stored["indexed"], expectedIndexed, `indexed chunks of ${state}`);
  return { state, stored };
}

function stateOf(stored: Readonly<Record<string, number>>, isPinned: boolean): VersionState | null {
  if (stored["superseded"] === 1) return "superseded";
  if (stored["uncollected"] === 1) return isPinned ? "staged" : "deleted";
  if (stored["versions"] === 1) {
    if (stored["restored"] === 0) return "restoring";
    return stored["heads"] === 1 ? "head" : "archived";
  }
  deepStrictEqual([stored["contents"], stored["chunks"]], [0, 0], "nothing is left");
  return null;
}

/** Deletes everything stored and ends the work on a version. */
export async function removeAll(
  { appContext, documents }: VersionFixture,
  { prepared, resume }: TestVersion,
) {
  const { store } = appContext;
  const index = store.index.chunks;
  await store.write("maintenance", async (tx) => {
    await tx.run(sql`delete from document_versions`);
    await tx.run(sql`delete from document_contents`);
    await tx.run(sql`delete from chunks`);
    await tx.run(sql`delete from retired_versions`);
    await tx.run(sql`delete from document_totals`);
    await index.clear(tx);
  });
  const rest = prepared ?? await resume?.();
  if (rest !== undefined) documents.dispose(rest);
}

/** Returns the highest number any version has ever had. */
export async function lastVersionNumber({ appContext }: VersionFixture): Promise<number> {
  const row = await appContext.store.read((db) =>
    db.first<{ seq: number }>(
      sql`select seq from sqlite_sequence where name = 'document_versions'`,
    )
  );
  return row!.seq;
}

function draft(sourceKey: string, content: string) {
  return newDocument(ingestBody.parse({
    content,
    source_key: sourceKey,
    mime_type: "text/markdown",
    user_id: "ana",
  }));
}

/** Prepares a large document, so its version gets staged. */
export async function stageVersion(
  { documents }: VersionFixture,
  sourceKey: string,
  content = LARGE,
) {
  const prepared = await documents.prepare(PROJECT, draft(sourceKey, content));
  return { version: prepared.staged!.version, prepared };
}

/** Prepares a large document until its first batch has been written. */
export async function stageFirstBatch(fixture: VersionFixture, sourceKey: string) {
  const { preparer, documents } = fixture;
  const [paused, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  preparer.beforeNext = () => {
    paused.resolve();
    return gate.promise;
  };
  const prepared = documents.prepare(PROJECT, draft(sourceKey, LARGE));
  await paused.promise;
  preparer.beforeNext = () => Promise.resolve();
  return {
    version: await lastVersionNumber(fixture),
    resume() {
      gate.resolve();
      return prepared;
    },
  };
}

/** Stores a version as the head of its source. */
export async function ingestVersion(fixture: VersionFixture, sourceKey: string, content: string) {
  const { appContext, documents } = fixture;
  const prepared = await documents.prepare(PROJECT, draft(sourceKey, content));
  const { created } = await appContext.store.write(
    "maintenance",
    (tx) => documents.ingest(tx, ACTOR, prepared),
  );
  documents.dispose(prepared);
  strictEqual(created, true);
  return { version: await lastVersionNumber(fixture) };
}

/** Stores two versions and returns the first. */
export async function supersedeVersion(
  fixture: VersionFixture,
  sourceKey: string,
  content: string,
) {
  const testVersion = await ingestVersion(fixture, sourceKey, content);
  notStrictEqual(
    (await ingestVersion(fixture, sourceKey, "The next version.")).version,
    testVersion.version,
  );
  return testVersion;
}

/** Deletes a source if clients can see a version of it. */
export async function deleteSource(
  { appContext, documents }: VersionFixture,
  sourceKey: string,
): Promise<void> {
  const { store } = appContext;
  const visible = await store.read((db) =>
    db.first<{ id: string }>(sql`select id from document_versions
      where source_key = ${sourceKey} and ${HAS_CONTENT}`)
  );
  if (visible === undefined) return;
  await store.write("maintenance", (tx) => documents.delete(tx, ACTOR, visible.id));
}

/** Runs one unit of work of a project purge. */
export async function purgeSome({ appContext: { store } }: VersionFixture): Promise<void> {
  await store.write("maintenance", (tx) => documentPurge(store).run(tx, PROJECT, 6));
}

/** Imports a version without its content. */
export async function restoreVersion(fixture: VersionFixture, sourceKey: string, current: boolean) {
  const { appContext, preparer } = fixture;
  const { store, ids } = appContext;
  const [versions] = documentSections(appContext, preparer);
  const record = {
    id: ids.next("doc"),
    source_key: sourceKey,
    content_hash: sha256(SMALL),
    version_hash: sha256(sourceKey),
    title: "Note",
    mime_type: "text/markdown",
    source_uri: null,
    user_id: "ana",
    agent_id: null,
    run_id: null,
    metadata: {},
    size_bytes: utf8Length(SMALL),
    created_at: "2026-01-01T00:00:00.000Z",
    current,
    chunked_as: "text/markdown",
  };
  await store.write("maintenance", async (tx) => {
    const first = await store.reserve(tx, "document_versions", 1);
    strictEqual(await versions!.insert!(tx, PROJECT, [record], first), 0);
  });
  return { version: await lastVersionNumber(fixture) };
}

/** Imports a version's content if it has a row but no content yet. */
export async function completeVersion(
  { appContext, preparer }: VersionFixture,
  version: number,
): Promise<void> {
  const { store } = appContext;
  const row = await store.read((db) =>
    db.first<{ id: string }>(sql`select id from document_versions
      where seq = ${version} and not ${HAS_CONTENT}`)
  );
  if (row === undefined) return;
  const [, contents] = documentSections(appContext, preparer);
  const records = await contents!.prepare!(PROJECT, [{ id: row.id, content: SMALL }]);
  await store.write("maintenance", (tx) => contents!.insert!(tx, PROJECT, records, 0));
}
