/** A crash at any moment of an ingest: the old head or the new one, never a mixture. */

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

Deno.test("after a kill in the middle of ingests every source is whole", async () => {
  const directory = makeTempDirSync();
  const random = new SeededRandom(20_261_121);
  const promised = new Map<string, string>();
  try {
    for (let crash = 0; crash < CRASHES; crash++) {
      const server = await ServerProcess.start(directory);
      const clients = ["a", "b", "c"].map((key) => ingestOn(server, key, crash, promised));
      await until(server, 20 + random.below(60), promised);
      await server.kill();
      await Promise.all(clients);
      checkWhole(directory, promised);
    }
    ok(promised.size === 3, "every source was answered for at least once");
    // The next start takes up what the crash left, and its stop finishes it.
    const server = await ServerProcess.start(directory);
    await server.stop();
    checkCleared(directory);
  } finally {
    await rm(directory);
  }
});

/** The version of a source by its number: large enough that a crash may fall into it. */
function contentOf(key: string, version: string): string {
  return `# Source ${key} version ${version}\n\n${markdownSections(40)}`;
}

async function ingestOn(
  server: ServerProcess,
  key: string,
  crash: number,
  promised: Map<string, string>,
): Promise<void> {
  for (let turn = 0;; turn++) {
    const version = `${String(crash).padStart(3, "0")}-${String(turn).padStart(5, "0")}`;
    const body = {
      source_key: key,
      content: contentOf(key, version),
      title: version,
      user_id: "u",
    };
    try {
      const reply = await fetch(`${server.url}/v1/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if ((await reply.json()).created === true) promised.set(key, version);
    } catch (error) {
      // The process was killed: whether this version stands is not known.
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

/** Waits for so many answers, so that the kill falls at no fixed time, and for each source's first. */
async function until(
  server: ServerProcess,
  answers: number,
  promised: ReadonlyMap<string, string>,
): Promise<void> {
  for (let asked = 0; asked < answers || (promised.size < 3 && asked < 10_000); asked++) {
    await (await fetch(`${server.url}/livez`)).body?.cancel();
    await fetch(`${server.url}/v1/documents?limit=1`, {
      headers: { authorization: `Bearer ${SERVER_KEY}` },
    }).then((reply) => reply.body?.cancel());
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

/** One head a source, no older than what was promised, its chunks those of its content. */
function checkWhole(directory: string, promised: ReadonlyMap<string, string>): void {
  const database = new DatabaseSync(databasePath(directory));
  const heads = database.prepare(`select seq, source_key, title, content, content_hash, chunks
    from document_versions join document_contents on version = seq where is_head = 1`)
    .all() as unknown as Head[];
  for (const key of promised.keys()) {
    strictEqual(heads.filter((head) => head.source_key === key).length, 1, `one head of ${key}`);
  }
  for (const head of heads) {
    ok(head.title >= (promised.get(head.source_key) ?? ""), `${head.title} was promised`);
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

/** Nothing is left to clear, and the index holds the chunks of heads, one for one. */
function checkCleared(directory: string): void {
  const database = new DatabaseSync(databasePath(directory), { readOnly: true });
  const count = (query: string) => Number(database.prepare(query).get()!["n"]);
  strictEqual(count("select count(*) as n from retired_versions"), 0);
  const indexed = countIndexedChunks(database);
  strictEqual(indexed, count("select sum(chunks) as n from document_versions where is_head = 1"));
  strictEqual(indexed, count("select chunks as n from document_totals"));
  database.close();
}
