/** Tests large versions, which are staged in batches: concurrent requests, crashes and cleanup. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { sha256 } from "../../src/kernel/hash.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { isPostgresTested, queryRecords, testSqlite } from "../../testing/engine.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { untilInterrupted } from "../../testing/interruption.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { countVersionRows, ingest, ingestDocument, markdownSections, search } from "./documents.ts";

/** Enough sections that their chunks don't fit into one batch. */
const LARGE = 150;

const CRASHES = 3;

/** Checks that nothing is left to collect after a stop, and that the index and tables agree. */
async function checkCollected(server: TestServer, versions: number): Promise<void> {
  await server.restart();
  deepStrictEqual(await countVersionRows(server), [versions, versions, 0]);
  if (!isPostgresTested) {
    deepStrictEqual(runDoctor(server.directory).filter(({ ok }) => !ok), []);
  }
}

Deno.test("POST /v1/documents stores content only once if it is sent twice at the same time", async () => {
  await withServer(async (server) => {
    const body = { content: markdownSections(LARGE), source_key: "guide" };
    const replies = await Promise.all([ingest(server, body), ingest(server, body)]);
    deepStrictEqual(replies.map(({ json }) => json.created).sort(), [false, true]);
    strictEqual(replies[0]!.json.document.id, replies[1]!.json.document.id);
    await checkCollected(server, 1);
  });
});

Deno.test("POST /v1/documents creates two versions and one head from two concurrent contents", async () => {
  await withServer(async (server) => {
    const replies = await Promise.all(
      ["oak", "elm"].map((word) =>
        ingest(server, { content: `${word}\n\n${markdownSections(LARGE)}`, source_key: "guide" })
      ),
    );
    deepStrictEqual(replies.map(({ json }) => json.created), [true, true]);
    const listed = await server.call("GET", "/v1/documents");
    strictEqual(listed.json.results.length, 1);
    const hits = await search(server, { query: "oak elm marker7", limit: 20 });
    const head = listed.json.results[0].id;
    ok(hits.length > 0 && hits.every(({ document }) => document.id === head));
    await checkCollected(server, 2);
  });
});

Deno.test("POST /v1/documents runs once for a concurrent key, and leaves nothing behind if the key was used", async () => {
  await withServer(async (server) => {
    const send = (word: string) =>
      server.call("POST", "/v1/documents", {
        body: {
          content: `${word}\n\n${markdownSections(LARGE)}`,
          source_key: word,
          user_id: "ana",
        },
        headers: { "idempotency-key": "once" },
      });
    const replies = await Promise.all([send("oak"), send("oak"), send("oak")]);
    strictEqual(new Set(replies.map(({ text }) => text)).size, 1);
    strictEqual(replies.filter(({ headers }) => headers.has("idempotency-replayed")).length, 2);
    strictEqual((await send("elm")).json.code, "IDEMPOTENCY_CONFLICT");
    deepStrictEqual(await search(server, { query: "elm" }), []);
    await checkCollected(server, 1);
  });
});

Deno.test("GET /v1/documents orders a large version by the time it became the head", async () => {
  await withServer(async (server) => {
    let isWritten = false;
    const large = ingestDocument(server, { content: markdownSections(850), source_key: "large" })
      .finally(() => isWritten = true);
    let small = 0;
    do await ingestDocument(server, {
      content: `text ${small}`,
      source_key: `s${small++}`,
    }); while (
      !isWritten
    );
    const keys = ["s0", `s${small - 1}`, await large];
    const listed: { id: string; source_key: string; created_at: string }[] = [];
    // How many small documents there are depends on the machine. They can fill several pages.
    for (let from: string | null = ""; from !== null;) {
      const { json } = await server.call("GET", `/v1/documents?limit=100${from}`);
      listed.push(...json.results);
      from = json.next_cursor && `&cursor=${json.next_cursor}`;
    }
    const times = listed.map(({ created_at, id }) => `${created_at} ${id}`);
    deepStrictEqual(times, times.toSorted().reverse());
    const positions = keys.map((key) =>
      listed.findIndex(({ id, source_key }) => id === key || source_key === key)
    );
    ok(positions[0]! > positions[2]!, `the first small document follows it: ${positions}`);
  });
});

Deno.test("POST /v1/documents starts a new source if the source is deleted during the ingest", async () => {
  await withServer(async (server) => {
    const first = await ingestDocument(server, {
      content: markdownSections(LARGE),
      source_key: "guide",
    });
    const next = ingest(server, {
      content: `oak\n\n${markdownSections(LARGE)}`,
      source_key: "guide",
    });
    const deleted = await server.call("DELETE", `/v1/documents/${first}`);
    strictEqual(deleted.status, 200);
    const { json } = await next;
    const versions = deleted.json.versions === 2 ? 0 : 1;
    const found = await server.call("GET", `/v1/documents/${json.document.id}`);
    strictEqual(found.status, versions === 1 ? 200 : 404);
    await checkCollected(server, versions);
  });
});

testSqlite(
  "POST /v1/documents keeps the old head if the server is killed between two batches",
  async () => {
    const directory = makeTempDirSync();
    const old = `# Old\n\n${markdownSections(LARGE)}`;
    try {
      for (let crash = 0; crash < CRASHES; crash++) {
        await untilInterrupted(async () => {
          const server = await ServerProcess.start(directory);
          await post(server, old);
          const before = lastNumber(directory);
          // Far more than gets written between two polls of the database.
          let hasEnded = false;
          const refused = post(server, `# New ${crash}\n\n${markdownSections(850)}`)
            .then(() => false, () => true)
            .finally(() => hasEnded = true);
          const indexed = 100 * (crash + 1);
          await waitUntilStaged(server, directory, { before, indexed }, () => hasEnded);
          await server.kill();
          const isRefused = await refused;
          if (await isPublished(directory, before)) {
            // The machine was busy, so the document was complete before the kill.
            await removeAll(directory);
            return false;
          }
          ok(isRefused, "the server was killed before the response");
          ok((await countVersionRows({ directory }))[2]! >= 1, "the staged version is listed");
          deepStrictEqual(runDoctor(directory).filter(({ ok }) => !ok), []);
          return true;
        });
      }
      const server = await ServerProcess.start(directory);
      const listed = await (await request(server, "/v1/documents")).json();
      deepStrictEqual(
        listed.results.map((document: { content_hash: string }) => document.content_hash),
        [sha256(old)],
      );
      strictEqual(await server.stop(), 0);
      deepStrictEqual(await countVersionRows({ directory }), [1, 1, 0]);
      deepStrictEqual(runDoctor(directory).filter(({ ok }) => !ok), []);
    } finally {
      await rm(directory);
    }
  },
);

/** Returns the highest number any version has ever had. */
function lastNumber(directory: string): number {
  const database = new DatabaseSync(databasePath(directory), { readOnly: true });
  const row = database.prepare(
    "select seq from sqlite_sequence where name = 'document_versions'",
  ).get();
  database.close();
  return Number(row!["seq"]);
}

/** Checks whether a version with a higher number became the head. */
async function isPublished(directory: string, before: number): Promise<boolean> {
  const rows = await queryRecords(
    directory,
    sql`select 1 from document_versions where is_head = 1 and seq > ${before}`,
  );
  return rows.length > 0;
}

/**
 * Polls the database, once per server response, until a version is partly written. Returns earlier
 * if its request ends before we could see that.
 */
async function waitUntilStaged(
  server: ServerProcess,
  directory: string,
  { before, indexed }: { readonly before: number; readonly indexed: number },
  hasEnded: () => boolean,
): Promise<void> {
  const database = new DatabaseSync(databasePath(directory), { readOnly: true });
  const staged = database.prepare(
    "select 1 from retired_versions where version > ? and indexed > ?",
  );
  while (!hasEnded() && staged.get(before, indexed) === undefined) {
    await (await fetch(`${server.url}/livez`)).body?.cancel();
  }
  database.close();
}

async function removeAll(directory: string): Promise<void> {
  const server = await ServerProcess.start(directory);
  const { results } = await (await request(server, "/v1/documents")).json();
  for (const { id } of results) {
    strictEqual((await request(server, `/v1/documents/${id}`, { method: "DELETE" })).status, 200);
  }
  strictEqual(await server.stop(), 0);
}

function request(server: ServerProcess, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" };
  return fetch(server.url + path, { ...init, headers });
}

async function post(server: ServerProcess, content: string): Promise<void> {
  const body = JSON.stringify({ content, source_key: "guide", user_id: "ana" });
  const response = await request(server, "/v1/documents", { method: "POST", body });
  strictEqual(response.status, 200, await response.text());
}
