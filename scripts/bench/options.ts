/** What a benchmark run can be told on its command line. */

import { parseArgs } from "node:util";

export const BENCH_NAMES = [
  "memories",
  "search",
  "documents",
  "embedding",
  "inference",
  "mcp",
  "start",
  "uploads",
] as const;

/** The parts that can be run one by one. */
export type BenchName = typeof BENCH_NAMES[number];

/** The settings of a run. */
export interface BenchOptions {
  readonly benches: readonly BenchName[];
  readonly json: boolean;
  /** Where seeded data directories are kept for the next run; null: thrown away. */
  readonly data: string | null;
  /** LoCoMo's turns as JSON lines; that part is left out when the file isn't there. */
  readonly dialogue: string;
  /** A Markdown file that is ingested too; none when empty. */
  readonly markdown: string;
  readonly sizes: readonly number[];
  readonly clients: readonly number[];
  readonly searchClients: readonly number[];
  /** What embeds the queries of the search benchmark: `none` or `minilm`. */
  readonly embedder: string;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly starts: number;
  /** A folder of files that are uploaded while others search. */
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
  --json                 figures as JSON
  --data DIR             keep seeded directories here, and use those that are there
  --dialogue FILE        LoCoMo's memories.jsonl, questions.jsonl beside it  ${DEFAULTS.dialogue}
  --markdown FILE        a large Markdown file to ingest beside generated ones
  --sizes N,…            memories, or chunks, in the sets                     ${DEFAULTS.sizes}
  --n N                  the same, for one size
  --clients N,…          clients that add                                    ${DEFAULTS.clients}
  --search-clients N,…   clients that search                                 ${
  DEFAULTS["search-clients"]
}
  --embedder NAME        of queries in search: minilm or none                ${DEFAULTS.embedder}
  --seconds N            length of each measurement                          ${DEFAULTS.seconds}
  --warm-up N            seconds before it that don't count                  ${DEFAULTS["warm-up"]}
  --starts N             starts of each data directory                       ${DEFAULTS.starts}
  --files DIR            files that are extracted beside searches
                         ${DEFAULTS.files}
  --rounds N             turns of searches alone and beside them, and adds   ${DEFAULTS.rounds}
  --log-level LEVEL      of the server                                       ${
  DEFAULTS["log-level"]
}`;

/** @throws TypeError for an unknown option, RangeError for a value that can't be used */
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
  if (found === undefined) throw new RangeError(`No benchmark "${name}"`);
  return found;
}

function parseNumbers(list: string): number[] {
  const found = list.split(",").filter((item) => item !== "").map(Number);
  if (found.some((item) => !(item >= 0))) throw new RangeError(`"${list}" is no list of numbers`);
  return found;
}
