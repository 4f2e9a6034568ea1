/**
 * Measures the service from the outside: a separate process under real HTTP load. We generate the
 * load in this process and report its CPU time separately from the server's.
 */

import { formatTable } from "../../src/cli/command.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { benchBacklog } from "./backlog.ts";
import { benchContext } from "./context.ts";
import { benchDocuments } from "./documents.ts";
import { benchEmbedding } from "./embedding.ts";
import { benchFootprint } from "./footprint.ts";
import { benchFreshness } from "./freshness.ts";
import { benchInference } from "./inference.ts";
import { benchMcp } from "./mcp.ts";
import { benchMemories } from "./memories.ts";
import { type BenchName, type BenchOptions, parseOptions, USAGE } from "./options.ts";
import { runScript } from "../run_script.ts";
import { type Row, tableRows } from "./report.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { benchUploads } from "./uploads.ts";

const RUNNERS: Readonly<Record<BenchName, (o: BenchOptions, seeds: string) => Promise<Row[]>>> = {
  memories: benchMemories,
  search: benchSearch,
  documents: benchDocuments,
  context: benchContext,
  embedding: benchEmbedding,
  backlog: benchBacklog,
  freshness: benchFreshness,
  inference: benchInference,
  footprint: benchFootprint,
  mcp: benchMcp,
  start: benchStart,
  uploads: benchUploads,
};

const encoder = new TextEncoder();

/** Runs the benchmarks named by the arguments. Returns the exit code. */
async function bench(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    Deno.stdout.writeSync(encoder.encode(USAGE + "\n"));
    return 0;
  }
  const options = parseOptions(args);
  const seeds = options.data ?? makeTempDirSync();
  const rows: Row[] = [];
  try {
    for (const name of options.benches) rows.push(...await RUNNERS[name](options, seeds));
  } finally {
    if (options.data === null) await rm(seeds);
  }
  const text = options.json ? JSON.stringify(rows) : formatTable(tableRows(rows));
  Deno.stdout.writeSync(encoder.encode(text + "\n"));
  return rows.some((row) => row.note?.includes("failed")) ? 1 : 0;
}

// These have options of their own, e.g. to compare two checkouts or engines.
const SCRIPTS = [
  "extraction",
  "caches",
  "checkouts",
  "cluster",
  "engines",
  "images",
  "processes",
  "reads",
  "sizing",
  "tagger",
];

Deno.exit(
  SCRIPTS.includes(Deno.args[0] ?? "")
    ? await runScript(new URL("./", import.meta.url), SCRIPTS)
    : await bench(Deno.args),
);
