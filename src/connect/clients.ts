/** All clients that `connect` can set up: where their files are, and how their entries look. */

import type { ConfigTable, FORMATS } from "./config_format.ts";
import { configFolder, isOnPath, joinPath, type Machine, settingsFolder } from "./machine.ts";

/** A server that clients reach by URL. */
export interface HttpTarget {
  readonly kind: "http";
  /** URL of the MCP endpoint, including fixed scopes. */
  readonly url: string;
  readonly key: string;
}

/** A process that clients start. */
export interface ProcessTarget {
  readonly kind: "process";
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What an entry points to. */
export type Target = HttpTarget | ProcessTarget;

/** A client. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly format: keyof typeof FORMATS;
  /** Name of the table that lists servers. */
  readonly container: string;
  /** The user's configuration file. If there are several, the first one that exists is used. */
  userFiles(machine: Machine): readonly string[];
  /** Configuration files in a project's folder, if the client reads any. */
  readonly projectFiles: readonly string[];
  /** The client's command, if it has one. */
  readonly program?: string;
  /** Returns an entry for a URL. Undefined if the client only starts processes. */
  readonly http?: (target: HttpTarget) => ConfigTable;
  readonly process: (target: ProcessTarget) => ConfigTable;
  /** What to do next, as a sentence. */
  readonly next: string;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** The form that most clients share. An empty environment is left out. */
const commonProcess = ({ program, args, environment }: ProcessTarget): ConfigTable => ({
  command: program,
  args,
  ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
});

const typedHttp = ({ url, key }: HttpTarget) => ({ type: "http", url, headers: bearer(key) });
const plainHttp = ({ url, key }: HttpTarget) => ({ url, headers: bearer(key) });

/** All clients, in the order they're listed. */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    format: "json",
    container: "mcpServers",
    userFiles: (machine) => [
      joinPath(machine, machine.environment("CLAUDE_CONFIG_DIR") || machine.home, ".claude.json"),
    ],
    projectFiles: [".mcp.json"],
    program: "claude",
    http: typedHttp,
    process: (target) => ({ type: "stdio", ...commonProcess(target) }),
    next: "Start a new session. /mcp lists the server.",
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    container: "mcpServers",
    userFiles: (machine) => [
      joinPath(machine, settingsFolder(machine), "Claude", "claude_desktop_config.json"),
    ],
    projectFiles: [],
    process: commonProcess,
    next: "Quit and reopen Claude Desktop.",
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "json",
    container: "mcpServers",
    userFiles: (machine) => [joinPath(machine, machine.home, ".cursor", "mcp.json")],
    projectFiles: [".cursor/mcp.json"],
    program: "cursor",
    http: plainHttp,
    process: commonProcess,
    next: "Cursor reads the file at once. Its settings list the server under MCP.",
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "json",
    container: "servers",
    userFiles: (
      machine,
    ) => [joinPath(machine, settingsFolder(machine), "Code", "User", "mcp.json")],
    projectFiles: [".vscode/mcp.json"],
    program: "code",
    http: typedHttp,
    process: (target) => ({ type: "stdio", ...commonProcess(target) }),
    next: 'Run "MCP: List Servers" and start the server.',
  },
  {
    id: "windsurf",
    title: "Windsurf",
    format: "json",
    container: "mcpServers",
    userFiles: (machine) => [
      joinPath(machine, machine.home, ".codeium", "windsurf", "mcp_config.json"),
    ],
    projectFiles: [],
    program: "windsurf",
    http: ({ url, key }) => ({ serverUrl: url, headers: bearer(key) }),
    process: commonProcess,
    next: "Refresh the list of MCP servers in Cascade.",
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    container: "mcp_servers",
    userFiles: (machine) => [
      joinPath(
        machine,
        machine.environment("CODEX_HOME") || joinPath(machine, machine.home, ".codex"),
        "config.toml",
      ),
    ],
    projectFiles: [".codex/config.toml"],
    program: "codex",
    http: ({ url, key }) => ({ url, http_headers: bearer(key) }),
    process: commonProcess,
    next: "Start a new session. /mcp lists the server.",
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    format: "json",
    container: "mcpServers",
    userFiles: (machine) => [joinPath(machine, machine.home, ".gemini", "settings.json")],
    projectFiles: [".gemini/settings.json"],
    program: "gemini",
    http: typedHttp,
    process: commonProcess,
    next: "Start a new session in a trusted folder. /mcp lists the server.",
  },
  {
    id: "opencode",
    title: "opencode",
    format: "json",
    container: "mcp",
    userFiles: (machine) =>
      ["opencode.jsonc", "opencode.json"]
        .map((name) => joinPath(machine, configFolder(machine), "opencode", name)),
    projectFiles: ["opencode.jsonc", "opencode.json"],
    program: "opencode",
    http: ({ url, key }) => ({ type: "remote", url, headers: bearer(key) }),
    process: ({ program, args, environment }) => ({
      type: "local",
      command: [program, ...args],
      ...(Object.keys(environment).length === 0 ? {} : { environment }),
    }),
    next: "Start a new session. `opencode mcp list` lists the server.",
  },
  {
    id: "zed",
    title: "Zed",
    format: "json",
    container: "context_servers",
    userFiles: (machine) => [
      machine.os === "windows"
        ? joinPath(machine, settingsFolder(machine), "Zed", "settings.json")
        : joinPath(machine, configFolder(machine), "zed", "settings.json"),
    ],
    projectFiles: [".zed/settings.json"],
    program: "zed",
    http: plainHttp,
    process: commonProcess,
    next: "Zed reads the file at once. The agent's settings list the server.",
  },
];

/** Fields of an entry that say where the server is. Others are the user's, and stay. */
const TARGET_FIELDS: ReadonlySet<string> = new Set(
  CLIENTS.flatMap((client) => [
    ...Object.keys(
      client.process({ kind: "process", program: "", args: [], environment: { A: "" } }),
    ),
    ...Object.keys(client.http?.({ kind: "http", url: "", key: "" }) ?? {}),
  ]).concat("httpUrl", "bearer_token_env_var"),
);

/** Returns an entry for a target. Keeps the fields of an existing one that say something else. */
export function entryFor(client: Client, target: Target, existing: ConfigTable = {}): ConfigTable {
  const entry = target.kind === "process" ? client.process(target) : client.http!(target);
  const kept = Object.entries(existing).filter(([name]) => !TARGET_FIELDS.has(name));
  return { ...entry, ...Object.fromEntries(kept) };
}

/** Returns the key in an entry, or undefined if it has none. */
export function keyInEntry(entry: ConfigTable): string | undefined {
  return /\bcpl_[A-Za-z0-9_-]+/.exec(JSON.stringify(entry))?.[0];
}

const URL_FIELDS: readonly string[] = ["url", "serverUrl", "httpUrl"];

/** Returns the URL in an entry, or undefined if it starts a process. */
export function urlInEntry(entry: ConfigTable): string | undefined {
  return URL_FIELDS.map((name) => entry[name]).find((value) => typeof value === "string");
}

/** Returns an entry with another URL. */
export function withUrl(entry: ConfigTable, url: string): ConfigTable {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, URL_FIELDS.includes(name) ? url : value]),
  );
}

/** Checks whether an entry with a URL refers to a key, e.g. in an environment variable. */
export function refersToKey(entry: ConfigTable): boolean {
  if (urlInEntry(entry) === undefined || keyInEntry(entry) !== undefined) return false;
  return "bearer_token_env_var" in entry || /"authorization":/i.test(JSON.stringify(entry));
}

/** Returns the file that holds a client's user-wide configuration, whether it exists or not. */
export function userFile(client: Client, machine: Machine): string {
  const files = client.userFiles(machine);
  return files.find((file) => machine.exists(file)) ?? files[0]!;
}

/** Returns the client's file in a project's folder, or undefined if it reads none. */
export function projectFile(
  client: Client,
  machine: Machine,
  folder: string,
): string | undefined {
  const files = client.projectFiles.map((file) => joinPath(machine, folder, file));
  return files.find((file) => machine.exists(file)) ?? files[0];
}

/** Checks whether a client is installed: it has a command, or has been started before. */
export function isInstalled(client: Client, machine: Machine): boolean {
  if (client.program !== undefined && isOnPath(machine, client.program)) return true;
  const [file] = client.userFiles(machine);
  const folder = joinPath(machine, file!, "..");
  return machine.exists(folder === machine.home ? file! : folder);
}
