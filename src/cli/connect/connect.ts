/** `commonplace connect`: connects MCP clients on this machine. */

import { askForTools, requireServer, UnreachableError } from "../../connect/ask_server.ts";
import {
  type Client,
  CLIENTS,
  entryFor,
  keyInEntry,
  refersToKey,
  type Target,
  urlInEntry,
  withUrl,
} from "../../connect/clients.ts";
import type { ConfigTable } from "../../connect/config_format.ts";
import { instructionsFor, mcpUrl, quote } from "../../connect/instructions.ts";
import { thisMachine } from "../../connect/machine.ts";
import { SCOPE_KEYS } from "../../contract/fields.ts";
import { systemClock } from "../../kernel/clock.ts";
import { programName } from "../../kernel/process/program_name.ts";
import { fixedKeys, parseFixedScope } from "../../mcp/scopes.ts";
import {
  type Command,
  type Flags,
  inProject,
  listFlag,
  printResult,
  readFlags,
  singlePositional,
  UsageError,
  withServices,
} from "../command.ts";
import { type Call, revoke, withNewKey } from "./call.ts";
import {
  type Change,
  type ClientConfig,
  configPath,
  type ConfigScope,
  readClientConfig,
  writeEntry,
} from "./config.ts";
import { type ConnectionKey, findOrCreateKey } from "./keys.ts";
import { listClients } from "./list.ts";
import { remove } from "./remove.ts";
import {
  directoryProcess,
  findSource,
  proxyProcess,
  scopesOfProcess,
  type ServerSource,
  type Source,
} from "./target.ts";

const SCOPE_FLAGS = ["user-id", "agent-id", "run-id"] as const;
const TEXT_FLAGS = ["url", "project", "permissions", "scope", ...SCOPE_FLAGS] as const;

/** Printed in place of a key, because `--print` creates none. */
const KEY_PLACEHOLDER = "cpl_YOUR_KEY";

export const connect: Command = {
  name: "connect",
  summary: "connect Claude, Cursor, VS Code and other MCP clients on this machine",
  usage: [
    "commonplace connect   (lists the clients)",
    "commonplace connect CLIENT [--url URL | --stdio] [--project NAME] [--permissions a,b] " +
    "[--user-id ID] [--agent-id ID] [--run-id ID] [--scope user|project]",
    "commonplace connect CLIENT --print …   (shows what to add by hand, and changes nothing)",
    "commonplace connect CLIENT --remove [--scope user|project]",
    "",
    `CLIENT is one of ${CLIENTS.map(({ id }) => id).join(", ")}.`,
    "",
    "The client gets a key of its own for the server that runs on the data directory, or for --url.",
    "If no server is running, or with --stdio, the client starts `commonplace mcp` itself.",
  ],
  async run(args, terminal) {
    const flags = readFlags(args, {
      text: TEXT_FLAGS,
      switches: ["print", "remove", "stdio"],
      positionals: true,
    });
    const machine = thisMachine(terminal.environment);
    if (machine === null) throw new UsageError("The home directory is unknown; set HOME");
    if (flags.positionals.length === 0) {
      requireNoFlags(flags);
      return printResult(terminal, flags, await listClients(machine));
    }
    const call: Call = {
      flags,
      terminal,
      machine,
      client: findClient(singlePositional(flags, "client")),
      scope: readScope(flags),
      fixed: parseFixedScope((key) => {
        const value = flags.text[key.replace("_", "-")];
        return value === undefined ? [] : [value];
      }),
    };
    if (flags.switches.has("remove")) await remove(call);
    else if (flags.switches.has("print")) print(call);
    else await connectClient(call);
  },
};

function findClient(id: string): Client {
  const client = CLIENTS.find((client) => client.id === id);
  if (client === undefined) {
    throw new UsageError(
      `Unknown client "${id}". Use one of: ${CLIENTS.map(({ id }) => id).join(", ")}`,
    );
  }
  return client;
}

function readScope({ text }: Flags): ConfigScope {
  const scope = text["scope"] ?? "user";
  if (scope !== "user" && scope !== "project") {
    throw new UsageError(`--scope must be user or project, but is "${scope}"`);
  }
  return scope;
}

/** @throws UsageError if a flag is set that only makes sense with a client */
function requireNoFlags({ text, switches }: Flags): void {
  const [set] = [
    ...TEXT_FLAGS.filter((name) => text[name] !== undefined),
    ...["print", "remove", "stdio"].filter((name) => switches.has(name)),
  ];
  if (set !== undefined) throw new UsageError(`--${set} needs a client`);
}

/** Asks the server first. Only if it responds is the client's file changed. */
async function connectClient(call: Call): Promise<void> {
  const { client, machine, scope, flags, terminal } = call;
  const source = findSource(flags, terminal);
  const config = readClientConfig(client, machine, scope);
  if (config.entry !== undefined && keepsReference(call, source, config.entry)) {
    return await updateUrl(call, source, config, config.entry);
  }
  const existingKey = config.entry && keyInEntry(config.entry);
  const key = await keyFor(call, source, existingKey);
  const { tools, change } = await withNewKey(call, key?.isNew ? key.key : undefined, async () => {
    const target = targetFor(call, source, key?.key, config.entry);
    const tools = await ask(source, () => askForTools(target));
    const entry = entryFor(client, target, config.entry);
    return { tools, change: await writeEntry(config, entry, systemClock().now()) };
  });
  // The client no longer has this key.
  if (existingKey !== undefined && existingKey !== key?.key) await revoke(call, existingKey);
  report(call, source, config, { key, tools, ...change });
}

/** Returns the key for a server. A data directory needs none, and `--url` can come with one. */
async function keyFor(
  call: Call,
  source: Source,
  existing: string | undefined,
): Promise<ConnectionKey | { readonly key: string; readonly isNew: false } | undefined> {
  const { flags, terminal, client } = call;
  const permissions = readPermissions(flags, source);
  const name = flags.text["project"] ?? "default";
  if (source.kind === "server" && source.key === undefined) {
    return await inProject(
      dataFlags(call, source),
      terminal,
      (tx, services, project) =>
        findOrCreateKey(tx, services, project, client, existing, permissions),
      name,
    );
  }
  if (source.kind === "server") return { key: source.key!, isNew: false };
  // Fails if the directory or the project doesn't exist.
  await withServices(
    dataFlags(call, source),
    terminal,
    ({ appContext, projects }) => appContext.store.read((db) => projects.getByName(db, name)),
  );
  return undefined;
}

/** @throws UsageError if permissions are given and no key is created for this source */
function readPermissions(flags: Flags, source: Source): readonly string[] | undefined {
  const permissions = listFlag(flags, "permissions");
  if (permissions === undefined || (source.kind === "server" && source.key === undefined)) {
    return permissions;
  }
  throw new UsageError(
    source.kind === "directory"
      ? "--permissions needs a running server: a process on the data directory has all of them"
      : "--permissions can't be combined with COMMONPLACE_API_KEY, which has its own",
  );
}

/** Returns the flags with the data directory as an absolute path. */
function dataFlags({ flags }: Call, { data }: Pick<Source, "data">): Flags {
  return { ...flags, text: { ...flags.text, data } };
}

function targetFor(
  call: Call,
  source: Source,
  key: string | undefined,
  existing: ConfigTable = {},
): Target {
  const { client, terminal, flags } = call;
  const hasFlags = fixedKeys(call.fixed).length > 0;
  const fixed = hasFlags ? call.fixed : scopesOfProcess(existing, source);
  if (source.kind === "directory") {
    return directoryProcess(source.data, flags.text["project"] ?? "default", fixed, terminal);
  }
  return client.http === undefined
    ? proxyProcess(source.url, key!, fixed, terminal)
    : { kind: "http", url: urlFor(call, source, existing), key: key! };
}

/**
 * Returns the URL for a client. If its entry has one of the same endpoint, the scopes and tools in
 * it stay, so that connecting again never gives a client more. Flags for scopes replace its scopes.
 */
function urlFor({ fixed }: Call, source: ServerSource, existing: ConfigTable): string {
  const target = mcpUrl(source.url, fixed);
  const url = URL.parse(urlInEntry(existing) ?? "");
  if (url === null || endpointOf(url) !== endpointOf(new URL(target))) return target;
  url.pathname = new URL(target).pathname;
  const keys = fixedKeys(fixed);
  if (keys.length > 0) SCOPE_KEYS.forEach((key) => url.searchParams.delete(key));
  for (const key of keys) url.searchParams.set(key, fixed[key]!);
  return url.href;
}

/** Returns a URL without its query. A slash at its end makes no difference. */
function endpointOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, "");
}

/**
 * Checks whether an entry refers to a key for the same server. `--permissions` asks for a new key.
 */
function keepsReference(
  { flags }: Call,
  source: Source,
  entry: ConfigTable,
): source is ServerSource {
  return source.kind === "server" && flags.text["permissions"] === undefined &&
    refersToKey(entry) && URL.parse(urlInEntry(entry)!)?.origin === new URL(source.url).origin;
}

/** Changes at most the URL of an entry that refers to a key. */
async function updateUrl(
  call: Call,
  source: ServerSource,
  config: ClientConfig,
  entry: ConfigTable,
): Promise<void> {
  const url = urlFor(call, source, entry);
  await ask(source, () => requireServer(url));
  const change = await writeEntry(config, withUrl(entry, url), systemClock().now());
  report(call, source, config, { key: undefined, tools: null, ...change });
}

/** Runs `work`, and reports a server that can't be reached as a mistake. */
async function ask<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const isOther = error.refusesKey && source.kind === "server" && source.key === undefined;
    throw new UsageError(
      isOther
        ? `${error.message} of "${source.data}"; pass its own directory as --data`
        : error.message,
    );
  }
}

interface Outcome extends Change {
  readonly key: { readonly key: string; readonly isNew: boolean; readonly id?: string } | undefined;
  /** Null if they weren't asked for, because the entry refers to a key. */
  readonly tools: readonly string[] | null;
}

function report(call: Call, source: Source, config: ClientConfig, outcome: Outcome): void {
  const { client, terminal, flags, scope } = call;
  const { key, tools, changed, backup, modeBefore } = outcome;
  const server = source.kind === "server" ? source.url : source.data;
  const file = config.file.path;
  if (flags.switches.has("json")) {
    return printResult(terminal, flags, {
      client: client.id,
      server,
      file,
      changed,
      backup,
      key_id: key?.id ?? null,
      tools: tools?.length ?? null,
    });
  }
  terminal.print(
    tools === null
      ? `${client.title} has an entry for ${server} that refers to a key, so none was created`
      : `${client.title} is connected to ${server}`,
  );
  if (tools === null && source.kind === "server" && source.key !== undefined) {
    terminal.print(
      "The key in COMMONPLACE_API_KEY was not written. To write it, remove the entry with --remove first",
    );
  }
  terminal.print(
    !changed
      ? `${file} has the entry already`
      : backup === null
      ? `Wrote ${file}`
      : `Changed ${file}; ${backup} is the file as it was`,
  );
  if (modeBefore !== null) {
    const mode = modeBefore.toString(8);
    terminal.print(`Only you can read it now, because it contains a key (its mode was ${mode})`);
  }
  if (key?.isNew) terminal.print(`Created the key "${client.id}" (${key.id})`);
  if (scope === "project" && key !== undefined) {
    terminal.print("The file contains a key: keep it out of version control");
  }
  if (changed) terminal.print(client.next);
}

/** Shows what `connectClient` would write, with a placeholder for the key. */
function print(call: Call): void {
  const { client, machine, scope, flags, terminal } = call;
  const source = findSource(flags, terminal);
  const permissions = readPermissions(flags, source);
  const target = targetFor(call, source, KEY_PLACEHOLDER);
  const file = configPath(client, machine, scope);
  const { text, command, link } = instructionsFor(client, target);
  if (flags.switches.has("json")) {
    return printResult(terminal, flags, { client: client.id, file, text, command, link });
  }
  terminal.print(`Add this to ${file}:\n\n${text.trimEnd()}`);
  if (command !== null) terminal.print(`\nOr run:\n\n${command}`);
  if (source.kind === "server" && source.key === undefined) {
    const { project = "default", data } = flags.text;
    const words = ["keys", "create", "--project", project, "--name", client.id];
    if (permissions !== undefined) words.push("--permissions", permissions.join(","));
    if (data !== undefined) words.push("--data", data);
    const program = programName(terminal.environment);
    terminal.print(`\nThis creates the key:\n\n${program} ${words.map(quote).join(" ")}`);
  }
}
