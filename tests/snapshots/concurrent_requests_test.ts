/** Tests for requests to a project while an import is between two sections. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import type { SnapshotSection } from "../../src/contract/snapshot.ts";
import { documentSections } from "../../src/documents/snapshot.ts";
import { memorySections } from "../../src/memories/snapshot.ts";
import { readRecords, testDatabase } from "../../testing/engine.ts";
import {
  closeServices,
  MANAGEMENT_OPTIONS,
  openServices,
  type Services,
} from "../../src/server/services.ts";
import { sourceAssetSection } from "../../src/uploads/snapshot.ts";
import { checkRecords } from "../crash/invariants.ts";
import { ingest, ingestDocument, search } from "../documents/documents.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { bytesOf, extractFile } from "../uploads/files.ts";
import { exportSnapshot, freshKey } from "./snapshots.ts";

const PROJECT = 1;

type Records = Readonly<Record<string, readonly unknown[]>>;

/**
 * A snapshot section, or a range of the records in it: from `from` (inclusive) to `to` (exclusive).
 */
type Piece = string | readonly [section: string, from: number, to?: number];

/** Imports pieces of a snapshot and returns how many records were skipped. */
type Restore = (...pieces: readonly Piece[]) => Promise<number>;

/**
 * Exports the records that `furnish` creates. `work` can then import them into a different project,
 * piece by piece.
 */
async function withPartialImport<T>(
  furnish: (server: TestServer) => Promise<T>,
  work: (server: TestServer, created: T, restore: Restore) => Promise<void>,
): Promise<void> {
  await withServer(async (first) => {
    const created = await furnish(first);
    const { records } = (await exportSnapshot(first.call)).snapshot;
    await withServer(async (second) => {
      const database = testDatabase(second.directory);
      const services = await openServices(second.directory, { ...MANAGEMENT_OPTIONS, database });
      const sections = [
        ...memorySections(services.appContext),
        ...documentSections(services.appContext, services.preparer),
        sourceAssetSection,
      ];
      try {
        const firsts = await reserveRows(services, sections, records);
        await work(second, created, async (...pieces) => {
          let skipped = 0;
          for (const piece of pieces) {
            const [name, from = 0, to] = typeof piece === "string" ? [piece] : piece;
            const section = sections.find((candidate) => candidate.name === name)!;
            const range = records[name]!.slice(from, to);
            skipped += await write(services, section, range, firsts.get(name)! + from);
          }
          return skipped;
        });
      } finally {
        await closeServices(services);
      }
      await readRecords(second.directory, checkRecords);
    });
  });
}

/** Like an import, reserves the row numbers for each section before anything is written. */
function reserveRows(
  { appContext: { store } }: Services,
  sections: readonly SnapshotSection[],
  records: Records,
): Promise<ReadonlyMap<string, number>> {
  return store.write("maintenance", async (tx) => {
    // With this task, the project counts as having an import in progress.
    await tx.run(sql`insert into tasks
      (project, id, kind, status, max_attempts, payload, created_at, updated_at)
      values (${PROJECT}, 'task_import', 'import', 'processing', 5, '{}', '', '')`);
    const firsts = new Map<string, number>();
    for (const { name, rows } of sections) {
      const count = records[name]!.length;
      firsts.set(name, rows === undefined ? 0 : await store.reserve(tx, rows.table, count));
    }
    return firsts;
  });
}

async function write(
  { appContext: { store } }: Services,
  section: SnapshotSection,
  records: readonly unknown[],
  first: number,
): Promise<number> {
  const ready = await section.prepare?.(PROJECT, records) ?? records;
  return await store.write("maintenance", (tx) => section.insert!(tx, PROJECT, ready, first));
}

/**
 * Creates two versions of one source and a single version of a second source. Returns the version
 * ids.
 */
async function addDocuments(server: TestServer): Promise<string[]> {
  return [
    await ingestDocument(server, { source_key: "a", content: "Old tea" }),
    await ingestDocument(server, { source_key: "a", content: "New tea" }),
    await ingestDocument(server, { source_key: "b", content: "Tea of b" }),
  ];
}

async function heads(server: TestServer): Promise<string[]> {
  const { json } = await server.call("GET", "/v1/documents");
  return json.results.map(({ id }: { id: string }) => id);
}

Deno.test("import shows a document only together with its content", async () => {
  await withPartialImport(addDocuments, async (server, ids, restore) => {
    const statuses = async () => {
      const paths = ids.flatMap((id) => ["", "/content", "/chunks"].map((of) => id + of));
      const requests = paths.map((path) => server.call("GET", `/v1/documents/${path}`));
      return new Set((await Promise.all(requests)).map(({ status }) => status));
    };
    await restore("documents");
    deepStrictEqual(await statuses(), new Set([404]));
    deepStrictEqual(await heads(server), []);
    const { counts } = (await exportSnapshot(server.call)).snapshot;
    deepStrictEqual([counts.documents, counts.document_contents], [0, 0]);
    await restore("document_contents");
    deepStrictEqual(await statuses(), new Set([200]));
    deepStrictEqual(await heads(server), [ids[2], ids[1]]);
    strictEqual((await search(server, { query: "tea" })).length, 2);
  });
});

Deno.test("import keeps the current version of a source that a client has already written", async () => {
  await withPartialImport(addDocuments, async (server, [old], restore) => {
    const newer = await ingestDocument(server, { source_key: "a", content: "Coffee" });
    await restore("documents", "document_contents");
    strictEqual((await heads(server)).includes(newer), true);
    strictEqual((await server.call("GET", `/v1/documents/${old}/content`)).json.content, "Old tea");
    strictEqual((await search(server, { query: "tea" })).length, 1);
  });
});

Deno.test("import lets clients store versions that it writes later", async () => {
  await withPartialImport(addDocuments, async (server, [, head], restore) => {
    await restore("documents");
    const again = await ingestDocument(server, { source_key: "a", content: "New tea" });
    strictEqual(
      (await server.call("GET", `/v1/documents/${again}/content`)).json.content,
      "New tea",
    );
    await restore("document_contents");
    strictEqual((await heads(server)).includes(again), true);
    strictEqual((await server.call("GET", `/v1/documents/${head}`)).status, 200);
    strictEqual((await search(server, { query: "tea" })).length, 2);
  });
});

Deno.test("import lets clients replace and delete a source while it is running", async () => {
  await withPartialImport(addDocuments, async (server, _, restore) => {
    await restore("documents");
    const newer = await ingestDocument(server, { source_key: "a", content: "Coffee" });
    const gone = await ingestDocument(server, { source_key: "b", content: "Coffee of b" });
    strictEqual((await server.call("DELETE", `/v1/documents/${gone}`)).json.versions, 2);
    await restore("document_contents");
    deepStrictEqual(await heads(server), [newer]);
    deepStrictEqual(await search(server, { query: "tea" }), []);
    strictEqual((await ingest(server, { source_key: "b", content: "Tea" })).json.created, true);
  });
});

Deno.test("import skips all later versions of a source that was deleted while it was running", async () => {
  await withPartialImport(addDocuments, async (server, _, restore) => {
    await restore(["documents", 0, 1]);
    const gone = await ingestDocument(server, { source_key: "a", content: "Coffee" });
    strictEqual((await server.call("DELETE", `/v1/documents/${gone}`)).json.versions, 2);
    strictEqual(await restore(["documents", 1]), 1);
    strictEqual(await restore("document_contents"), 2);
    deepStrictEqual((await search(server, { query: "tea" })).map(({ chunk }) => chunk.source_key), [
      "b",
    ]);
    strictEqual((await heads(server)).length, 1);
    const again = await ingestDocument(server, { source_key: "a", content: "Coffee" });
    strictEqual((await heads(server)).includes(again), true);
  });
});

Deno.test("import skips the upload of a deleted document", async () => {
  const furnish = async (server: TestServer) => {
    const documents: string[] = [];
    for (const filename of ["a.txt", "b.txt"]) {
      const file = { bytes: bytesOf(filename), fields: { filename } };
      const { operation } = await extractFile(server, file);
      documents.push(operation.result.document.id);
    }
    return documents;
  };
  await withPartialImport(furnish, async (server, [gone, kept], restore) => {
    await restore("documents", "document_contents");
    strictEqual((await server.call("DELETE", `/v1/documents/${gone}`)).status, 200);
    strictEqual(await restore("source_assets"), 1);
    const { records } = (await exportSnapshot(server.call)).snapshot;
    const left = records.source_assets.map(({ document_id }: { document_id: string }) =>
      document_id
    );
    deepStrictEqual(left, [kept]);
  });
});

Deno.test("import skips memories in scopes that were deleted while it was running", async () => {
  const furnish = async (server: TestServer) => [
    await server.add("one"),
    await server.add("two", { user_id: "rui", agent_id: "a" }),
    await server.add("three"),
    await server.add("four", { user_id: "rui", agent_id: "b" }),
    await server.add("five", { user_id: "rui", agent_id: "a", run_id: "r" }),
  ];
  await withPartialImport(furnish, async (server, ids, restore) => {
    await restore(["memories", 0, 2]);
    strictEqual(
      (await server.call("DELETE", "/v1/entities/user/ana", { headers: freshKey() })).status,
      200,
    );
    const deleted = await server.call("DELETE", "/v1/memories?user_id=rui&agent_id=a");
    strictEqual(deleted.status, 200, deleted.text);
    const later = await server.add("six");
    strictEqual(await restore(["memories", 2]), 2);
    strictEqual(await restore("history", "feedback"), 0);
    const { snapshot } = await exportSnapshot(server.call);
    deepStrictEqual(
      snapshot.records.memories.map(({ id }: { id: string }) => id),
      [ids[3], later],
    );
    for (const id of [ids[0], ids[2], ids[4]]) {
      strictEqual((await server.call("GET", `/v1/memories/${id}`)).status, 404);
      const history = await server.call("GET", `/v1/memories/${id}/history`);
      const events = history.json.results.map(({ event }: { event: string }) => event);
      deepStrictEqual(events, ["ADD", "DELETE"]);
    }
  });
});

Deno.test("import skips feedback that was cleared while it was running", async () => {
  const furnish = async (server: TestServer) => {
    const id = await server.add("one");
    const body = { rating: "positive" };
    strictEqual((await server.call("POST", `/v1/memories/${id}/feedback`, { body })).status, 200);
    return id;
  };
  await withPartialImport(furnish, async (server, id, restore) => {
    await restore("memories");
    const path = `/v1/memories/${id}/feedback`;
    deepStrictEqual((await server.call("DELETE", path)).json, { cleared: true });
    strictEqual(await restore("history", "feedback"), 1);
    deepStrictEqual((await server.call("GET", path)).json, { feedback: null });
    const { results } = (await server.call("GET", `/v1/memories/${id}/history`)).json;
    deepStrictEqual(results.at(-1).feedback, { cleared: true });
  });
});

Deno.test("import lets clients rate, change and delete memories while it is running", async () => {
  const rate = (server: TestServer, id: string, rating: string) =>
    server.call("POST", `/v1/memories/${id}/feedback`, { body: { rating } });
  const furnish = async (server: TestServer) => {
    const ids = [await server.add("one"), await server.add("two"), await server.add("three")];
    for (const id of ids) await rate(server, id, "positive");
    return ids as [string, string, string];
  };
  await withPartialImport(furnish, async (server, [one, two, three], restore) => {
    await restore("memories");
    strictEqual((await rate(server, one, "negative")).status, 200);
    strictEqual((await server.call("DELETE", `/v1/memories/${two}`)).status, 200);
    const body = { content: "THREE" };
    strictEqual((await server.call("PUT", `/v1/memories/${three}`, { body })).status, 200);
    await restore("history", "feedback");
    const ratings = await Promise.all(
      [one, three].map(async (id) =>
        (await server.call("GET", `/v1/memories/${id}/feedback`)).json.feedback.rating
      ),
    );
    deepStrictEqual(ratings, ["negative", "positive"]);
    const history = await server.call("GET", `/v1/memories/${two}/history`);
    const events = history.json.results.map(({ event }: { event: string }) => event);
    deepStrictEqual(events, ["ADD", "FEEDBACK", "DELETE"]);
  });
});
