/**
 * One walk through the whole product, over HTTP and the command line, with the real process and the
 * settings that people have. It runs against the source and against the built executable.
 */

import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pdf, scan } from "../../testing/extraction_fixtures.ts";
import { call, type Reply, type RequestOptions } from "../../testing/harness.ts";
import { run, type RunOptions, ServeProcess } from "../../testing/program.ts";
import { bytesOf, extractFile, getAsset } from "../uploads/files.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** What the steps share. */
export interface Smoke {
  readonly directory: string;
  readonly program: ServeProcess;
  readonly settings: RunOptions;
  /** The key that the first start printed. */
  readonly key: string;
  call(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** The same, of what must answer 2xx; its JSON. */
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  ask(method: string, path: string, body?: unknown, key?: string): Promise<any>;
  /** Runs a verb on the data directory and answers what `--json` shows. */
  // deno-lint-ignore no-explicit-any -- as above
  manage(...words: readonly string[]): Promise<any>;
  /** Starts another server, on a new data directory of this name. */
  startAnother(name: string): Promise<Smoke>;
}

/** A step: what must hold, and the code that looks. */
type Step = readonly [name: string, work: (smoke: Smoke) => Promise<void>];

const SEARCH = "/v1/memories/search";
let idempotencyKeys = 0;

/** The steps while the server runs, in order: later ones stand on what earlier ones stored. */
const STEPS: readonly Step[] = [
  ["memories are added as they are said, and found by their words", async ({ ask }) => {
    const said = ["Ana bought a puppy last spring", "The invoice was paid on time"];
    const messages = said.map((content) => ({ role: "user", content }));
    const added = await ask("POST", "/v1/memories", { user_id: "ana", infer: false, messages });
    deepStrictEqual(added.results.map(({ memory }: { memory: string }) => memory), said);
    const found = await ask("POST", SEARCH, { query: "invoice", user_id: "ana" });
    strictEqual(found.results[0].memory, said[1]);
    const id = found.results[0].id;
    await ask("PUT", `/v1/memories/${id}`, { content: "The invoice was paid late" });
    await ask("POST", `/v1/memories/${id}/feedback`, { rating: "positive" });
    const history = await ask("GET", `/v1/memories/${id}/history`);
    deepStrictEqual(
      history.results.map(({ event }: { event: string }) => event).slice(0, 2),
      ["ADD", "UPDATE"],
    );
  }],
  ["memories are found by meaning, by the model inside", async (smoke) => {
    await embedded(smoke);
    const body = { query: "Does she own any pets?", user_id: "ana", trace: true };
    const { results, trace } = await smoke.ask("POST", SEARCH, body);
    strictEqual(results[0].memory, "Ana bought a puppy last spring");
    strictEqual(trace.lists.lexical.length, 0);
    const { embedder } = await smoke.ask("GET", "/v1/health");
    deepStrictEqual([embedder.runtime, embedder.fault], ["native", null]);
  }],
  ["facts are inferred, and make up state, beliefs and profile", async (smoke) => {
    const { ask } = smoke;
    const queued = await keyed(smoke, "/v1/memories", {
      user_id: "ben",
      content: "I moved to Porto in March. I work as a nurse.",
    });
    const event = await waitUntil(
      () => ask("GET", `/v1/events/${queued.event_id}`),
      ({ status }) => status === "SUCCEEDED" || status === "FAILED",
    );
    strictEqual(event.status, "SUCCEEDED");
    const scope = "user_id=ben&subject=user&attribute=lives_in";
    const state = await waitUntil(
      () => smoke.call("GET", `/v1/state?${scope}`),
      ({ status, json }) => status === 200 && json.data !== null,
    );
    strictEqual(state.json.data.value, "Porto");
    match((await ask("GET", "/v1/profile?user_id=ben")).data, /nurse/);
    await ask("GET", `/v1/beliefs?${scope}`);
    const events = await ask("GET", "/v1/events");
    ok(events.results.some(({ id }: { id: string }) => id === queued.event_id));
  }],
  ["a document is kept exactly, and its passages are found", async (smoke) => {
    const content = "# Handbook\n\nEmployees get thirty days of vacation a year.\n";
    const { document } = await smoke.ask("POST", "/v1/documents", {
      user_id: "ana",
      source_key: "handbook.md",
      content,
    });
    strictEqual((await smoke.ask("GET", `/v1/documents/${document.id}/content`)).content, content);
    await embedded(smoke);
    const body = { query: "How long is the paid leave?", user_id: "ana" };
    const { results } = await smoke.ask("POST", "/v1/documents/search", body);
    match(results[0].chunk.content, /thirty days/);
  }],
  ["a PDF is uploaded and read", async (smoke) => {
    const lines = [{ x: 72, y: 700, text: "The lighthouse was built in 1867" }];
    match(await markdownOf(smoke, "page.pdf", "application/pdf", pdf([lines])), /lighthouse/);
  }],
  ["a scanned image is uploaded and its text recognized", async (smoke) => {
    const image = await scan("The quick brown fox jumps over the lazy dog");
    match(await markdownOf(smoke, "scan.png", "image/png", image), /quick brown fox/);
  }],
  ["a spreadsheet of text is uploaded and read", async (smoke) => {
    const table = bytesOf("name,city\nAna,Porto\n");
    match(await markdownOf(smoke, "people.csv", "text/csv", table), /Ana/);
  }],
  ["operations are listed, and health is well", async ({ ask }) => {
    const { results } = await ask("GET", "/v1/operations");
    const kinds = new Set(results.map(({ kind }: { kind: string }) => kind));
    ok(kinds.has("document_extract"), [...kinds].join());
    strictEqual((await ask("GET", "/v1/health")).status, "ok");
  }],
  ["entities are who memories are about", async ({ ask }) => {
    const { results } = await ask("GET", "/v1/entities");
    const ids = results.map(({ id }: { id: string }) => id);
    deepStrictEqual([ids.includes("ana"), ids.includes("ben")], [true, true]);
  }],
  ["an export is imported by another server", async (smoke) => {
    const exported = await operation(smoke, await keyed(smoke, "/v1/exports"));
    const other = await smoke.startAnother("imported");
    await using _ = other.program;
    const body = { snapshot: exported.result };
    await operation(other, await keyed(other, "/v1/imports", body));
    const { results } = await other.ask("POST", SEARCH, { query: "puppy", user_id: "ana" });
    strictEqual(results[0].memory, "Ana bought a puppy last spring");
  }],
  ["projects and keys are made and ended by the command line", async ({ ask, call, manage }) => {
    await manage("projects", "create", "shop");
    const { key, id } = await manage("keys", "create", "--project", "shop");
    strictEqual((await ask("GET", "/v1/health", undefined, key)).status, "ok");
    const projects: { name: string }[] = await manage("projects", "list");
    deepStrictEqual(projects.map(({ name }) => name).sort(), ["default", "shop"]);
    await manage("keys", "revoke", id);
    strictEqual((await call("GET", "/v1/health", { key })).status, 401);
  }],
  ["its page and its description are served", async ({ call }) => {
    const page = await call("GET", "/", { key: null });
    strictEqual(page.status, 200);
    const built = existsSync(join(import.meta.dirname!, "../../assets/dashboard/index.html"));
    if (built) match(page.headers.get("content-type")!, /^text\/html/);
    ok((await call("GET", "/v1/openapi.json", { key: null })).json.paths["/v1/memories"]);
    for (const path of ["/livez", "/readyz"]) {
      strictEqual((await call("GET", path, { key: null })).status, 200);
    }
  }],
  ["a backup made while it runs is restored, and sound", async ({ directory, manage }) => {
    const [backup, restored] = [`${directory}-backup`, `${directory}-restored`];
    await manage("backup", backup);
    await manage("restore", backup, "--data", restored);
    const { ok: sound, checks } = await manage("doctor", "--data", restored);
    strictEqual(sound, true, JSON.stringify(checks));
  }],
  ["a snapshot passes through standard output and input", async ({ directory, settings }) => {
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
  }],
];

/** Runs every step, each reported by `report`, on a new directory that the caller removes. */
export async function smoke(
  directory: string,
  options: RunOptions,
  report: (name: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const settings = {
    ...options,
    environment: { COMMONPLACE_EMBEDDER: "minilm", ...options.environment },
  };
  const first = await started(directory, "data", settings);
  await using program = first.program;
  const { key, directory: data } = first;
  for (const [name, work] of STEPS) await report(name, () => work(first));
  await report("it stops when it is told to, and goes on where it stopped", async () => {
    const ended = await program.stop();
    strictEqual(ended.code, 0, ended.stderr);
    await using second = await serve(data, settings);
    notStrictEqual(second.pid, program.pid);
    const body = { query: "thirty days", user_id: "ana" };
    const found = await call(second.url, "POST", "/v1/documents/search", { key, body });
    match(found.json.results[0].chunk.content, /thirty days/);
    strictEqual((await second.stop("SIGINT")).code, 0);
  });
  await report("a mistake is told in one line, with exit code 1", async () => {
    const ended = await run(["keys", "revoke", "key_none", "--data", data], settings);
    deepStrictEqual([ended.code, ended.stdout], [1, ""]);
    match(ended.stderr, /^commonplace: [^\n]+\n$/);
  });
}

function serve(data: string, settings: RunOptions): Promise<ServeProcess> {
  return ServeProcess.serve(data, ["--log-level", "warn"], settings);
}

async function started(parent: string, name: string, settings: RunOptions): Promise<Smoke> {
  const directory = join(parent, name);
  const program = await serve(directory, settings);
  const key = program.apiKey;
  return {
    directory,
    program,
    key,
    settings,
    call: (method, path, options = {}) => call(program.url, method, path, { key, ...options }),
    async ask(method, path, body, as = key) {
      const reply = await call(program.url, method, path, { key: as, body });
      ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
      return reply.json;
    },
    async manage(...words) {
      const named = words.includes("--data") ? [] : ["--data", directory];
      const ended = await run([...words, ...named, "--json"], settings);
      strictEqual(ended.code, 0, ended.stderr);
      return JSON.parse(ended.stdout);
    },
    startAnother: (other) => started(parent, other, settings),
  };
}

async function embedded({ ask }: Smoke): Promise<void> {
  const waits = async () => (await ask("GET", "/v1/health")).projections.vector_pending;
  await waitUntil(waits, (pending) => pending === 0);
}

async function keyed({ call }: Smoke, path: string, body?: unknown) {
  const headers = { "idempotency-key": `smoke-${++idempotencyKeys}` };
  const reply = await call("POST", path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  strictEqual(reply.status, 202, reply.text);
  return reply.json;
}

async function operation({ ask }: Smoke, { id }: { id: string }) {
  const ended = await waitUntil(
    () => ask("GET", `/v1/operations/${id}`),
    ({ status }) => ["success", "dead", "retry"].includes(status),
  );
  strictEqual(ended.status, "success", JSON.stringify(ended.error));
  return ended;
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
  const content = await smoke.ask("GET", `/v1/documents/${document_id}/content`);
  return content.content;
}
