// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench caches --base DIR [--head DIR] [--size N] [--rounds N]`: compares the caches of
 * two checkouts with the same folder layout, with fewer and with more distinct words than they hold.
 *
 * - Tokenizers of both run in this process. Figures are medians of the CPU time per word.
 * - Searches and adds go to one server of each checkout, with equal data. Most searches have words
 *   that no earlier search had. Latencies are those of all rounds. CPU time is that of the server.
 * - `LruCache` is compared with `TwoGenerationCache`, from the second checkout.
 *
 * The checkouts take turns within each round, so that changes in the load of the machine affect
 * both. Both need `deno install`. The second one defaults to this repository.
 */

import { cpuUsage } from "node:process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { encodeRequest, HttpConnection } from "../../testing/http_connection.ts";
import type { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { TextGenerator } from "./corpus.ts";
import { cpuMs, waitUntilIdle } from "./process_usage.ts";
import { AUTH_HEADERS, copyDirectory, seededDirectory } from "./seed.ts";

const DEFAULT_SIZE = 50_000;
const DEFAULT_ROUNDS = 7;

/**
 * Turns per server in a round, and searches per turn. The new words in 2,000 searches fill a cache
 * of 50,000 document frequencies. Short turns spread machine load evenly.
 */
const TURNS_PER_ROUND = 8;
const SEARCHES_PER_TURN = 200;
const NEW_WORDS_PER_SEARCH = 24;

/** Adds per turn, and messages per add. Each round has one turn. */
const ADDS_PER_TURN = 20;
const MESSAGES_PER_ADD = 100;

/** Number of texts in each tokenized set. */
const TEXT_COUNT = 3_000;
const MAX_TOKENS = 512;

/** Words unique to each text in the second set: 60,000 in total, more than a cache holds. */
const NEW_WORDS_PER_TEXT = 20;

/** Figures keyed by name. The name ends with the unit. */
type Figures = Record<string, number>;

/** Returns a word made of letters, different for each number. */
function wordOfNumber(number: number): string {
  let word = "z";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 16)) {
    word += "bdfghklmnprstvwx"[rest % 16]! + "aeiou"[rest % 5]!;
  }
  return word;
}

function newWords(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => wordOfNumber(first + index)).join(" ");
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Returns the CPU time of a function in nanoseconds, divided by a count. */
function cpuPer(count: number, run: () => void): number {
  const before = cpuUsage();
  run();
  const { user, system } = cpuUsage(before);
  return (user + system) * 1_000 / count;
}

type Tokenizers = Readonly<Record<string, (text: string) => unknown>>;

async function loadTokenizers(tree: string): Promise<Tokenizers> {
  const load = (path: string) => import(pathToFileURL(join(tree, "src", path)).href);
  const { hashedTermsOf } = await load("search/query/terms.ts");
  const { BUILTIN_MODELS } = await load("embedding/builtin_models.ts");
  const { readTokenizer } = await load("embedding/tokenizer.ts");
  const [wordPiece, unigram] = ["minilm", "e5"].map((name) => readTokenizer(BUILTIN_MODELS[name]));
  return {
    terms: hashedTermsOf,
    WordPiece: (text) => wordPiece.encode(text, MAX_TOKENS),
    Unigram: (text) => unigram.encode(text, MAX_TOKENS),
  };
}

/** Measures each checkout's tokenizers in this process. */
async function measureTokenizers(trees: readonly string[], rounds: number): Promise<Figures[]> {
  const loaded = await Promise.all(trees.map(loadTokenizers));
  const generator = new TextGenerator();
  const known = Array.from({ length: TEXT_COUNT }, () => generator.memory());
  const many = known.map((text, index) =>
    `${text} ${newWords(index * NEW_WORDS_PER_TEXT, NEW_WORDS_PER_TEXT)}`
  );
  const sets = [["few words", known, 10 * rounds], ["many words", many, rounds]] as const;
  const figures: Figures[] = trees.map(() => ({}));
  for (const [set, texts, passes] of sets) {
    const words = texts.reduce((sum, text) => sum + text.split(" ").length, 0);
    for (const name of Object.keys(loaded[0]!)) {
      const times: number[][] = trees.map(() => []);
      for (let pass = 0; pass < passes; pass++) {
        for (const [index, tokenizers] of inTurn([...loaded.entries()], pass)) {
          const tokenize = tokenizers[name]!;
          times[index]!.push(cpuPer(words, () => texts.forEach((text) => tokenize(text))));
        }
      }
      for (const [index, list] of times.entries()) {
        figures[index]![`${name}, ${set}, ns/word`] = quantile(list, 0.5);
      }
    }
  }
  return figures;
}

/** Compares hits and evictions for both kinds of caches, at the size of the stem cache. */
async function measureStructures(tree: string): Promise<Figures> {
  const load = (path: string) => import(pathToFileURL(join(tree, "src/kernel/caches", path)).href);
  const { LruCache } = await load("lru_cache.ts");
  const { TwoGenerationCache } = await load("two_generation_cache.ts");
  const figures: Figures = {};
  const [size, count] = [50_000, 200_000];
  const keys = Array.from({ length: size + count }, (_, index) => wordOfNumber(index));
  for (const Cache of [LruCache, TwoGenerationCache]) {
    const cache = new Cache(size);
    for (const key of keys.slice(0, size)) cache.set(key, key);
    const recent = keys.slice(size - 1_000, size);
    figures[`${Cache.name}, hit, ns`] = cpuPer(count, () => {
      for (let done = 0; done < count; done += recent.length) {
        for (const key of recent) cache.get(key);
      }
    });
    figures[`${Cache.name}, new entry in a full cache, ns`] = cpuPer(count, () => {
      for (let index = size; index < keys.length; index++) cache.set(keys[index], index);
    });
  }
  return figures;
}

/** A server under measurement, with its search latencies and its CPU time per round. */
class ServerUnderTest {
  readonly latencies: number[] = [];
  readonly searchCpu: number[] = [];
  readonly addCpu: number[] = [];
  readonly #server: ServerProcess;
  readonly #connection: HttpConnection;
  readonly #directory: string;

  private constructor(server: ServerProcess, connection: HttpConnection, directory: string) {
    this.#server = server;
    this.#connection = connection;
    this.#directory = directory;
  }

  static async start(tree: string, seeded: string): Promise<ServerUnderTest> {
    const directory = copyDirectory(seeded);
    const program = await import(pathToFileURL(join(tree, "testing/server_process.ts")).href);
    const server: ServerProcess = await program.ServerProcess.start(directory);
    return new ServerUnderTest(server, await HttpConnection.open(server.url), directory);
  }

  /** Sends one turn of searches. Turns with the same number send the same searches. */
  async search(turn: number): Promise<void> {
    const text = new TextGenerator(turn + 1);
    const before = cpuMs(this.#server.pid);
    for (let call = 0; call < SEARCHES_PER_TURN; call++) {
      const first = (turn * SEARCHES_PER_TURN + call) * NEW_WORDS_PER_SEARCH;
      const query = `${text.query()} ${newWords(first, NEW_WORDS_PER_SEARCH)}`;
      const start = performance.now();
      await this.#send("/v1/memories/search", { query });
      this.latencies.push(performance.now() - start);
    }
    this.searchCpu.push((cpuMs(this.#server.pid) - before) / SEARCHES_PER_TURN);
  }

  /** Sends one turn of adds and waits for the resulting work to finish. */
  async add(turn: number): Promise<void> {
    const text = new TextGenerator(-1 - turn);
    const before = cpuMs(this.#server.pid);
    for (let call = 0; call < ADDS_PER_TURN; call++) {
      const messages = Array.from(
        { length: MESSAGES_PER_ADD },
        () => ({ role: "user", content: text.memory() }),
      );
      await this.#send("/v1/memories", { messages, user_id: `bench-${turn}`, infer: false });
    }
    await waitUntilIdle(this.#server.pid);
    this.addCpu.push((cpuMs(this.#server.pid) - before) / ADDS_PER_TURN / MESSAGES_PER_ADD);
  }

  async waitUntilIdle(): Promise<void> {
    await waitUntilIdle(this.#server.pid);
  }

  figures(): Figures {
    return {
      "search, p50, ms": quantile(this.latencies, 0.5),
      "search, p99, ms": quantile(this.latencies, 0.99),
      "search, p99.9, ms": quantile(this.latencies, 0.999),
      "search, server CPU, ms": quantile(this.searchCpu, 0.5),
      "memory added, server CPU, ms": quantile(this.addCpu, 0.5),
    };
  }

  async stop(): Promise<void> {
    this.#connection.close();
    await this.#server.stop();
    await rm(this.#directory);
  }

  async #send(path: string, body: unknown): Promise<void> {
    const reply = await this.#connection.send(encodeRequest("POST", path, AUTH_HEADERS, body));
    if (reply.status !== 200) throw new Error(`${path} failed: ${reply.head}`);
  }
}

/** Returns the items in order, or reversed every other turn. */
function inTurn<T>(items: readonly T[], turn: number): readonly T[] {
  return turn % 2 === 0 ? items : items.toReversed();
}

async function measureServers(
  trees: readonly string[],
  size: number,
  rounds: number,
): Promise<Figures[]> {
  const seeds = makeTempDirSync();
  const servers: ServerUnderTest[] = [];
  try {
    const seeded = await seededDirectory(seeds, size);
    for (const tree of trees) servers.push(await ServerUnderTest.start(tree, seeded));
    // The first searches load the thread indexes, so we discard their figures.
    for (const server of servers) {
      await server.search(0);
      await server.waitUntilIdle();
      server.latencies.length = server.searchCpu.length = 0;
    }
    for (let turn = 1; turn <= rounds * TURNS_PER_ROUND; turn++) {
      for (const server of inTurn(servers, turn)) await server.search(turn);
    }
    for (let turn = 1; turn <= rounds; turn++) {
      for (const server of inTurn(servers, turn)) await server.add(turn);
    }
    return servers.map((server) => server.figures());
  } finally {
    for (const server of servers) await server.stop();
    await rm(seeds);
  }
}

async function compare(trees: readonly [string, string], size: number, rounds: number) {
  const tokenizers = await measureTokenizers(trees, rounds);
  const servers = await measureServers(trees, size, rounds);
  const [base, head] = tokenizers.map((figures, index) => ({ ...figures, ...servers[index]! }));
  const structures = await measureStructures(trees[1]);
  const digits = (value: number) => value < 10 ? value.toFixed(3) : value.toFixed(0);
  console.log(formatTable([
    ...Object.entries(base!).map(([what, before]) => {
      const after = head![what]!;
      const change = `${((after / before - 1) * 100).toFixed(1)} %`;
      return { what, base: digits(before), head: digits(after), change };
    }),
    ...Object.entries(structures).map(([what, value]) => ({ what, head: digits(value) })),
  ]));
}

const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    base: { type: "string" },
    head: { type: "string", default: resolve(import.meta.dirname!, "../..") },
    size: { type: "string", default: String(DEFAULT_SIZE) },
    rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
  },
});
if (values.base === undefined) throw new Error("Pass --base DIR, the checkout to compare with");
await compare(
  [resolve(values.base), resolve(values.head)],
  Number(values.size),
  Number(values.rounds),
);
