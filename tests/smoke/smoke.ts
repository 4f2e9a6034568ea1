/**
 * Smoke test for the whole product over HTTP and the command line, using a real process with users'
 * settings. Runs against both the source and the built executable.
 */

import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pdf, scan } from "../../testing/extraction_fixtures.ts";
import { call, type Reply, type RequestOptions } from "../../testing/harness.ts";
import { run, type RunOptions, ServeProcess } from "../../testing/program.ts";
import { bytesOf, extractFile, getAsset } from "../uploads/files.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** State shared between steps. */
export interface Smoke {
  readonly directory: string;
  readonly program: ServeProcess;
  readonly settings: RunOptions;
  /** The key printed by the first start. */
  readonly key: string;
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a request, expects a 2xx and returns the JSON. */
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  send(method: string, path: string, body?: unknown, key?: string): Promise<any>;
  /** Runs a command on the data directory and returns its `--json` output. */
  // deno-lint-ignore no-explicit-any -- as above
  manage(...args: readonly string[]): Promise<any>;
  /** Starts an additional server on a fresh data directory with this name. */
  startAnother(name: string): Promise<Smoke>;
}

/** The rule to check, and the code that checks it. */
type Step = readonly [name: string, work: (smoke: Smoke) => Promise<void>];

const SEARCH = "/v1/memories/search";
let idempotencyKeys = 0;

/**
 * Steps to take while the server is running. Order matters: later steps depend on what earlier ones
 * stored.
 */
const STEPS: readonly Step[] = [
  [
    "POST /v1/memories stores texts verbatim, and search finds them by their words",
    async ({ send }) => {
      const texts = ["Ana bought a puppy last spring", "The invoice was paid on time"];
      const messages = texts.map((content) => ({ role: "user", content }));
      const added = await send("POST", "/v1/memories", { user_id: "ana", infer: false, messages });
      deepStrictEqual(added.results.map(({ memory }: { memory: string }) => memory), texts);
      const found = await send("POST", SEARCH, { query: "invoice", user_id: "ana" });
      strictEqual(found.results[0].memory, texts[1]);
      const id = found.results[0].id;
      await send("PUT", `/v1/memories/${id}`, { content: "The invoice was paid late" });
      await send("POST", `/v1/memories/${id}/feedback`, { rating: "positive" });
      const history = await send("GET", `/v1/memories/${id}/history`);
      deepStrictEqual(
        history.results.map(({ event }: { event: string }) => event).slice(0, 2),
        ["ADD", "UPDATE"],
      );
    },
  ],
  ["POST /v1/memories/search finds memories by meaning with the built-in model", async (smoke) => {
    await waitUntilEmbedded(smoke);
    const body = { query: "Does she own any pets?", user_id: "ana", trace: true };
    const { results, trace } = await smoke.send("POST", SEARCH, body);
    strictEqual(results[0].memory, "Ana bought a puppy last spring");
    strictEqual(trace.lists.lexical.length, 0);
    const { embedder } = await smoke.send("GET", "/v1/health");
    deepStrictEqual([embedder.runtime, embedder.fault], ["native", null]);
  }],
  ["POST /v1/memories infers facts for state, beliefs and profile", async (smoke) => {
    const { send } = smoke;
    const queued = await sendWithKey(smoke, "/v1/memories", {
      user_id: "ben",
      content: "I moved to Porto in March. I work as a nurse.",
    });
    const event = await waitUntil(
      () => send("GET", `/v1/events/${queued.event_id}`),
      ({ status }) => status === "SUCCEEDED" || status === "FAILED",
    );
    strictEqual(event.status, "SUCCEEDED");
    const scope = "user_id=ben&subject=user&attribute=lives_in";
    const state = await waitUntil(
      () => smoke.call("GET", `/v1/state?${scope}`),
      ({ status, json }) => status === 200 && json.data !== null,
    );
    strictEqual(state.json.data.value, "Porto");
    match((await send("GET", "/v1/profile?user_id=ben")).data, /nurse/);
    await send("GET", `/v1/beliefs?${scope}`);
    const events = await send("GET", "/v1/events");
    ok(events.results.some(({ id }: { id: string }) => id === queued.event_id));
  }],
  ["POST /v1/documents stores a document exactly, and search finds its passages", async (smoke) => {
    const content = "# Handbook\n\nEmployees get thirty days of vacation a year.\n";
    const { document } = await smoke.send("POST", "/v1/documents", {
      user_id: "ana",
      source_key: "handbook.md",
      content,
    });
    strictEqual((await smoke.send("GET", `/v1/documents/${document.id}/content`)).content, content);
    await waitUntilEmbedded(smoke);
    const body = { query: "How long is the paid leave?", user_id: "ana" };
    const { results } = await smoke.send("POST", "/v1/documents/search", body);
    match(results[0].chunk.content, /thirty days/);
  }],
  ["document uploads extract the text of a PDF", async (smoke) => {
    const lines = [{ x: 72, y: 700, text: "The lighthouse was built in 1867" }];
    match(await markdownOf(smoke, "page.pdf", "application/pdf", pdf([lines])), /lighthouse/);
  }],
  ["document uploads extract text recognized in a scanned image", async (smoke) => {
    const image = await scan("The quick brown fox jumps over the lazy dog");
    match(await markdownOf(smoke, "scan.png", "image/png", image), /quick brown fox/);
  }],
  ["document uploads extract the text of a CSV file", async (smoke) => {
    const table = bytesOf("name,city\nAna,Porto\n");
    match(await markdownOf(smoke, "people.csv", "text/csv", table), /Ana/);
  }],
  ["GET /v1/operations lists operations, and GET /v1/health is ok", async ({ send }) => {
    const { results } = await send("GET", "/v1/operations");
    const kinds = new Set(results.map(({ kind }: { kind: string }) => kind));
    ok(kinds.has("document_extract"), [...kinds].join());
    strictEqual((await send("GET", "/v1/health")).status, "ok");
  }],
  ["GET /v1/entities lists the users of memories", async ({ send }) => {
    const { results } = await send("GET", "/v1/entities");
    const ids = results.map(({ id }: { id: string }) => id);
    deepStrictEqual([ids.includes("ana"), ids.includes("ben")], [true, true]);
  }],
  ["POST /v1/imports imports the export of another server", async (smoke) => {
    const exported = await waitForOperation(smoke, await sendWithKey(smoke, "/v1/exports"));
    const other = await smoke.startAnother("imported");
    await using _ = other.program;
    const body = { snapshot: exported.result };
    await waitForOperation(other, await sendWithKey(other, "/v1/imports", body));
    const { results } = await other.send("POST", SEARCH, { query: "puppy", user_id: "ana" });
    strictEqual(results[0].memory, "Ana bought a puppy last spring");
  }],
  [
    "commonplace projects and keys create projects, and create and revoke keys",
    async ({ send, call, manage }) => {
      await manage("projects", "create", "shop");
      const { key, id } = await manage("keys", "create", "--project", "shop");
      strictEqual((await send("GET", "/v1/health", undefined, key)).status, "ok");
      const projects: { name: string }[] = await manage("projects", "list");
      deepStrictEqual(projects.map(({ name }) => name).sort(), ["default", "shop"]);
      await manage("keys", "revoke", id);
      strictEqual((await call("GET", "/v1/health", { key })).status, 401);
    },
  ],
  ["GET / and /v1/openapi.json return the dashboard and the API description", async ({ call }) => {
    const page = await call("GET", "/", { key: null });
    strictEqual(page.status, 200);
    const built = existsSync(join(import.meta.dirname!, "../../assets/dashboard/index.html"));
    if (built) match(page.headers.get("content-type")!, /^text\/html/);
    ok((await call("GET", "/v1/openapi.json", { key: null })).json.paths["/v1/memories"]);
    for (const path of ["/livez", "/readyz"]) {
      strictEqual((await call("GET", path, { key: null })).status, 200);
    }
  }],
  [
    "commonplace restore restores a backup made while the server runs",
    async ({ directory, manage }) => {
      const [backup, restored] = [`${directory}-backup`, `${directory}-restored`];
      await manage("backup", backup);
      await manage("restore", backup, "--data", restored);
      const { ok: isSound, checks } = await manage("doctor", "--data", restored);
      strictEqual(isSound, true, JSON.stringify(checks));
    },
  ],
  [
    "commonplace export and import pass a snapshot through a pipe",
    async ({ directory, settings }) => {
      const exported = await run([
        "export",
        "--project",
        "default",
        "--output",
        "-",
        "--data",
        directory,
      ], settings);
      strictEqual(exported.code, 0, exported.stderr);
      match(exported.stdout, /puppy/);
      const target = ["--data", `${directory}-piped`];
      await run(["projects", "create", "copy", ...target], settings);
      const piped = { ...settings, stdin: exported.stdout };
      const imported = await run(["import", "--project", "copy", "--input", "-", ...target], piped);
      strictEqual(imported.code, 0, imported.stderr);
    },
  ],
];

/** Runs every step through `report`, on a fresh directory; the caller cleans up. */
export async function smoke(
  directory: string,
  options: RunOptions,
  report: (name: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const settings = {
    ...options,
    environment: { COMMONPLACE_EMBEDDER: "minilm", ...options.environment },
  };
  const first = await startSmoke(directory, "data", settings);
  await using program = first.program;
  const { key, directory: data } = first;
  for (const [name, work] of STEPS) await report(name, () => work(first));
  await report("serve stops on a signal, and continues with the same data", async () => {
    const result = await program.stop();
    strictEqual(result.code, 0, result.stderr);
    await using second = await serve(data, settings);
    notStrictEqual(second.pid, program.pid);
    const body = { query: "thirty days", user_id: "ana" };
    const found = await call(second.url, "POST", "/v1/documents/search", { key, body });
    match(found.json.results[0].chunk.content, /thirty days/);
    strictEqual((await second.stop("SIGINT")).code, 0);
  });
  await report("commonplace reports an error in one line, with exit code 1", async () => {
    const result = await run(["keys", "revoke", "key_none", "--data", data], settings);
    deepStrictEqual([result.code, result.stdout], [1, ""]);
    match(result.stderr, /^commonplace: [^\n]+\n$/);
  });
}

function serve(data: string, settings: RunOptions): Promise<ServeProcess> {
  return ServeProcess.serve(data, ["--log-level", "warn"], settings);
}

async function startSmoke(parent: string, name: string, settings: RunOptions): Promise<Smoke> {
  const directory = join(parent, name);
  const program = await serve(directory, settings);
  const key = program.apiKey;
  return {
    directory,
    program,
    key,
    settings,
    call: (method, path, options = {}) => call(program.url, method, path, { key, ...options }),
    async send(method, path, body, as = key) {
      const reply = await call(program.url, method, path, { key: as, body });
      ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
      return reply.json;
    },
    async manage(...args) {
      const dataFlag = args.includes("--data") ? [] : ["--data", directory];
      const result = await run([...args, ...dataFlag, "--json"], settings);
      strictEqual(result.code, 0, result.stderr);
      return JSON.parse(result.stdout);
    },
    startAnother: (other) => startSmoke(parent, other, settings),
  };
}

async function waitUntilEmbedded({ send }: Smoke): Promise<void> {
  const countPending = async () => (await send("GET", "/v1/health")).projections.vector_pending;
  await waitUntil(countPending, (pending) => pending === 0);
}

async function sendWithKey({ call }: Smoke, path: string, body?: unknown) {
  const headers = { "idempotency-key": `smoke-${++idempotencyKeys}` };
  const reply = await call("POST", path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  strictEqual(reply.status, 202, reply.text);
  return reply.json;
}

async function waitForOperation({ send }: Smoke, { id }: { id: string }) {
  const result = await waitUntil(
    () => send("GET", `/v1/operations/${id}`),
    ({ status }) => ["success", "dead", "retry"].includes(status),
  );
  strictEqual(result.status, "success", JSON.stringify(result.error));
  return result;
}

async function markdownOf(
  smoke: Smoke,
  filename: string,
  content_type: string,
  bytes: Uint8Array,
): Promise<string> {
  const file = {
    bytes: bytes as Uint8Array<ArrayBuffer>,
    fields: { filename, content_type },
    key: smoke.key,
  };
  const { id, operation } = await extractFile(smoke, file);
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
  const { document_id } = await getAsset(smoke, id, smoke.key);
  const content = await smoke.send("GET", `/v1/documents/${document_id}/content`);
  return content.content;
}
