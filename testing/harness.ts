/** Starts a real server on a real data directory, with a client that exposes complete responses. */

import type { Sql } from "sql-template-tag";
import { runCommandLine } from "../src/cli/main.ts";
import { NO_EMBEDDER } from "../src/embedding/open.ts";
import type { ServerConfig } from "../src/server/config.ts";
import { type RunningServer, startServer } from "../src/server/serve.ts";
import { type Contract, fetchContract } from "./contract.ts";
import { startCluster } from "./cluster.ts";
import {
  claimTestDatabase,
  isClusterTested,
  queryRecords,
  removeTestDatabase,
  testDatabase,
  testDatabaseUrl,
  useTestDatabase,
} from "./engine.ts";
import "./note_statements.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";
import { waitUntil } from "./wait_until.ts";

/** Optional parts of a request to the server under test. */
export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of a JSON body. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** The key to send, or null for none. Defaults to the key with every permission. */
  readonly key?: string | null;
}

/** A response whose body has been read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON, typed by the caller. Undefined if the response has no JSON body. */
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** A server for a single test. */
export interface TestServer {
  readonly url: string;
  readonly directory: string;
  /** The server's first key, with every permission for the project `default`. */
  readonly key: string;
  /** Sends a request and checks the response against the OpenAPI document. */
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Stores a memory verbatim and returns its id. */
  add(content: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Runs a management command on the server's data directory and returns its `--json` output. */
  // deno-lint-ignore no-explicit-any -- as for Reply
  manage(...args: readonly string[]): Promise<any>;
  /** Runs a statement on the server's records, in the SQL that both engines understand. */
  records<Row>(query: Sql): Promise<Row[]>;
  /** Creates a key through the command line, and the project too if it doesn't exist yet. */
  createKey(project: string, ...permissions: readonly string[]): Promise<string>;
  /** Resolves once every memory and chunk in the default project has its vector. */
  waitForEmbeddings(): Promise<void>;
  /** Stops the server so that a test can inspect its directory. Call `start` afterwards. */
  stop(): Promise<void>;
  start(settings?: Partial<ServerConfig>): Promise<void>;
  /** Stops the server and starts a new one on the same directory. */
  restart(): Promise<void>;
}

export const KEY = "cpl_test-key-of-the-default-project";

/**
 * Runs `work` against a fresh server. Afterwards, stops the server and removes its directory, even
 * if `work` fails.
 *
 * @param config overrides the default settings for tests
 */
export async function withServer(
  work: (server: TestServer) => Promise<void>,
  config: Partial<ServerConfig> = {},
): Promise<void> {
  const directory = makeTempDirSync();
  if (config.database !== undefined) useTestDatabase(directory, config.database);
  config = { ...config, database: testDatabase(directory) };
  await claimTestDatabase(directory);
  let running = await start(directory, config);
  let contract: Contract | undefined;
  const server: TestServer = {
    get url() {
      return running.url;
    },
    directory,
    key: KEY,
    async call(method, path, options = {}) {
      const reply = await call(running.url, method, path, options);
      contract ??= await fetchContract(running.url);
      contract.check(method, path, reply);
      return reply;
    },
    async add(content, fields = { user_id: "ana" }) {
      const body = { content, infer: false, ...fields };
      const added = await server.call("POST", "/v1/memories", { body });
      return added.json.results[0].id;
    },
    manage: (...args) => manage(directory, args),
    records: (query) => queryRecords(directory, query),
    async createKey(project, ...permissions) {
      const projects: { name: string }[] = await server.manage("projects", "list");
      if (!projects.some(({ name }) => name === project)) {
        await server.manage("projects", "create", project);
      }
      const flags = permissions.length === 0 ? [] : ["--permissions", permissions.join(",")];
      return (await server.manage("keys", "create", "--project", project, ...flags)).key;
    },
    async waitForEmbeddings() {
      const pending = async (): Promise<number> =>
        (await server.call("GET", "/v1/health")).json.projections.vector_pending;
      // Any number of pending texts is fine, as long as it keeps shrinking.
      for (let remaining = Infinity; remaining > 0;) {
        const before = remaining;
        remaining = await waitUntil(pending, (now) => now < before);
      }
    },
    async stop() {
      await running.stop();
    },
    async start(settings = {}) {
      running = await start(directory, { ...config, ...settings });
    },
    async restart() {
      await server.stop();
      await server.start();
    },
  };
  try {
    await work(server);
  } finally {
    await running.stop();
    await rm(directory);
    await removeTestDatabase(directory);
  }
}

function start(directory: string, settings: Partial<ServerConfig>): Promise<RunningServer> {
  const config: ServerConfig = {
    data: directory,
    host: "127.0.0.1",
    port: 0,
    logLevel: "off",
    metrics: true,
    apiKey: KEY,
    embedder: NO_EMBEDDER,
    searchMemoryBytes: 2 ** 26,
    ...settings,
  };
  return isClusterTested ? startCluster(config) : startServer(config, () => {});
}

async function manage(
  directory: string,
  args: readonly string[],
): Promise<unknown> {
  const url = testDatabaseUrl(directory);
  const printed: string[] = [];
  const status = await runCommandLine([...args, "--data", directory, "--json"], {
    print: (line) => void printed.push(line),
    environment: (name) => name === "COMMONPLACE_DATABASE_URL" ? url : undefined,
    confirm: () => null,
  });
  if (status !== 0) throw new Error(`commonplace ${args.join(" ")} failed`);
  return JSON.parse(printed.join("\n"));
}

/** Sends one request and reads the whole response. */
export async function call(
  url: string,
  method: string,
  path: string,
  { body, raw, headers = {}, key = KEY }: RequestOptions,
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}
