/** Decides what a client connects to: a server, or a process on the data directory. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ProcessTarget } from "../../connect/clients.ts";
import type { ConfigTable } from "../../connect/config_format.ts";
import { ownProcess } from "../../connect/own_process.ts";
import { isLoopbackHost } from "../../kernel/http/loopback.ts";
import { fixedKeys, type FixedScope, parseFixedScope } from "../../mcp/scopes.ts";
import { environmentName, resolveSettings, serverConfig } from "../../server/config.ts";
import { localUrl } from "../../server/listen.ts";
import { findRunningServer } from "../../server/server_file.ts";
import { dataDirectory, type Flags, type Terminal, UsageError } from "../command.ts";

/** A server. */
export interface ServerSource {
  readonly kind: "server";
  readonly url: string;
  /** A key to use as it is. Otherwise, `data` has the server's keys. */
  readonly key?: string;
  readonly data: string;
}

/** A server, or a data directory that no server runs on. */
export type Source = ServerSource | { readonly kind: "directory"; readonly data: string };

/**
 * Returns the server at `--url`, otherwise the one that runs on the data directory, otherwise the
 * directory itself.
 *
 * @throws UsageError if a URL is invalid or there's no key for it
 */
export function findSource(flags: Flags, terminal: Terminal): Source {
  const data = resolve(dataDirectory(flags, terminal));
  const isExplicit = flags.text["data"] !== undefined;
  const url = flags.text["url"] ??
    (isExplicit ? undefined : terminal.environment(environmentName("url")) || undefined);
  if (url !== undefined) {
    if (flags.switches.has("stdio")) throw new UsageError("--url and --stdio can't be combined");
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
      throw new UsageError(`--url must be an http or https URL, but is "${url}"`);
    }
    const { apiKey } = serverConfig(resolveSettings([], terminal.environment));
    if (apiKey !== undefined && !isExplicit) return { kind: "server", url, key: apiKey, data };
    // A key of this machine's data is not for other servers, unless the user names the data.
    const isLocal = isLoopbackHost(new URL(url).hostname);
    if ((isExplicit || isLocal) && existsSync(data)) return { kind: "server", url, data };
    throw new UsageError(
      "--url needs a key: set COMMONPLACE_API_KEY, or pass the server's data directory as --data",
    );
  }
  const running = flags.switches.has("stdio") ? null : findRunningServer(data);
  if (running === null) return { kind: "directory", data };
  return { kind: "server", url: localUrl(running.url), data };
}

/** Returns a process that serves a data directory. */
export function directoryProcess(
  data: string,
  project: string,
  fixed: FixedScope,
  terminal: Terminal,
): ProcessTarget {
  const projectArgs = project === "default" ? [] : ["--project", project];
  const args = ["mcp", "--data", data, ...projectArgs, ...scopeArgs(fixed)];
  return ownProcess(args, {}, terminal.environment);
}

/** Returns a process that forwards to a server, for clients that only start processes. */
export function proxyProcess(
  url: string,
  key: string,
  fixed: FixedScope,
  terminal: Terminal,
): ProcessTarget {
  const args = ["mcp", "--url", url, ...scopeArgs(fixed)];
  return ownProcess(args, { COMMONPLACE_API_KEY: key }, terminal.environment);
}

/** Returns the scopes of an entry that starts a process for the same server or data directory. */
export function scopesOfProcess(entry: ConfigTable, source: Source): FixedScope {
  // opencode has the arguments in `command`.
  const words = [entry["command"], entry["args"]].flat();
  if (!words.includes(source.kind === "server" ? source.url : source.data)) return {};
  return parseFixedScope((key) => {
    const index = words.indexOf(scopeFlag(key));
    const value = index === -1 ? undefined : words[index + 1];
    return typeof value === "string" ? [value] : [];
  });
}

function scopeArgs(fixed: FixedScope): string[] {
  return fixedKeys(fixed).flatMap((key) => [scopeFlag(key), fixed[key]!]);
}

function scopeFlag(key: string): string {
  return `--${key.replace("_", "-")}`;
}
