/**
 * Tests crashes during an ingest: every source must have either the old head or the new one, never
 * a mix of both.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { chunk } from "../../src/documents/chunking/chunk.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { countIndexedChunks, markdownSections } from "./documents.ts";

const CRASHES = 6;

Deno.test("POST /v1/documents leaves every source complete if the server is killed", async () => {
  const directory = makeTempDirSync();
  const random = new SeededRandom(20_261_121);
  const acknowledged = new Map<string, string>();
  try {
    for (let crash = 0; crash < CRASHES; crash++) {
      const server = await ServerProcess.start(directory);
      const clients = ["a", "b", "c"].map((key) => ingestOn(server, key, crash, acknowledged));
      await waitForResponses(server, 20 + random.below(60), acknowledged);
      await server.kill();
      await Promise.all(clients);
      checkComplete(directory, acknowledged);
    }
    ok(acknowledged.size === 3, "every source was ingested at least once");
    // The next start picks up what the crash interrupted, and stopping the server completes it.
    const server = await ServerProcess.start(directory);
    await server.stop();
    checkCollected(directory);
  } finally {
    await rm(directory);
  }
});

/** Returns a version's content. It's large enough for a crash to hit its ingest. */
function contentOf(key: string, version: string): string {
  return `# Source ${key} version ${version}\n\n${markdownSections(40)}`;
}

async function ingestOn(
  server: ServerProcess,
  key: string,
  crash: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let round = 0;; round++) {
    const version = `${String(crash).padStart(3, "0")}-${String(round).padStart(5, "0")}`;
    const body = {
      source_key: key,
      content: contentOf(key, version),
      title: version,
      user_id: "u",
    };
    try {
      const response = await fetch(`${server.url}/v1/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if ((await response.json()).created === true) acknowledged.set(key, version);
    } catch (error) {
      // The process was killed, so we can't know whether this version was stored.
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

/**
 * Waits for a number of responses, so that the kill comes at a random time, and for one ingest per
 * source.
 */
async function waitForResponses(
  server: ServerProcess,
  count: number,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  for (let sent = 0; sent < count || (acknowledged.size < 3 && sent < 10_000); sent++) {
    await (await fetch(`${server.url}/livez`)).body?.cancel();
    await fetch(`${server.url}/v1/documents?limit=1`, {
      headers: { authorization: `Bearer ${SERVER_KEY}` },
    }).then((response) => response.body?.cancel());
  }
}

interface Head {
  readonly seq: number;
  readonly source_key: string;
  readonly title: string;
  readonly content: string;
  readonly content_hash: string;
  readonly chunks: number;
}

/**
 * Checks that each source has a single head with its chunks, at least as new as the acknowledged
 * one.
 */
function checkComplete(directory: string, acknowledged: ReadonlyMap<string, string>): void {
  const database = new DatabaseSync(databasePath(directory));
  const heads = database.prepare(`select seq, source_key, title, content, content_hash, chunks
    from document_versions join document_contents on version = seq where is_head = 1`)
    .all() as unknown as Head[];
  for (const key of acknowledged.keys()) {
    strictEqual(heads.filter((head) => head.source_key === key).length, 1, `one head of ${key}`);
  }
  for (const head of heads) {
    ok(head.title >= (acknowledged.get(head.source_key) ?? ""), `${head.title} was acknowledged`);
    strictEqual(head.content, contentOf(head.source_key, head.title));
    strictEqual(head.content_hash, sha256(head.content));
    const rows = database.prepare("select content from chunks where version = ? order by position")
      .all(head.seq) as unknown as { content: string }[];
    const expected = chunk(head.content, "text/plain").map(({ content }) => content);
    deepStrictEqual(rows.map(({ content }) => content), expected);
    strictEqual(head.chunks, expected.length);
  }
  database.exec("insert into chunks_fts (chunks_fts) values ('integrity-check')");
  database.close();
}

/**
 * Checks that everything has been collected and that the index contains exactly the heads' chunks.
 */
function checkCollected(directory: string): void {
  const database = new DatabaseSync(databasePath(directory), { readOnly: true });
  const count = (query: string) => Number(database.prepare(query).get()!["n"]);
  strictEqual(count("select count(*) as n from retired_versions"), 0);
  const indexed = countIndexedChunks(database);
  strictEqual(indexed, count("select sum(chunks) as n from document_versions where is_head = 1"));
  strictEqual(indexed, count("select chunks as n from document_totals"));
  database.close();
}
