/**
 * What all commands share: how they are defined, how their arguments are parsed, and how their
 * results are printed.
 */

import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import type { NumberedProject } from "../projects/service.ts";
import { listEntries } from "../store/folders.ts";
import type { Tx } from "../store/store.ts";
import { environmentName, UnknownArgumentError } from "../server/config.ts";
import { closeServices, openServices, type Services } from "../server/services.ts";
import { SETTINGS } from "../server/settings.ts";
import { databasePath } from "../store/sqlite/store.ts";

const DEFAULT_DATA = SETTINGS.find(({ name }) => name === "data")!.default;

/** A command and what it does. */
export interface Command {
  readonly name: string;
  /** Its line in the output of `commonplace help`. */
  readonly summary: string;
  /** Ways to call the command, one per line. */
  readonly usage: readonly string[];
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

/** Creates a command with subcommands, e.g. `keys list`. */
export function commandGroup(
  description: Omit<Command, "run">,
  actions: Readonly<Record<string, Command["run"]>>,
): Command {
  return {
    ...description,
    async run([action = "", ...args], terminal) {
      if (!Object.hasOwn(actions, action)) {
        throw new UsageError(`Expected one of: ${description.usage.join("; ")}`);
      }
      await actions[action]!(args, terminal);
    },
  };
}

/** Input and output for commands. */
export interface Terminal {
  print(line: string): void;
  environment(name: string): string | undefined;
  /** Asks a yes-or-no question. Returns null if there isn't a terminal to ask on. */
  confirm(question: string): boolean | null;
}

/**
 * Signals that a command failed or was called with invalid arguments. The message is a single line.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command's parsed flags and arguments. */
export interface Flags {
  readonly text: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** A command's flags, in addition to `--data` and `--json`, which all commands have. */
export interface KnownFlags {
  readonly text?: readonly string[];
  readonly switches?: readonly string[];
  /** Whether the command accepts positional arguments. */
  readonly positionals?: boolean;
}

/**
 * Parses the arguments of a management command.
 *
 * @throws UnknownArgumentError for an unknown flag or unexpected argument, because ignoring it
 *   would mean ignoring what the user wanted
 */
export function readFlags(args: readonly string[], known: KnownFlags = {}): Flags {
  const texts = ["data", ...known.text ?? []];
  const switches = ["json", ...known.switches ?? []];
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: "string" as const }]),
    ...switches.map((name) => [name, { type: "boolean" as const }]),
  ]);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowPositionals: known.positionals ?? false,
    });
    const parsed = values as Readonly<Record<string, string | boolean | undefined>>;
    return {
      text: Object.fromEntries(texts.map((name) => [name, parsed[name] as string | undefined])),
      switches: new Set(switches.filter((name) => parsed[name] === true)),
      positionals,
    };
  } catch (error) {
    throw new UnknownArgumentError((error as Error).message.split(". ")[0]!);
  }
}

/** Returns the data directory, taken from the flags, the environment or the default. */
export function dataDirectory(flags: Flags, terminal: Terminal): string {
  // As with every setting, an empty variable counts as not set.
  return flags.text["data"] ?? (terminal.environment(environmentName("data")) || DEFAULT_DATA);
}

/**
 * Keeps the data directory open while `work` runs. An empty directory is initialized, so projects
 * can be created before the first start.
 *
 * @param options `createIfMissing` also creates the directory
 * @throws UsageError if the directory doesn't exist or contains other files, because the path was
 *   probably mistyped
 */
export async function withServices<T>(
  flags: Flags,
  terminal: Terminal,
  work: (services: Services) => Promise<T>,
  options: { readonly createIfMissing?: boolean } = {},
): Promise<T> {
  const directory = dataDirectory(flags, terminal);
  if (!options.createIfMissing || existsSync(directory)) requireDataDirectory(directory);
  const services = await openServices(directory);
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}

function requireDataDirectory(directory: string): void {
  if (existsSync(databasePath(directory))) return;
  if (!existsSync(directory)) {
    throw new UsageError(
      `Directory "${directory}" doesn't exist; \`serve\` and \`projects create\` create it`,
    );
  }
  if (!statSync(directory).isDirectory() || listEntries(directory).length > 0) {
    throw new UsageError(
      `"${directory}" is not a data directory: it does not contain ${databasePath("")}`,
    );
  }
}

/**
 * Runs one unit of work on the data directory. The options and errors are the same as for
 * `withServices`.
 */
export async function inUnitOfWork<T>(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services) => Promise<T>,
  options: { readonly createIfMissing?: boolean } = {},
): Promise<T> {
  return await withServices(
    flags,
    terminal,
    (services) => services.appContext.store.write((tx) => work(tx, services)),
    options,
  );
}

/** Runs one unit of work for the project given by `--project`. */
export async function inProject<T>(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services, project: NumberedProject) => Promise<T>,
): Promise<T> {
  const name = requiredFlag(flags, "project");
  return await inUnitOfWork(
    flags,
    terminal,
    async (tx, services) => await work(tx, services, await services.projects.getByName(tx, name)),
  );
}

/** Returns the items of a comma-separated list, or undefined if the flag is not set. */
export function listFlag(flags: Flags, name: string): string[] | undefined {
  return flags.text[name]?.split(",").map((item) => item.trim());
}

/** Prints one or more rows, as JSON if `--json` is set and as a table otherwise. */
export function printResult(terminal: Terminal, flags: Flags, result: object): void {
  if (flags.switches.has("json")) return terminal.print(JSON.stringify(result));
  const rows = Array.isArray(result) ? result : [result];
  terminal.print(formatTable(rows as readonly Readonly<Record<string, unknown>>[]));
}

/** Runs `inProject` and prints the result. */
export async function printInProject(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services, project: NumberedProject) => Promise<object>,
): Promise<void> {
  printResult(terminal, flags, await inProject(flags, terminal, work));
}

/** Returns a table. Each column is as wide as its widest cell, with two spaces between columns. */
export function formatTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return "(none)";
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)));
  return cells.map((line) =>
    line.map((text, index) => text.padEnd(widths[index]!)).join("  ").trimEnd()
  ).join("\n");
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Returns the only positional argument.
 *
 * @param what name of the argument, for the error message
 * @throws UsageError if there isn't exactly one
 */
export function singlePositional(flags: Flags, what: string): string {
  const [value, ...more] = flags.positionals;
  if (value === undefined || more.length > 0) {
    throw new UsageError(`Expected exactly one argument: ${what}`);
  }
  return value;
}

/**
 * Returns a required flag.
 *
 * @throws UsageError if it is not set
 */
export function requiredFlag(flags: Flags, name: string): string {
  const value = flags.text[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}
