/** Reads and changes a client's configuration file on this machine. */

import { isDeepStrictEqual } from "node:util";
import { type Client, keyInEntry, projectFile, userFile } from "../../connect/clients.ts";
import { ConfigError } from "../../connect/config_error.ts";
import {
  backUp,
  type ConfigFile,
  readConfigFile,
  restrictToOwner,
  sharedMode,
  writeConfigFile,
  type WriteOptions,
} from "../../connect/config_file.ts";
import {
  type ConfigTable,
  type EntryPath,
  FORMATS,
  readEntry,
  removeEntry,
  setEntry,
} from "../../connect/config_format.ts";
import { SERVER_NAME } from "../../connect/instructions.ts";
import { isOnPath, type Machine } from "../../connect/machine.ts";
import { UsageError } from "../command.ts";

/** How a command ends that Ctrl-C or SIGTERM interrupts: by the signal, or with such an exit code. */
const INTERRUPTED: ReadonlySet<string | number> = new Set(["SIGINT", "SIGTERM", 130, 143]);

/** Where a client's configuration applies. */
export type ConfigScope = "user" | "project";

/** A client's configuration file, and its entry for this service. */
export interface ClientConfig {
  readonly client: Client;
  readonly machine: Machine;
  readonly scope: ConfigScope;
  readonly file: ConfigFile;
  readonly entry: ConfigTable | undefined;
}

/**
 * Returns the path of a client's file.
 *
 * @throws UsageError if the client has no files for projects
 */
export function configPath(client: Client, machine: Machine, scope: ConfigScope): string {
  if (scope === "user") return userFile(client, machine);
  const path = projectFile(client, machine, currentFolder(machine));
  if (path === undefined) throw new UsageError(`${client.title} has no files for projects`);
  return path;
}

/** Returns the folder that the user is in. `deno task` starts programs in the repository. */
function currentFolder({ environment }: Machine): string {
  return environment("INIT_CWD") || Deno.cwd();
}

/**
 * Reads a client's configuration.
 *
 * @throws UsageError if the file can't be read or parsed
 */
export function readClientConfig(
  client: Client,
  machine: Machine,
  scope: ConfigScope,
): ClientConfig {
  const path = configPath(client, machine, scope);
  return withFileName(path, () => {
    const file = readConfigFile(path);
    const entry = readEntry(FORMATS[client.format], file.text, entryPath(client));
    return { client, machine, scope, file, entry };
  });
}

/** What a change left behind. */
export interface Change {
  readonly changed: boolean;
  /** Copy of the file as it was before, or null if nothing changed or the file is new. */
  readonly backup: string | null;
  /** The file's mode before it was restricted to its owner, or null if it wasn't. */
  readonly modeBefore: number | null;
}

/**
 * Adds, replaces or, without a value, removes the entry. An entry with a key makes the file readable
 * by its owner only, unless it belongs to a project, whose files others may have to read.
 *
 * @throws UsageError if the file can't be changed safely. It then has its old content.
 */
export async function writeEntry(
  config: ClientConfig,
  entry: ConfigTable | undefined,
  now: number,
): Promise<Change> {
  const { path } = config.file;
  const isSecret = config.scope === "user" && entry !== undefined &&
    keyInEntry(entry) !== undefined;
  const modeBefore = isSecret ? sharedMode(path) : null;
  const change = await replaceEntry(config, entry, { isSecret, backupAt: now });
  // Also if the entry was there already, or the client's own command has written the file.
  if (isSecret) restrictToOwner(path);
  return { ...change, modeBefore };
}

async function replaceEntry(
  config: ClientConfig,
  entry: ConfigTable | undefined,
  options: WriteOptions & { readonly backupAt: number },
): Promise<Omit<Change, "modeBefore">> {
  const { client, file } = config;
  if (isDeepStrictEqual(entry, config.entry)) return { changed: false, backup: null };
  const format = FORMATS[client.format];
  const path = entryPath(client);
  const edit = ({ text }: ConfigFile) =>
    entry === undefined ? removeEntry(format, text, path) : setEntry(format, text, path, entry);
  const text = withFileName(file.path, () => edit(file));
  if (usesOwnCommand(config)) {
    const backup = withFileName(file.path, () => backUp(file, options.backupAt));
    if (options.isSecret) restrictToOwner(file.path);
    if (await runClaude(config, entry, backup)) return { changed: true, backup };
    // The command may have changed the file, so edit what's there now.
    const now = readClientConfig(client, config.machine, config.scope).file;
    return withFileName(now.path, () => {
      writeConfigFile(now, edit(now), { ...options, backupAt: null });
      return { changed: true, backup };
    });
  }
  const backup = withFileName(file.path, () => writeConfigFile(file, text, options));
  return { changed: true, backup };
}

/**
 * Checks whether the client changes its file itself. Claude Code keeps its state in the same file,
 * and sessions that are open write it all the time, with a lock of their own.
 */
function usesOwnCommand({ client, scope, machine }: ClientConfig): boolean {
  return client.id === "claude-code" && scope === "user" && isOnPath(machine, "claude");
}

/**
 * Replaces the entry with Claude Code's own command. The key goes through standard input, since
 * other users can read arguments. Returns false if the command isn't usable.
 *
 * @param backup the file as it was, for the message of an error
 * @throws UsageError if the command is interrupted
 */
async function runClaude(
  { client, machine, scope, file, entry: old }: ClientConfig,
  entry: ConfigTable | undefined,
  backup: string | null,
): Promise<boolean> {
  const run = async (words: readonly string[], input = "") => {
    const args = ["mcp", words[0]!, "--scope", "user", ...words.slice(1)];
    const options = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command("claude", { args, ...options }).spawn();
    const writer = child.stdin.getWriter();
    // A command that ends early doesn't read its input.
    await writer.write(new TextEncoder().encode(input)).then(() => writer.close(), () => {});
    const { signal, code } = await child.output();
    // In a terminal, Ctrl-C ends claude, too. The key is revoked then, so nothing must be written.
    if (INTERRUPTED.has(signal ?? code)) {
      const copy = backup === null ? "" : `; ${backup} is the file as it was`;
      throw new UsageError(`claude was interrupted. ${file.path} may have changed${copy}`);
    }
  };
  try {
    if (old !== undefined) await run(["remove", SERVER_NAME]);
    if (entry !== undefined) await run(["add-json", SERVER_NAME, "-"], JSON.stringify(entry));
  } catch (error) {
    const isUnusable = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied;
    if (!isUnusable) throw error;
  }
  return isDeepStrictEqual(readClientConfig(client, machine, scope).entry, entry);
}

function entryPath({ container }: Client): EntryPath {
  return { container, name: SERVER_NAME };
}

/** Runs `work` and names the file in its errors. */
function withFileName<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(
      `${path} was not changed. ${error.message}. --print shows what to add by hand`,
    );
  }
}
