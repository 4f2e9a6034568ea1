/** Parses the benchmark command line. */

import { parseArgs } from "node:util";

const BENCH_NAMES = [
  "memories",
  "search",
  "documents",
  "context",
  "embedding",
  "backlog",
  "freshness",
  "inference",
  "footprint",
  "mcp",
  "start",
  "uploads",
] as const;

/** The name of a benchmark that can run on its own. */
export type BenchName = typeof BENCH_NAMES[number];

/** Options for a run. */
export interface BenchOptions {
  readonly benches: readonly BenchName[];
  readonly json: boolean;
  /** Folder that keeps seeded data directories for the next run, or null to delete them. */
  readonly data: string | null;
  /** LoCoMo turns as JSON lines. If the file is missing, this benchmark is skipped. */
  readonly dialogue: string;
  /** An extra Markdown file to ingest. Empty for none. */
  readonly markdown: string;
  readonly sizes: readonly number[];
  readonly clients: readonly number[];
  readonly searchClients: readonly number[];
  /** Embedder for the queries in the search benchmark, and for footprint: `none` or `minilm`. */
  readonly embedder: string;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly starts: number;
  /** Folder with files to upload while searches are measured. */
  readonly files: string;
  readonly rounds: number;
  readonly logLevel: string;
}

const DEFAULTS = {
  dialogue: "../shared/eval/locomo/memories.jsonl",
  markdown: "",
  sizes: "10000,100000",
  clients: "1,8,32",
  "search-clients": "1,8",
  embedder: "minilm",
  seconds: "5",
  "warm-up": "1",
  starts: "5",
  files: "../shared/eval/extraction/sources/pdf",
  rounds: "5",
  "log-level": "info",
} as const;

export const USAGE = `deno task bench [${BENCH_NAMES.join(" | ")}]… [options]
  --json                 print the figures as JSON
  --data DIR             keep seeded directories here and reuse existing ones
  --dialogue FILE        memories.jsonl of LoCoMo, next to questions.jsonl
                         ${DEFAULTS.dialogue}
  --markdown FILE        large Markdown file to ingest, in addition to generated ones
  --sizes N,…            number of memories or chunks in the sets            ${DEFAULTS.sizes}
  --n N                  same as --sizes, for one size
  --clients N,…          number of clients that add                          ${DEFAULTS.clients}
  --search-clients N,…   number of clients that search                       ${
  DEFAULTS["search-clients"]
}
  --embedder NAME        embedder of searches: minilm or none                ${DEFAULTS.embedder}
  --seconds N            duration of each measurement, in seconds            ${DEFAULTS.seconds}
  --warm-up N            duration of the warm-up before it, in seconds       ${DEFAULTS["warm-up"]}
  --starts N             number of starts of each data directory             ${DEFAULTS.starts}
  --files DIR            folder of files to extract during searches
                         ${DEFAULTS.files}
  --rounds N             rounds of uploads, and number of inferred adds      ${DEFAULTS.rounds}
  --log-level LEVEL      log level of the server                             ${
  DEFAULTS["log-level"]
}`;

/**
 * Returns the options for a run.
 *
 * @throws {TypeError} if an option is unknown
 * @throws {RangeError} if a value is invalid
 */
export function parseOptions(args: readonly string[]): BenchOptions {
  const texts = Object.entries(DEFAULTS)
    .map(([name, value]) => [name, { type: "string" as const, default: value as string }] as const);
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(texts),
      json: { type: "boolean", default: false },
      data: { type: "string" },
      n: { type: "string" },
    },
    allowPositionals: true,
  });
  const text = (name: keyof typeof DEFAULTS) => String((values as Record<string, unknown>)[name]);
  return {
    benches: positionals.length === 0 ? BENCH_NAMES : positionals.map(parseBenchName),
    json: values.json === true,
    data: values.data === undefined ? null : String(values.data),
    dialogue: text("dialogue"),
    markdown: text("markdown"),
    sizes: parseNumbers(values.n === undefined ? text("sizes") : String(values.n)),
    clients: parseNumbers(text("clients")),
    searchClients: parseNumbers(text("search-clients")),
    embedder: text("embedder"),
    seconds: parseNumbers(text("seconds"))[0]!,
    warmUpSeconds: parseNumbers(text("warm-up"))[0]!,
    starts: parseNumbers(text("starts"))[0]!,
    files: text("files"),
    rounds: parseNumbers(text("rounds"))[0]!,
    logLevel: text("log-level"),
  };
}

function parseBenchName(name: string): BenchName {
  const found = BENCH_NAMES.find((bench) => bench === name);
  if (found === undefined) {
    throw new RangeError(`Unknown benchmark "${name}"; expected one of ${BENCH_NAMES.join(", ")}`);
  }
  return found;
}

function parseNumbers(list: string): number[] {
  const numbers = list.split(",").filter((item) => item !== "").map(Number);
  if (numbers.some((number) => !(number >= 0))) {
    throw new RangeError(`Expected numbers separated by commas, received "${list}"`);
  }
  return numbers;
}
