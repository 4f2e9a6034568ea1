/** Helpers for document tests. */

import { strictEqual } from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { queryRecords } from "../../testing/engine.ts";
import type { Reply, TestServer } from "../../testing/harness.ts";

/** Ingests a JSON body, by default for the user `ana`. */
export function ingest(
  server: Pick<TestServer, "call">,
  body: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  return server.call("POST", "/v1/documents", { body: { user_id: "ana", ...body } });
}

/** Ingests a JSON body that must get stored. Returns the version id. */
export async function ingestDocument(
  server: Pick<TestServer, "call">,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const reply = await ingest(server, body);
  strictEqual(reply.status, 200, reply.text);
  return reply.json.document.id;
}

/** Ingests a file through a form. */
export function ingestFile(
  server: Pick<TestServer, "call">,
  file: File,
  fields: Readonly<Record<string, string>> = { user_id: "ana" },
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const form = new FormData();
  form.append("file", file);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return server.call("POST", "/v1/documents", { raw: form, headers });
}

/** Returns the hits for a search. */
// deno-lint-ignore no-explicit-any -- tests assert the shape that they read
export async function search(server: Pick<TestServer, "call">, body: unknown): Promise<any[]> {
  const reply = await server.call("POST", "/v1/documents/search", { body });
  strictEqual(reply.status, 200, reply.text);
  return reply.json.results;
}

/** Returns a Markdown document with `count` sections, each with its own unique word. */
export function markdownSections(count: number): string {
  const filler = "It says what it says, at some length, so that it fills a passage. ".repeat(15);
  return Array.from(
    { length: count },
    (_, index) => `## Part ${index}\n\nHere stands marker${index}. ${filler}\n\n`,
  ).join("");
}

/** Returns the number of versions, contents, and versions waiting for the collector. */
export async function countVersionRows(
  { directory }: Pick<TestServer, "directory">,
): Promise<number[]> {
  const [row] = await queryRecords<Record<string, number>>(
    directory,
    sql`select
      (select count(*) from document_versions) as versions,
      (select count(*) from document_contents) as contents,
      (select count(*) from retired_versions) as retired`,
  );
  return [row!["versions"]!, row!["contents"]!, row!["retired"]!];
}

/** Returns the number of chunks in the text index. Just as many must have terms for scoring. */
export function countIndexedChunks(database: DatabaseSync): number {
  database.exec("create virtual table temp.words using fts5vocab(main, chunks_fts, instance)");
  const count = (query: string) => Number(database.prepare(query).get()!["n"]);
  const indexed = count("select count(distinct doc) as n from temp.words");
  strictEqual(count("select count(*) as n from chunk_terms"), indexed);
  return indexed;
}
