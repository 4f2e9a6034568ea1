/** What a verb of the command line is made of, and how its words are read and its results shown. */

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

/** A word on the command line and what it does. */
export interface Command {
  readonly name: string;
  /** The line of `commonplace help`. */
  readonly summary: string;
  /** How it is called, a line each. */
  readonly usage: readonly string[];
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

/** A verb whose first word names one of several actions, e.g. `keys list`. */
export function commandGroup(
  description: Omit<Command, "run">,
  actions: Readonly<Record<string, Command["run"]>>,
): Command {
  return {
    ...description,
    async run([action = "", ...args], terminal) {
      if (!Object.hasOwn(actions, action)) {
        throw new UsageError(`Use one of: ${description.usage.join("; ")}`);
      }
      await actions[action]!(args, terminal);
    },
  };
}

/** Where a verb reads and writes. */
export interface Terminal {
  print(line: string): void;
  environment(name: string): string | undefined;
  /** Asks a yes-or-no question; null when nobody is there to answer. */
  confirm(question: string): boolean | null;
}

/** A command that can't be carried out as it was given; the message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Flags of a verb: text, or true for a switch. */
export interface Flags {
  readonly text: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** The words that a verb knows beside `--data` and `--json`, which belong to each. */
export interface KnownFlags {
  readonly text?: readonly string[];
  readonly switches?: readonly string[];
  /** Whether it takes words that are no flags. */
  readonly positionals?: boolean;
}

/**
 * Reads the words of a management verb.
 *
 * @throws WordError for a flag or a word that the verb doesn't know: it was meant to do something
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
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    return {
      text: Object.fromEntries(texts.map((name) => [name, given[name] as string | undefined])),
      switches: new Set(switches.filter((name) => given[name] === true)),
      positionals,
    };
  } catch (error) {
    throw new UnknownArgumentError((error as Error).message.split(". ")[0]!);
  }
}

/** The data directory that the flags or the environment name. */
export function dataDirectory(flags: Flags, terminal: Terminal): string {
  // An empty variable counts as none, as it does for every setting.
  return flags.text["data"] ?? (terminal.environment(environmentName("data")) || DEFAULT_DATA);
}

/**
 * Opens the data directory that the flags or the environment name, for as long as `work` runs. An
 * empty directory becomes one, so that projects can be there before the first start.
 *
 * @param options `begins` makes the directory too when there is none
 * @throws UsageError when there is no such directory, or it holds anything else: probably a typo
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
      `There is no directory "${directory}"; \`serve\` and \`projects create\` make one`,
    );
  }
  if (!statSync(directory).isDirectory() || listEntries(directory).length > 0) {
    throw new UsageError(`"${directory}" is no data directory: it has no ${databasePath("")}`);
  }
}

/** One unit of work on the data directory; the options and errors of `withServices`. */
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

/** One unit of work about the project that `--project` names. */
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

/** A list of names between commas, or undefined when the flag was not given. */
export function listFlag(flags: Flags, name: string): string[] | undefined {
  return flags.text[name]?.split(",").map((each) => each.trim());
}

/** Shows a row or rows: JSON for programs (`--json`), a table for people. */
export function printResult(terminal: Terminal, flags: Flags, result: object): void {
  if (flags.switches.has("json")) return terminal.print(JSON.stringify(result));
  const rows = Array.isArray(result) ? result : [result];
  terminal.print(formatTable(rows as readonly Readonly<Record<string, unknown>>[]));
}

/** Shows what `inProject` answers. */
export async function printInProject(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services, project: NumberedProject) => Promise<object>,
): Promise<void> {
  printResult(terminal, flags, await inProject(flags, terminal, work));
}

/** Columns as wide as their widest cell, two blanks apart. */
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

/** The one positional of a verb. @throws UsageError when there is none, or more */
export function singlePositional(flags: Flags, what: string): string {
  const [value, ...more] = flags.positionals;
  if (value === undefined || more.length > 0) throw new UsageError(`Give one ${what}`);
  return value;
}

/** A flag that has to be there. @throws UsageError when it isn't */
export function requiredFlag(flags: Flags, name: string): string {
  const value = flags.text[name];
  if (value === undefined) throw new UsageError(`--${name} is needed`);
  return value;
}
