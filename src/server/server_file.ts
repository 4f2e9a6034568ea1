/** Describes the running server in a file, for commands run alongside it. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localUrl } from "./listen.ts";
import { isServerRunning } from "./lock.ts";

const SERVER_FILE = "server.json";

/** What commands need to know about a running server. */
export interface ServerFile {
  readonly url: string;
  /** URL at which browsers reach the service, if it's configured. */
  readonly publicUrl?: string | undefined;
  /** Whether webhooks can reach private networks. */
  readonly webhooksAllowPrivate: boolean;
  /** Embedder that a flag or variable sets, or null if `commonplace embedder use` has an effect. */
  readonly fixedEmbedder: string | null;
}

/** Writes the file atomically, so readers see all of it or nothing. */
export function writeServerFile(directory: string, server: ServerFile): void {
  const file = join(directory, SERVER_FILE);
  const part = `${file}.part`;
  try {
    writeFileSync(part, JSON.stringify(server), { mode: 0o600 });
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Deletes an earlier server's file. Called before a new server is ready. */
export function deleteServerFile(directory: string): void {
  rmSync(join(directory, SERVER_FILE), { force: true });
}

/**
 * Returns a link that signs a browser in to a server.
 *
 * @example
 * ```ts
 * import { signInLink } from "./server_file.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const url = "http://0.0.0.0:8420";
 * strictEqual(signInLink({ url }, "x"), "http://127.0.0.1:8420/#signin=x");
 * const publicUrl = "https://memory.example/";
 * strictEqual(signInLink({ url, publicUrl }, "x"), "https://memory.example/#signin=x");
 * ```
 */
export function signInLink(
  { url, publicUrl = localUrl(url) }: Pick<ServerFile, "url" | "publicUrl">,
  token: string,
): string {
  return `${publicUrl.replace(/\/$/, "")}/#signin=${token}`;
}

/** Returns the server running on a data directory, or null if there isn't one. */
export function findRunningServer(directory: string): ServerFile | null {
  const file = join(directory, SERVER_FILE);
  if (!existsSync(file) || !isServerRunning(directory)) return null;
  return JSON.parse(readFileSync(file, "utf8"));
}
