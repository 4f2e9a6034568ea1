/** What to paste, run or open to connect a client by hand. */

import { Buffer } from "node:buffer";
import { type Client, entryFor, type HttpTarget, type Target, userFile } from "./clients.ts";
import { FORMATS, setEntry } from "./config_format.ts";
import type { OperatingSystem } from "./machine.ts";

/** The name of the entry in every client. */
export const SERVER_NAME = "commonplace";

/** How to connect a client without `commonplace connect`. */
export interface Instructions {
  /** The whole content of a configuration file that has no other settings. */
  readonly text: string;
  /** A command of the client that does the same, or null if there is none. */
  readonly command: string | null;
  /** A link that opens the client and asks the user to confirm, or null if it has none. */
  readonly link: string | null;
}

/** Returns the instructions for a client. */
export function instructionsFor(client: Client, target: Target): Instructions {
  const path = { container: client.container, name: SERVER_NAME };
  const text = setEntry(FORMATS[client.format], "", path, entryFor(client, target));
  const http = target.kind === "http" ? target : null;
  return {
    text,
    command: http && (COMMANDS[client.id]?.(http) ?? null),
    link: LINKS[client.id]?.(JSON.stringify(entryFor(client, target))) ?? null,
  };
}

/** Returns where a client's file is on a system, with `~` for the home directory. */
export function defaultFile(client: Client, os: OperatingSystem): string {
  const environment = (name: string) => os === "windows" && name === "APPDATA" ? "%APPDATA%" : "";
  const home = os === "windows" ? "%USERPROFILE%" : "~";
  return userFile(client, { os, home, environment, exists: () => false });
}

/** Returns the URL of a server's MCP endpoint with fixed scopes. */
export function mcpUrl(url: string, scopes: Readonly<Record<string, string | undefined>>): string {
  const address = new URL(url.replace(/\/+$/, "").replace(/(\/mcp)?$/, "/mcp"));
  for (const [name, value] of Object.entries(scopes)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address.href;
}

/** Commands of clients that have one for servers with a key. */
const COMMANDS: Readonly<Record<string, (target: HttpTarget) => string>> = {
  "claude-code": ({ url, key }) =>
    `claude mcp add --transport http --scope user ${SERVER_NAME} ${quote(url)} ` +
    `--header "Authorization: Bearer ${key}"`,
  gemini: ({ url, key }) =>
    `gemini mcp add --transport http --scope user ${SERVER_NAME} ${quote(url)} ` +
    `--header "Authorization: Bearer ${key}"`,
  opencode: ({ url, key }) =>
    `opencode mcp add ${SERVER_NAME} --url ${quote(url)} --header "Authorization=Bearer ${key}"`,
  vscode: ({ url, key }) => {
    const headers = { Authorization: `Bearer ${key}` };
    const server = { name: SERVER_NAME, type: "http", url, headers };
    return `code --add-mcp ${quote(JSON.stringify(server))}`;
  },
};

/**
 * Links, from an entry as JSON. Documented at cursor.com/docs/mcp/install-links and in
 * code.visualstudio.com/api/extension-guides/ai/mcp.
 */
const LINKS: Readonly<Record<string, (entry: string) => string>> = {
  cursor: (entry) => {
    const config = encodeURIComponent(Buffer.from(entry).toString("base64"));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER_NAME}&config=${config}`;
  },
  vscode: (entry) => {
    const server = { name: SERVER_NAME, ...JSON.parse(entry) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
  },
};

/** Quotes a word for a POSIX shell, if it needs that. */
export function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
