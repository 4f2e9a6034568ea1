/**
 * Waits for the background work that follows the records, and compares the outcome with a rebuild.
 */

import sql, { type Sql } from "sql-template-tag";
import { quantize } from "../../src/embedding/quantize.ts";
import { NO_EMBEDDER, openEmbedder } from "../../src/embedding/open.ts";
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import { BUILTIN_CONFIG } from "../../src/inference/service.ts";
import { comparable } from "../../src/inference/vocabulary.ts";
import type { Reader } from "../../src/store/store.ts";
import { NO_PROJECT } from "../../src/tasks/maintenance.ts";
import { readRecords } from "../../testing/engine.ts";
import { Violation } from "./violation.ts";

/** Counts of pending work to wait for. Each entry includes the ones before it. */
const QUEUED = sql`select count(*) as n from tasks
  where status in ('pending', 'retry', 'processing') and kind not in ('derive', 'rebuild')`;
const LAGGING = sql`select count(*) as n from projects where derivation = 1
  and coalesce((select max(seq) from journal where project = number), 0) >
    coalesce((select position from derived_progress where project = number), 0)`;
const UNEMBEDDED = sql`select count(*) as n from (select 1 where exists (select 1 from journal)
  and (select max(seq) from journal) >
    coalesce((select position from embedding_models where serving = 1), 0)) as pending`;
const PENDING_QUERIES = {
  operations: [QUEUED],
  views: [QUEUED, LAGGING],
  vectors: [QUEUED, LAGGING, UNEMBEDDED],
};

/** A task that an operator can retry. */
export interface StalledTask {
  readonly id: string;
  readonly project: number;
  readonly status: "dead" | "retry";
}

/** Work whose last attempt was killed is given up, and health reports it. */
const GIVEN_UP = sql`select id, project, status from tasks
  where status = 'dead' and (kind in ('derive', 'rebuild')
    or error ->> 'code' = 'task_queue_delivery_exhausted')`;

/** The same, and work of projects that waits for its next attempt, often for 10 s or more. */
export const STALLED = sql`${GIVEN_UP} or (status = 'retry' and project <> ${NO_PROJECT})`;

/** Time limit. Anything slower is stuck. */
const DRAIN_TIMEOUT_MS = 240_000;

/** How often to check whether the work has finished, in milliseconds. */
const POLL_INTERVAL_MS = 10;

/**
 * Waits until the running server has finished everything it accepted. Retries any work given up, as
 * an operator would.
 *
 * @param stalled query of what to retry
 * @throws Violation if the work never finishes
 */
export async function waitUntilDrained(
  directory: string,
  what: keyof typeof PENDING_QUERIES,
  retry: (task: StalledTask) => Promise<void>,
  stalled: Sql = GIVEN_UP,
): Promise<void> {
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  await readRecords(directory, async (db) => {
    for (const query of PENDING_QUERIES[what]) {
      for (;;) {
        const task = await db.first<StalledTask>(stalled);
        if (task !== undefined) await retry(task);
        else if ((await db.first<{ n: number }>(query))!.n === 0) break;
        if (performance.now() > deadline) {
          throw new Violation(`stuck: ${await describePending(db)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    }
  });
}

/**
 * Compares claims with those from reading their texts again. No server may be running.
 *
 * @throws Violation naming the first difference
 */
export function checkClaimsOf(directory: string): Promise<void> {
  return readRecords(directory, checkClaims);
}

/** Compares vectors with those from embedding their texts again. */
export class VectorCheck {
  readonly #embedder = openEmbedder({ ...NO_EMBEDDER, name: "minilm" })!;
  /** Vectors by text. Most texts survive many kills. */
  readonly #vectors = new Map<string, Uint8Array>();

  /**
   * Compares all vectors and returns how many there are. Nothing may be running on the directory.
   *
   * @throws Violation naming the first difference
   */
  check(directory: string): Promise<number> {
    return readRecords(directory, async (db) => {
      const rows = await embeddedTexts(db);
      await this.#embed(rows.map(({ text }) => text).filter((text) => !this.#vectors.has(text)));
      for (const { kind, seq, text, vector } of rows) {
        if (vector !== null && isNear(vector, this.#vectors.get(text)!)) continue;
        const problem = vector === null ? "is missing" : "differs";
        throw new Violation(`the vector of ${kind}/${seq} ${problem}`);
      }
      return rows.length;
    });
  }

  close(): void {
    this.#embedder.close();
  }

  async #embed(texts: readonly string[]): Promise<void> {
    for (let from = 0; from < texts.length; from += 64) {
      const batch = texts.slice(from, from + 64);
      const vectors = await this.#embedder.embedPassages(batch);
      for (const [index, text] of batch.entries()) {
        this.#vectors.set(text, quantize(vectors[index]!));
      }
    }
  }
}

async function describePending(db: Reader): Promise<string> {
  const tasks = await db.all(sql`select id, kind, status, attempts, error from tasks
    where status <> 'success' limit 5`);
  return JSON.stringify(tasks);
}

/** Checks that verbatim memories have exactly the claims found by reading their texts again. */
async function checkClaims(db: Reader): Promise<void> {
  type Text = { id: string; memory: string; date: string };
  const texts = await db.all<Text>(sql`select id, memory, coalesce(event_date, created_at) as date
    from memories where not exists (select 1 from memory_claims as claim
      where claim.project = memories.project and memory_id = id and origin = 'inference')
    order by seq`);
  type Row = { memory_id: string; claim: string };
  const stored = Map.groupBy(
    await db.all<Row>(
      sql`select memory_id, subject_key || ' ' || attribute || ' ' || value || ' ' || op
      as claim from memory_claims where origin = 'text' order by memory_id, position`,
    ),
    (row) => row.memory_id,
  );
  const reader = new BuiltinWorkers(BUILTIN_CONFIG);
  try {
    const stated = texts.map(({ memory: text, date }) => ({ text, date }));
    const readings = (await Array.fromAsync(reader.claims(stated))).flat();
    for (const [index, { id }] of texts.entries()) {
      const reading = readings[index]!;
      const claims = "claims" in reading ? reading.claims : [];
      const again = claims.map(({ subject, attribute, value, op }) =>
        `${comparable(subject)} ${attribute} ${value} ${op}`
      );
      const found = stored.get(id)?.map(({ claim }) => claim) ?? [];
      if (again.join("\n") === found.join("\n")) continue;
      throw new Violation(`${id} claims ${found}, but its text claims ${again}`);
    }
  } finally {
    reader.close();
  }
}

/** A memory or chunk, with its text and stored vector. */
interface EmbeddedText {
  readonly kind: number;
  readonly seq: number;
  readonly text: string;
  readonly vector: Uint8Array | null;
}

/** Returns every memory and every head version's chunk. */
async function embeddedTexts(db: Reader): Promise<EmbeddedText[]> {
  type Row = Omit<EmbeddedText, "text"> & { content: string; title: string; headings: string };
  const rows = await db.all<Row>(sql`
    select 0 as kind, seq, memory as content, '' as title, '[]' as headings,
      (select vector from vectors where kind = 0 and vectors.seq = memories.seq) as vector
    from memories
    union all
    select 1, chunks.seq, content, title, heading_path, (select vector from vectors
      where kind = 1 and vectors.seq = chunks.seq)
    from chunks join document_versions as head on head.seq = version where is_head = 1`);
  return rows.map(({ kind, seq, content, title, headings, vector }) => {
    const text = kind === 0
      ? content
      : [title, ...JSON.parse(headings) as string[], content].join(". ");
    return { kind, seq, text, vector };
  });
}

/**
 * Compares vectors with a tolerance of one step, since the last digit of a sum of floats depends on
 * the other texts in the batch.
 */
function isNear(first: Uint8Array, second: Uint8Array | Int8Array): boolean {
  const [a, b] = [
    new Int8Array(first.buffer, first.byteOffset, first.length),
    new Int8Array(second.buffer, second.byteOffset, second.length),
  ];
  return a.length === b.length && a.every((value, index) => Math.abs(value - b[index]!) <= 1);
}
