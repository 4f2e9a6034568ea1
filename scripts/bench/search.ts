/**
 * Measures searches across the whole project, by users who own 5 %, 1 % and 0.1 % of it, and with a
 * filter that matches nothing. There are three phases: the first search after a start, searches by
 * one or several clients on warm caches, and searches during adds.
 */

import { encodeRequest } from "../../testing/http_connection.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { withConcurrentAdds } from "./concurrent_adds.ts";
import {
  type BenchQuery,
  readDialogue,
  readQuestions,
  TextGenerator,
  USER_SHARES,
} from "./corpus.ts";
import { type Load, runLoad } from "./load.ts";
import { MAX_CALLS } from "./memories.ts";
import type { BenchOptions } from "./options.ts";
import { residentMb, waitUntilIdle } from "./process_usage.ts";
import { round, type Row, statsRow } from "./report.ts";
import { addRequest, AUTH_HEADERS, copyDirectory, seedDialogue, seededDirectory } from "./seed.ts";

const ADDS_PER_SECOND = 500;

/** Measures searches in the dialogue and in generated sets of each size. */
export async function benchSearch(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  const dialogue = readDialogue(options.dialogue);
  if (dialogue === null) rows.push({ what: "search", on: "dialogue", note: "file not found" });
  else {
    const directory = makeTempDirSync();
    const seeder = await ServerProcess.start(directory);
    await seedDialogue(seeder, dialogue).finally(() => seeder.stop());
    const scoped = readQuestions(options.dialogue);
    const unscoped = scoped.map(({ query }) => ({ query }));
    const sets = { conversation: roundRobin(scoped), unscoped: roundRobin(unscoped) };
    rows.push(...await measure(options, "dialogue", directory, sets));
  }
  const kind = options.embedder === "none" ? "generated" : "vectors";
  for (const size of options.sizes) {
    const directory = copyDirectory(await seededDirectory(seeds, size, kind));
    rows.push(...await measure(options, `${size} generated`, directory, generatedQueries(size)));
  }
  return rows;
}

/** Functions that return the next query, keyed by set name. */
type QuerySources = Readonly<Record<string, () => BenchQuery>>;

/** Returns a source that repeats its queries. The server caches the last 1,000 query vectors. */
function roundRobin(queries: readonly BenchQuery[]): () => BenchQuery {
  let turn = 0;
  return () => queries[turn++ % queries.length]!;
}

/** Matches nothing, so every memory has to be checked. */
const MATCH_NOTHING = { created_at: { gt: "2999-01-01" } };

/** Returns sources that never repeat a query, so each query needs embedding. */
function generatedQueries(size: number): QuerySources {
  const text = new TextGenerator(size + 1);
  const scoped = Object.keys(USER_SHARES)
    .map((user_id) => [user_id, () => ({ query: text.query(), user_id })] as const);
  return {
    ...Object.fromEntries(scoped),
    unscoped: () => ({ query: text.query() }),
    filtered: () => ({ query: text.query(), filters: MATCH_NOTHING }),
  };
}

async function measure(
  options: BenchOptions,
  on: string,
  directory: string,
  sets: QuerySources,
): Promise<Row[]> {
  const { logLevel, embedder } = options;
  const server = await ServerProcess.start(directory, { logLevel, embedder });
  const idle = residentMb(server.pid);
  const rows: Row[] = [];
  try {
    const unscoped = () => searchRequest(sets["unscoped"]!());
    const first = { clients: 1, seconds: 60, maxCalls: 1, next: unscoped };
    rows.push(statsRow("first search", on, 1, await runLoad(server, first)));
    // The vectors and thread indexes are in memory by now. Searches before this point take longer.
    const start = performance.now();
    await waitUntilIdle(server.pid);
    const note = `after ${round((performance.now() - start) / 1_000, 0)} s`;
    rows.push({ what: "caches filled", on, after_mb: round(residentMb(server.pid), 0), note });
    for (const [set, query] of Object.entries(sets)) {
      for (const clients of options.searchClients) {
        const load: Load = {
          clients,
          seconds: options.seconds,
          maxCalls: MAX_CALLS,
          next: () => searchRequest(query()),
        };
        await runLoad(server, { ...load, seconds: options.warmUpSeconds });
        const row = statsRow(`search ${set}`, on, clients, await runLoad(server, load));
        rows.push({ ...row, idle_mb: round(idle, 0), after_mb: round(residentMb(server.pid), 0) });
      }
    }
    rows.push(await measureDuringAdds(options, on, server, unscoped));
  } finally {
    await server.stop();
    await rm(directory);
  }
  return rows;
}

async function measureDuringAdds(
  { seconds }: BenchOptions,
  on: string,
  server: ServerProcess,
  next: () => Uint8Array,
): Promise<Row> {
  const text = new TextGenerator(ADDS_PER_SECOND);
  const add = () => addRequest({ content: text.memory(), user_id: "other-0" });
  const load: Load = { clients: 1, seconds, maxCalls: MAX_CALLS, next };
  const [stats, added] = await withConcurrentAdds(
    server,
    ADDS_PER_SECOND,
    add,
    () => runLoad(server, load),
  );
  const row = statsRow("search during adds", on, 1, stats);
  return {
    ...row,
    after_mb: round(residentMb(server.pid), 0),
    note: row.note ?? `${round(added / seconds, 0)} adds/s`,
  };
}

function searchRequest(query: BenchQuery): Uint8Array {
  return encodeRequest("POST", "/v1/memories/search", AUTH_HEADERS, query);
}
