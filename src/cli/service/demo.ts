/**
 * `commonplace demo`: loads a made-up year of a small household and its pottery into a project of
 * its own, the way a client would do it: over HTTP.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Health } from "../../health/schema.ts";
import { programName } from "../../kernel/process/program_name.ts";
import { Progress } from "../../kernel/progress.ts";
import { delay, systemTimers } from "../../kernel/timers.ts";
import { resolveSettings, serverConfig } from "../../server/config.ts";
import { startServer } from "../../server/serve.ts";
import { findRunningServer } from "../../server/server_file.ts";
import { deleteProject } from "../projects/projects.ts";
import {
  type Command,
  dataDirectory,
  type Flags,
  inUnitOfWork,
  printResult,
  readFlags,
  type Terminal,
  UsageError,
} from "../command.ts";

/** Name of the project that the demo is loaded into. */
const PROJECT = "demo";

const DATA = join(import.meta.dirname!, "../../../assets/demo");

/** How long to wait for background work after everything is stored, in milliseconds. */
const MAX_WAIT_MS = 20_000;
const POLL_MS = 200;

const FILES = [
  ["letter.png", "image/png"],
  ["orders.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
] as const;

export const demo: Command = {
  name: "demo",
  summary: "load a made-up year to try everything on, or remove it",
  usage: ["commonplace demo", "commonplace demo --remove"],
  async run(args, terminal) {
    const flags = readFlags(args, { switches: ["remove"] });
    if (flags.switches.has("remove")) {
      return printResult(terminal, flags, await deleteProject(flags, terminal, PROJECT));
    }
    await load(flags, terminal);
  },
};

async function load(flags: Flags, terminal: Terminal): Promise<void> {
  const start = performance.now();
  const directory = dataDirectory(flags, terminal);
  const running = findRunningServer(directory);
  // A service that starts on an empty directory creates the default project, so it has to start
  // before the demo's project exists.
  const isJson = flags.switches.has("json");
  let defaultKey: string | undefined;
  const printKey = (line: string) => {
    if (isJson) defaultKey = line.split(" ").at(-1);
    else terminal.print(line);
  };
  const own = running === null ? await startOwnServer(directory, terminal, printKey) : null;
  const progress = new Progress();
  let key: string;
  try {
    key = await createProject(flags, terminal);
    const client = new Client(running?.url ?? own!.url, key);
    await loadConversations(client, progress);
    await loadNotes(client, progress);
    await loadDocuments(client, progress);
    await loadFiles(client, progress);
    await finish(client, progress);
  } finally {
    progress.end();
    await own?.stop();
  }
  const seconds = Math.round((performance.now() - start) / 1_000);
  if (isJson) {
    const first = defaultKey === undefined ? {} : { default_key: defaultKey };
    return printResult(terminal, flags, { project: PROJECT, key, ...first, seconds });
  }
  terminal.print(`Loaded the project "${PROJECT}" in ${seconds} s`);
  terminal.print(`Its API key  ${key}`);
  const program = programName(terminal.environment);
  terminal.print(
    running === null
      ? `Run \`${program} serve\`, and \`${program} dashboard\` for a link to look at it`
      : `Run \`${program} dashboard\` for a link to look at it`,
  );
}

/** Creates the demo's project and returns a key for it. */
async function createProject(flags: Flags, terminal: Terminal): Promise<string> {
  return await inUnitOfWork(flags, terminal, async (tx, services) => {
    if ((await services.projects.list(tx)).some(({ name }) => name === PROJECT)) {
      const remove = `${programName(terminal.environment)} demo --remove`;
      throw new UsageError(`Project "${PROJECT}" exists; run \`${remove}\` first`);
    }
    const project = await services.projects.create(tx, PROJECT);
    return (await services.keys.create(tx, project, { name: "demo" })).key;
  });
}

/**
 * Starts the service for the time that loading takes.
 *
 * @param printKey prints the line with the key of the default project, on the first start
 */
function startOwnServer(directory: string, terminal: Terminal, printKey: (line: string) => void) {
  const args = [`--data=${directory}`, "--port=0", "--log-level=error"];
  const config = serverConfig(resolveSettings(args, terminal.environment));
  return startServer(config, (line) => {
    if (line.startsWith("API key")) printKey(line);
  });
}

/** Sends requests with the demo's key. */
class Client {
  readonly #url: string;
  readonly #key: string;
  #requests = 0;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Sends a request and returns the response, which has the type that the API documents. */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        "Authorization": `Bearer ${this.#key}`,
        "Idempotency-Key": `demo-${++this.#requests}`,
        ...(body === undefined || isBytes ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isBytes ? body as BodyInit : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new UsageError(`${method} ${path} returned ${response.status}: ${text}`);
    }
    return (text === "" ? null : JSON.parse(text)) as T;
  }
}

function readText(name: string): string {
  return readFileSync(join(DATA, name), "utf8");
}

/** Stores conversations word for word, each as a run. */
async function loadConversations(client: Client, progress: Progress): Promise<void> {
  const conversations = readText("conversations.txt").trim().split(/\n\n+/);
  for (const [index, conversation] of conversations.entries()) {
    progress.update(`Conversations ${index + 1} of ${conversations.length}`);
    const [head, ...lines] = conversation.split("\n");
    const [, date, run] = /^# (\S+) (\S+)$/.exec(head!)!;
    await client.send("POST", "/v1/memories", {
      user_id: "lindgren",
      run_id: run,
      infer: false,
      event_date: date,
      messages: lines.map((content) => ({ role: "user", content })),
    });
  }
}

/** Adds what two people said about themselves. Facts are inferred from it, and later ones win. */
async function loadNotes(client: Client, progress: Progress): Promise<void> {
  const notes = readText("notes.txt").trim().split("\n");
  for (const [index, note] of notes.entries()) {
    progress.update(`Notes ${index + 1} of ${notes.length}`);
    const [, date, user, content] = /^(\S+) (\S+) (.*)$/.exec(note)!;
    await client.send("POST", "/v1/memories", { user_id: user, event_date: date, content });
  }
}

async function loadDocuments(client: Client, progress: Progress): Promise<void> {
  for (const name of readdirSync(join(DATA, "documents")).sort()) {
    progress.update(`Document ${name}`);
    const content = readText(`documents/${name}`);
    await client.send("POST", "/v1/documents", {
      user_id: "lindgren",
      source_key: name,
      title: /^# (.*)$/m.exec(content)![1],
      content,
    });
  }
}

async function loadFiles(client: Client, progress: Progress): Promise<void> {
  for (const [filename, content_type] of FILES) {
    progress.update(`File ${filename}`);
    const bytes = readFileSync(join(DATA, filename));
    const command = {
      user_id: "lindgren",
      filename,
      content_type,
      size_bytes: bytes.length,
      checksum_sha256: createHash("sha256").update(bytes).digest("hex"),
    };
    const { source_asset } = await client.send<{ readonly source_asset: { readonly id: string } }>(
      "POST",
      "/v1/document-uploads",
      command,
    );
    const path = `/v1/document-uploads/${source_asset.id}`;
    await client.send("PUT", `${path}/content`, bytes);
    await client.send("POST", `${path}/complete`);
  }
}

/** Waits until everything is read, derived and embedded, but not for long on a slow machine. */
async function finish(client: Client, progress: Progress): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < MAX_WAIT_MS) {
    const { operations, projections } = await client.send<Health>("GET", "/v1/health");
    const left = operations.pending + projections.derived_pending + projections.vector_pending;
    if (left === 0) return;
    progress.update(`Reading and embedding, ${left} left`);
    await delay(systemTimers, POLL_MS);
  }
}
