/** `commonplace status`: shows whether the service runs, what it stores, and what it still has to do. */

import sql from "sql-template-tag";
import { BUILTIN_MODELS, isBuiltin } from "../../embedding/builtin_models.ts";
import { delay, systemTimers } from "../../kernel/timers.ts";
import { readEmbedderChoice } from "../../search/vectors/embedder_choice.ts";
import { countPending, listModels } from "../../search/vectors/vector_store.ts";
import { findRunningServer } from "../../server/server_file.ts";
import type { Reader } from "../../store/store.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  type Terminal,
  withServices,
} from "../command.ts";
import { configuredEmbedder } from "../models/embedder.ts";

/** Time between two counts of the pending vectors, to measure the rate, in milliseconds. */
const SAMPLE_MS = 1_000;

interface Status {
  readonly service: string;
  readonly data: string;
  readonly projects: number;
  readonly memories: number;
  readonly chunks: number;
  readonly embedder: string | null;
  readonly vectors_pending: number;
  readonly vectors_per_second: number | null;
  readonly vector_seconds_left: number | null;
}

export const status: Command = {
  name: "status",
  summary: "show whether the service runs and what it is working on",
  usage: ["commonplace status"],
  async run(args, terminal) {
    const flags = readFlags(args);
    const directory = dataDirectory(flags, terminal);
    const stored = await withServices(
      flags,
      terminal,
      async ({ appContext: { store } }) => {
        const choice = configuredEmbedder(flags, terminal, await store.read(readEmbedderChoice));
        return await readStatus((work) => store.read(work), choice);
      },
    );
    const running = findRunningServer(directory);
    const result: Status = { service: running?.url ?? "not running", data: directory, ...stored };
    if (flags.switches.has("json")) return printResult(terminal, flags, result);
    printLines(result, terminal);
  },
};

type Read = <T>(work: (db: Reader) => Promise<T>) => Promise<T>;

async function readStatus(
  read: Read,
  embedder: string | null,
): Promise<Omit<Status, "service" | "data">> {
  const counts = await read((db) =>
    db.first<{ projects: number; memories: number; chunks: number }>(sql`select
      (select count(*) from projects) as projects,
      (select coalesce(sum(total_memories), 0) from scope_totals where type = 'project') as memories,
      (select coalesce(sum(chunks), 0) from document_totals) as chunks`)
  );
  const model = await modelOf(embedder, read);
  const pending = () =>
    read((db) => model === null ? Promise.resolve(0) : countPending(db, model, null));
  const first = await pending();
  let [last, rate] = [first, null as number | null];
  if (first > 0) {
    const start = performance.now();
    await delay(systemTimers, SAMPLE_MS);
    last = await pending();
    rate = Math.max(0, (first - last) / (performance.now() - start) * 1_000);
  }
  return {
    ...counts!,
    embedder: model,
    vectors_pending: last,
    vectors_per_second: rate === null ? null : Math.round(rate),
    vector_seconds_left: rate ? Math.ceil(last / rate) : null,
  };
}

/** Returns the id of the model that texts are embedded with, or null if none is. */
async function modelOf(embedder: string | null, read: Read): Promise<string | null> {
  if (embedder === "none") return null;
  if (embedder !== null && isBuiltin(embedder)) return BUILTIN_MODELS[embedder].id;
  // Another endpoint's id is known once its model is registered.
  return (await read(listModels)).at(-1)?.id ?? null;
}

function printLines(status: Status, terminal: Terminal): void {
  const { vectors_pending: pending, vectors_per_second: rate, vector_seconds_left: left } = status;
  const progress = pending === 0 ? "up to date" : `${pending} texts to embed` +
    (rate ? `, ${rate} per second, about ${left} s left` : ", not in progress");
  const lines = [
    ["Service", status.service],
    ["Data", status.data],
    ["Projects", String(status.projects)],
    ["Memories", String(status.memories)],
    ["Passages", String(status.chunks)],
    ["Embedder", status.embedder ?? "not used yet"],
    ["Vectors", progress],
  ];
  for (const [name, value] of lines) terminal.print(`${name!.padEnd(10)}${value}`);
}
