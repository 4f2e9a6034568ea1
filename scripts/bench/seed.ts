/** Creates data directories through the API. Each is created once, then copied for every use. */

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { queryRecords } from "../../testing/engine.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync } from "../../testing/temp_dir.ts";
import { type BenchMemory, distributeOwners, englishMemories, TextGenerator } from "./corpus.ts";
import { markViewsDerived, READER } from "./mark_views_derived.ts";
import { writeVectors } from "./vectors.ts";

/** Messages per add. */
const BATCH_MESSAGES = 100;
const SEEDING_CLIENTS = 4;

/** Size of a document in a seeded directory, in bytes. */
const DOCUMENT_BYTES = 250_000;

/** Increase this when you change how directories are seeded, so that cached ones get rebuilt. */
const SEED_VERSION = "3";

const MIGRATIONS = join(import.meta.dirname!, "../../migrations/sqlite");

export const AUTH_HEADERS = { authorization: `Bearer ${SERVER_KEY}` };

/** Returns the request that adds a single memory verbatim. */
export function addRequest(memory: BenchMemory): Uint8Array {
  return encodeRequest("POST", "/v1/memories", AUTH_HEADERS, { ...memory, infer: false });
}

/** Returns the request that ingests a single Markdown document. */
export function ingestRequest(content: string, source_key: string): Uint8Array {
  const body = { content, source_key, mime_type: "text/markdown", user_id: "bench" };
  return encodeRequest("POST", "/v1/documents", AUTH_HEADERS, body);
}

/**
 * What a seeded directory contains: memories of generated words, the same with vectors, memories of
 * English words, or document chunks. Derived data is always up to date.
 */
export type SeedKind = "generated" | "vectors" | "english" | "chunks";

/**
 * Returns a data directory below `folder` with `size` generated memories or document chunks. A
 * missing one is created under a temporary name and renamed once complete.
 */
export async function seededDirectory(
  folder: string,
  size: number,
  kind: SeedKind = "generated",
): Promise<string> {
  const directory = join(folder, `${kind}-${size}-${seedDigest()}`);
  if (existsSync(directory)) return directory;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${directory}.unfinished-${Deno.pid}`;
  const server = await ServerProcess.start(unfinished);
  try {
    if (kind === "chunks") await seedChunks(server, size);
    else await seedMemories(server, size, kind === "english" ? englishMemories() : texts());
  } finally {
    await server.stop();
  }
  if (kind === "vectors") writeVectors(unfinished);
  markViewsDerived(unfinished);
  renameSync(unfinished, directory);
  return directory;
}

/**
 * Returns a digest that changes with the schema, the engine and the seeding code, so that we never
 * reuse outdated directories.
 */
function seedDigest(): string {
  const digest = createHash("sha256").update(SEED_VERSION).update(READER);
  for (const file of readdirSync(MIGRATIONS).sort()) {
    digest.update(readFileSync(join(MIGRATIONS, file)));
  }
  return digest.digest("hex").slice(0, 8);
}

/** Returns a temporary copy, so that benchmarks don't affect each other. */
export function copyDirectory(directory: string): string {
  const copy = makeTempDirSync();
  cpSync(directory, copy, { recursive: true });
  return copy;
}

/**
 * Turns off derived views in all projects. Their work in the background would take longer than what
 * is measured.
 */
export async function disableDerivation(directory: string): Promise<void> {
  await queryRecords(directory, sql`update projects set derivation = 0`);
}

/** Adds memories, owned as in all seeded directories. */
export async function seedMemories(
  server: ServerProcess,
  size: number,
  memories: Iterator<string, never> = texts(),
): Promise<void> {
  await sendAll(server, memoryBatches(size, memories));
}

/** Ingests generated Markdown until there are at least `size` chunks. */
async function seedChunks(server: ServerProcess, size: number): Promise<void> {
  const text = new TextGenerator(size);
  const connection = await HttpConnection.open(server.url);
  for (let chunks = 0, turn = 0; chunks < size; turn++) {
    const request = ingestRequest(text.markdown(DOCUMENT_BYTES), `source-${turn}`);
    chunks += parseJson(await connection.send(request)).chunks;
  }
  connection.close();
}

/** Stores the dialogue turn by turn, in order. */
export async function seedDialogue(
  server: ServerProcess,
  memories: readonly BenchMemory[],
): Promise<void> {
  await sendAll(server, memories.map(addRequest).values(), 1);
}

function* texts(): Generator<string, never> {
  const text = new TextGenerator();
  while (true) yield text.memory();
}

function* memoryBatches(size: number, texts: Iterator<string, never>): Generator<Uint8Array> {
  for (const [user_id, memories] of distributeOwners(size)) {
    for (let left = memories; left > 0; left -= BATCH_MESSAGES) {
      const messages = Array.from(
        { length: Math.min(BATCH_MESSAGES, left) },
        () => ({ role: "user", content: texts.next().value }),
      );
      const body = { messages, user_id, infer: false };
      yield encodeRequest("POST", "/v1/memories", AUTH_HEADERS, body);
    }
  }
}

async function sendAll(
  server: ServerProcess,
  requests: Iterator<Uint8Array>,
  clients = SEEDING_CLIENTS,
): Promise<void> {
  await Promise.all(Array.from({ length: clients }, async () => {
    const connection = await HttpConnection.open(server.url);
    for (let next = requests.next(); !next.done; next = requests.next()) {
      const response = await connection.send(next.value);
      if (response.status !== 200) throw new Error(`Seeding failed: ${response.head}`);
    }
    connection.close();
  }));
}
