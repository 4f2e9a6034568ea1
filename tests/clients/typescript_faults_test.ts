/** What the TypeScript client does with bad connections and bad responses. */

import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import {
  type ClientOptions,
  Commonplace,
  CommonplaceError,
  ConnectionFailed,
  NotFound,
  RateLimited,
  ServerError,
  TimedOut,
  Unavailable,
  UnexpectedResponse,
} from "../../clients/typescript/src/index.ts";
import { freePort } from "../../testing/free_port.ts";

const HTML = { "content-type": "text/html" };
const ADDED = { results: [{ id: "mem_1", memory: "x", event: "ADD" }] };

/** A response, or something that a request gets instead of one. */
type Script = (request: Request) => Response | Promise<Response>;

/**
 * Calls `work` with a client of a server that responds to its first request with the first script,
 * and so on; the last script serves all further requests. Passes on the idempotency keys received.
 */
async function withScripts(
  scripts: readonly Script[],
  work: (client: Commonplace, keys: readonly (string | null)[]) => Promise<void>,
  options: ClientOptions = {},
): Promise<void> {
  const keys: (string | null)[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    keys.push(request.headers.get("idempotency-key"));
    return scripts[Math.min(keys.length, scripts.length) - 1]!(request);
  });
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  try {
    await work(new Commonplace({ baseUrl, apiKey: "cpl_x", userId: "ana", ...options }), keys);
  } finally {
    await server.shutdown();
  }
}

/** Calls `work` while timers only fire when it advances the time, in milliseconds. */
async function withTimers(work: (advance: (milliseconds: number) => void) => Promise<void>) {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  let [now, lastId] = [0, 0];
  const replacements = {
    setTimeout(run: () => void, milliseconds: number) {
      timers.set(++lastId, { at: now + milliseconds, run });
      return lastId;
    },
    clearTimeout: (id: number) => void timers.delete(id),
  };
  Object.assign(globalThis, replacements);
  try {
    await work((milliseconds) => {
      now += milliseconds;
      for (const [id, { at, run }] of timers) if (at <= now && timers.delete(id)) run();
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

const failure = (status: number, code: string, headers: HeadersInit = {}): Script => () =>
  Response.json({ code, message: "Try later", request_id: "req_1" }, { status, headers });
const html = (status: number, headers: HeadersInit = HTML): Script => () =>
  new Response("<h1>A proxy</h1>", { status, headers });
const added: Script = () => Response.json(ADDED);

Deno.test("a change is repeated with the same idempotency key, each change with its own", () =>
  withScripts(
    [
      failure(503, "SERVICE_STOPPING", { "retry-after": "0" }),
      html(502, { ...HTML, "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }),
      () => new Response('{"results":[{"id', { headers: { "content-type": "application/json" } }),
      added,
    ],
    async (client, keys) => {
      deepStrictEqual(await client.memories.add("x"), ADDED.results);
      strictEqual(keys.length, 4);
      strictEqual(new Set(keys).size, 1);
      await client.memories.add("x");
      ok(keys[4] !== null && keys[4] !== keys[0]);
      await client.memories.add("x", {}, { idempotencyKey: "mine" });
      strictEqual(keys[5], "mine");
      await client.memories.add("x", {}, { idempotencyKey: " mine " });
      strictEqual(keys[6], "mine");
      for (const idempotencyKey of ["", " "]) {
        await client.memories.add("x", {}, { idempotencyKey });
        strictEqual(keys.at(-1)!.length, 32);
      }
    },
  ));

Deno.test("reads carry no idempotency key", () =>
  withScripts([() => Response.json({ results: [], next_cursor: null })], async (client, keys) => {
    await client.memories.search("x");
    await client.memories.list().page();
    deepStrictEqual(keys, [null, null]);
  }));

Deno.test("PROJECTION_NOT_BUILT is retried after Retry-After", () =>
  withScripts(
    [failure(409, "PROJECTION_NOT_BUILT", { "retry-after": "0" }), () =>
      Response.json({ data: null })],
    async (client) =>
      strictEqual(await client.profile.get(), null),
  ));

Deno.test("errors that a retry can't help are thrown at once", async () => {
  await withScripts([failure(500, "INTERNAL_ERROR")], async (client, keys) => {
    await rejects(client.memories.add("x"), ServerError);
    strictEqual(keys.length, 1);
  });
  await withScripts(
    [failure(429, "RATE_LIMITED", { "retry-after": "3600" })],
    async (client, keys) => {
      await rejects(
        client.health(),
        (error) => error instanceof RateLimited && error.retry_after === 3600,
      );
      strictEqual(keys.length, 1);
    },
  );
});

Deno.test("responses of something else are UnexpectedResponse", async () => {
  for (const script of [html(200), html(404), html(301, { location: "https://example.org/" })]) {
    await withScripts([script], async (client, keys) => {
      await rejects(client.memories.add("x"), (error) => {
        ok(error instanceof UnexpectedResponse);
        strictEqual(error.body, "<h1>A proxy</h1>");
        ok(error.message.includes("baseUrl"));
        return true;
      });
      strictEqual(keys.length, 1);
    });
  }
});

Deno.test("the last error is thrown once the retries are used up", () =>
  withScripts([html(502, { ...HTML, "retry-after": "0" })], async (client, keys) => {
    await rejects(client.memories.add("x"), (error) => {
      ok(error instanceof Unavailable);
      strictEqual(error.code, "HTTP_502");
      return true;
    });
    strictEqual(keys.length, 3);
  }, { maxRetries: 2 }));

Deno.test("a service that doesn't respond is TimedOut, or the reason of the signal", async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<Response>();
  await withScripts([() => never], async (client) => {
    await rejects(client.memories.add("x", {}, { timeout: 20 }), TimedOut);
    const reason = new Error("The user left");
    const controller = new AbortController();
    const call = client.memories.add("x", {}, { signal: controller.signal });
    controller.abort(reason);
    await rejects(call, reason);
    await rejects(client.memories.add("x", {}, { signal: controller.signal }), reason);
    release(new Response());
  }, { maxRetries: 0 });
});

Deno.test("a response can take longer than the timeout, as long as some of it arrives", () =>
  withTimers(async (advance) => {
    const parts = ['{"results":[', JSON.stringify(ADDED.results[0]), "]", "}"];
    const respond: typeof fetch = (_, init) => {
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        advance(300);
        init!.signal!.throwIfAborted();
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      };
      // Each part is made when it's read.
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const headers = { "content-type": "application/json" };
      return Promise.resolve(new Response(body, { headers }));
    };
    const client = new Commonplace({
      apiKey: "cpl_x",
      userId: "ana",
      timeout: 900,
      maxRetries: 0,
      fetch: respond,
    });
    deepStrictEqual(await client.memories.add("x"), ADDED.results);
  }));

Deno.test("a service that isn't there is ConnectionFailed", async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const client = new Commonplace({ baseUrl, apiKey: "cpl_x", maxRetries: 1 });
  await rejects(client.health(), (error) => {
    ok(error instanceof ConnectionFailed);
    ok(error.message.includes(baseUrl));
    ok(error.cause instanceof Error);
    return true;
  });
});

/** Returns a client whose requests get the scripts' responses, at once and without a server. */
function scriptedClient(...scripts: readonly Script[]): Commonplace {
  let count = 0;
  const respond: typeof fetch = (input, init) => {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const signal = init!.signal!;
    signal.addEventListener("abort", () => reject(signal.reason));
    const script = scripts[Math.min(++count, scripts.length) - 1]!;
    return Promise.race([script(new Request(input)), aborted]);
  };
  return new Commonplace({ apiKey: "cpl_x", maxRetries: 0, timeout: 20, fetch: respond });
}

Deno.test("operations.wait() goes on while the service restarts, until its own timeout", async () => {
  const operation = (status: string): Script => () => Response.json({ id: "op_1", status });
  const statuses: string[] = [];
  const restarted = scriptedClient(
    operation("running"),
    failure(503, "SERVICE_STOPPING"),
    html(502),
    () => Promise.reject(new TypeError("Connection refused")),
    () => new Promise(() => {}),
    operation("success"),
  );
  await restarted.operations.wait("op_1", { onProgress: ({ status }) => statuses.push(status) });
  deepStrictEqual(statuses, ["running", "success"]);

  const stopped = scriptedClient(html(503));
  await rejects(stopped.operations.wait("op_1", { timeout: 100 }), (error) => {
    ok(error instanceof TimedOut);
    ok(error.cause instanceof Unavailable);
    return true;
  });
  const reason = new ConnectionFailed("The user left");
  const controller = new AbortController();
  const waiting = stopped.operations.wait("op_1", { signal: controller.signal });
  controller.abort(reason);
  await rejects(waiting, reason);

  const refused: Script = () => Promise.reject(new TypeError("Connection refused"));
  const wrongAddress = scriptedClient(refused, operation("success"));
  await rejects(wrongAddress.operations.wait("op_1"), ConnectionFailed);

  const known = scriptedClient(operation("running"), refused, operation("success"));
  await known.operations.get("op_1");
  strictEqual((await known.with({ userId: "ana" }).operations.wait("op_1")).status, "success");
  const moved = scriptedClient(operation("running"), refused, operation("success"));
  await moved.operations.get("op_1");
  const elsewhere = moved.with({ baseUrl: "http://127.0.0.1:9" });
  await rejects(elsewhere.operations.wait("op_1"), ConnectionFailed);

  const queued: Script = () => Response.json({ event_id: "evt_1", status: "PENDING" });
  const succeeded: Script = () => Response.json({ id: "evt_1", status: "SUCCEEDED" });
  const starts = scriptedClient(queued, refused, succeeded);
  strictEqual((await (await starts.memories.infer("x")).wait()).status, "SUCCEEDED");

  const unknown = scriptedClient(failure(404, "OPERATION_NOT_FOUND"), operation("success"));
  await rejects(unknown.operations.wait("op_1"), NotFound);
});

/** Throws unless an error is about an argument, and not about the connection. */
function checkArgumentError(error: unknown): true {
  strictEqual((error as Error).constructor, CommonplaceError, String(error));
  return true;
}

Deno.test("a request that can't be sent is the caller's error, not one of the connection", () =>
  withScripts([added], async (client, keys) => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const metadata of [circular, { size: 1n }]) {
      await rejects(client.memories.add("x", { metadata }), checkArgumentError);
    }
    for (const idempotencyKey of ["größe", "東京", "a\nb"]) {
      await rejects(client.memories.add("x", {}, { idempotencyKey }), checkArgumentError);
    }
    strictEqual(keys.length, 0);
  }));

Deno.test("Commonplace() refuses an address or a key that no request can have", async () => {
  for (const baseUrl of ["localhost:8420", "127.0.0.1:8420", "http://host:port", "/memory", ""]) {
    throws(() => new Commonplace({ apiKey: "cpl_x", baseUrl }), checkArgumentError);
  }
  for (const apiKey of ["", " \n"]) throws(() => new Commonplace({ apiKey }), checkArgumentError);
  throws(
    () => new Commonplace({ apiKey: "cpl_größe" }),
    (error: Error) => checkArgumentError(error) && !error.message.includes("cpl_"),
  );
  let sent: [string, HeadersInit] | undefined;
  const client = new Commonplace({
    baseUrl: " /memory/v1/\n",
    apiKey: "cpl_x\n",
    fetch: (input, init) => {
      sent = [String(input), init!.headers!];
      return Promise.resolve(Response.json({}));
    },
  });
  await client.health();
  const headers = { accept: "application/json", authorization: "Bearer cpl_x" };
  deepStrictEqual(sent, ["/memory/v1/health", headers]);
});
