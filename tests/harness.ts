/** What tests stand on: a real server on a real data directory, and a client that shows everything. */

import { makeTempDirSync, rm } from "./temporary.ts";
import { type RunningServer, startServer } from "../src/server/serve.ts";

/** What a request to the server under test may have beside its method and path. */
export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a JSON body. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends none; left out, the key of every permission is sent. */
  readonly key?: string | null;
}

/** An answer with its body already read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, typed by whoever reads it; undefined when there is none. */
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** A server of a test's own. */
export interface TestServer {
  readonly url: string;
  readonly directory: string;
  /** The first key: every permission, project `default`. */
  readonly key: string;
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Stops the server and starts another on the same directory. */
  restart(): Promise<void>;
}

const KEY = "cpl_test-key-of-the-default-project";

/** Runs `work` against a fresh server, and clears away both whatever happens. */
export async function withServer(work: (server: TestServer) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  let running = await start(directory);
  try {
    await work({
      get url() {
        return running.url;
      },
      directory,
      key: KEY,
      call: (method, path, options = {}) => call(running.url, method, path, options),
      async restart() {
        await running.stop();
        running = await start(directory);
      },
    });
  } finally {
    await running.stop();
    await rm(directory);
  }
}

function start(directory: string): Promise<RunningServer> {
  const config = {
    data: directory,
    host: "127.0.0.1",
    port: 0,
    logLevel: "off" as const,
    metrics: true,
    apiKey: KEY,
  };
  return startServer(config, () => {});
}

/** One request, its answer read to the end. */
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
