/**
 * Shared by all commands: how they're defined, how arguments are parsed, and how results are
 * printed.
 */

import { existsSync } from "node:fs";
import { systemClock } from "../kernel/clock.ts";
import { LOG_LEVELS, stderrLog } from "../kernel/log.ts";
import { Progress, type ReportStep } from "../kernel/progress.ts";
import type { NumberedProject } from "../projects/service.ts";
import { folderProblem, listEntries } from "../store/folders.ts";
import type { Tx } from "../store/store.ts";
import { parseArguments } from "../server/arguments.ts";
import { ArgumentError } from "../server/config_error.ts";
import {
  blobsFromEnvironment,
  databaseFromEnvironment,
  environmentName,
} from "../server/config.ts";
import {
  closeServices,
  MANAGEMENT_OPTIONS,
  openServices,
  type Services,
} from "../server/services.ts";
import { SETTINGS } from "../server/settings.ts";
import { databasePath, dataDirectoryProblem } from "../store/sqlite/store.ts";

const DEFAULT_DATA = SETTINGS.find(({ name }) => name === "data")!.default;

/** A command and what it does. */
export interface Command {
  readonly name: string;
  /** Line in the output of `commonplace help`. */
  readonly summary: string;
  /** Ways to call it, one per line. */
  readonly usage: readonly string[];
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

/** Creates a command with subcommands, e.g. `keys list`. */
export function commandGroup(
  description: Omit<Command, "run">,
  actions: Readonly<Record<string, Command["run"]>>,
): Command {
  const expected = `expected one of: ${Object.keys(actions).join(", ")}`;
  return {
    ...description,
    async run([action, ...args], terminal) {
      const { name } = description;
      if (action === undefined) {
        throw new ArgumentError(`"${name}" needs a subcommand; ${expected}`);
      }
      if (!Object.hasOwn(actions, action)) {
        throw new ArgumentError(`Unknown subcommand "${name} ${action}"; ${expected}`);
      }
      await actions[action]!(args, terminal);
    },
  };
}

/** Input and output available to commands. */
export interface Terminal {
  print(line: string): void;
  environment(name: string): string | undefined;
  /** Asks a yes-or-no question. Returns null if there's no terminal to ask on. */
  confirm(question: string): boolean | null;
}

/** Thrown when a command fails or gets invalid arguments. The message is a single line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Parsed flags and arguments. */
export interface Flags {
  readonly text: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** Flags, on top of `--data` and `--json`, which every command has. */
export interface KnownFlags {
  readonly text?: readonly string[];
  readonly switches?: readonly string[];
  /** Whether positional arguments are accepted. */
  readonly positionals?: boolean;
}

/** Flags with the path of a file or directory. */
const PATH_FLAGS = ["data", "input", "output"] as const;

/**
 * Parses the arguments of a management command.
 *
 * @throws ArgumentError for an unknown flag, an unexpected argument or an empty path:
 *   ignoring it would mean ignoring what the user asked for
 */
export function readFlags(args: readonly string[], known: KnownFlags = {}): Flags {
  const texts = ["data", ...known.text ?? []];
  const switches = ["json", ...known.switches ?? []];
  const { values, positionals } = parseArguments(
    args,
    new Map([
      ...texts.map((name) => [name, "text"] as const),
      ...switches.map((name) => [name, "switch"] as const),
    ]),
    known.positionals,
  );
  const empty = PATH_FLAGS.find((name) => values[name] === "");
  if (empty !== undefined) throw new ArgumentError(`--${empty} must not be empty`);
  return {
    text: Object.fromEntries(texts.map((name) => [name, values[name] as string | undefined])),
    switches: new Set(switches.filter((name) => values[name] === true)),
    positionals,
  };
}

/** Returns the data directory from the flags, the environment or the default, in that order. */
export function dataDirectory(flags: Flags, terminal: Terminal): string {
  // An empty variable counts as unset, as with every setting.
  return flags.text["data"] ?? (terminal.environment(environmentName("data")) || DEFAULT_DATA);
}

/**
 * Refuses a command that only works on a data directory, if the records are in PostgreSQL.
 *
 * @param advice what to do instead
 * @throws UsageError
 */
export function requireRecordsInDirectory(terminal: Terminal, name: string, advice: string): void {
  if (databaseFromEnvironment(terminal.environment) === undefined) return;
  throw new UsageError(
    `"${name}" works on a data directory, but COMMONPLACE_DATABASE_URL is set; ${advice}`,
  );
}

/** Checks whether there are records: in the data directory, or in a PostgreSQL database. */
export function hasRecords(flags: Flags, terminal: Terminal): boolean {
  return databaseFromEnvironment(terminal.environment) !== undefined ||
    existsSync(databasePath(dataDirectory(flags, terminal)));
}

/**
 * Keeps the data directory open while `work` runs. Initializes an empty directory, so projects can
 * be created before the first start.
 *
 * @param options `createIfMissing` also creates the directory
 * @throws UsageError if the directory doesn't exist or contains other files, since the path is
 *   probably a typo
 */
export async function withServices<T>(
  flags: Flags,
  terminal: Terminal,
  work: (services: Services) => Promise<T>,
  options: { readonly createIfMissing?: boolean } = {},
): Promise<T> {
  const directory = dataDirectory(flags, terminal);
  const database = databaseFromEnvironment(terminal.environment);
  if (database === undefined) requireDataDirectory(directory, options.createIfMissing ?? false);
  const blobs = blobsFromEnvironment(terminal.environment, database !== undefined);
  const services = await withProgress(
    terminal,
    (report) => openServices(directory, { ...MANAGEMENT_OPTIONS, database, blobs }, report),
  );
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}

function requireDataDirectory(directory: string, canBeMissing: boolean): void {
  const problem = dataDirectoryProblem(directory);
  if (problem === null) return;
  const pathProblem = folderProblem(directory);
  if (!existsSync(directory)) {
    if (pathProblem !== null) throw new UsageError(pathProblem);
    if (canBeMissing) return;
    throw new UsageError(
      `Directory "${directory}" doesn't exist; \`serve\` and \`projects create\` create it`,
    );
  }
  // Another command may have created the database since the check above, so one look has to decide.
  const entries = pathProblem === null ? listEntries(directory) : null;
  if (entries === null || entries.length > 0 && !entries.includes(databasePath(""))) {
    throw new UsageError(problem);
  }
}

/** Shows the progress of work that can take longer than a second. */
export async function withProgress<T>(
  terminal: Terminal,
  work: (report: ReportStep) => Promise<T>,
): Promise<T> {
  const configured = terminal.environment(environmentName("log-level"));
  const level = LOG_LEVELS.find((level) => level === configured) ?? "info";
  const progress = new Progress(stderrLog(systemClock(), level));
  try {
    return await work(progress.update);
  } finally {
    progress.end();
  }
}

/**
 * Runs one unit of work on the data directory. Takes the same options and throws the same errors as
 * `withServices`.
 *
 * @param options `owner` says whose rows the unit changes. Defaults to projects as a whole
 */
export async function inUnitOfWork<T>(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services) => Promise<T>,
  { owner = "projects", ...options }: {
    readonly createIfMissing?: boolean;
    readonly owner?: "projects" | "rows";
  } = {},
): Promise<T> {
  return await withServices(
    flags,
    terminal,
    (services) => services.appContext.store.write(owner, (tx) => work(tx, services)),
    options,
  );
}

/** Runs one unit of work in a project, by default the `--project` project. */
export async function inProject<T>(
  flags: Flags,
  terminal: Terminal,
  work: (tx: Tx, services: Services, project: NumberedProject) => Promise<T>,
  name: string = requiredFlag(flags, "project"),
): Promise<T> {
  return await withServices(flags, terminal, async (services) => {
    const { store } = services.appContext;
    const { number } = await store.read((db) => services.projects.getByName(db, name));
    return await store.write(
      number,
      async (tx) => await work(tx, services, await services.projects.getByName(tx, name)),
    );
  });
}

/** Returns the items of a comma-separated list, or undefined if the flag isn't set. */
export function listFlag(flags: Flags, name: string): string[] | undefined {
  return flags.text[name]?.split(",").map((item) => item.trim());
}

/** Prints rows as JSON if `--json` is set, otherwise as a table. */
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

/** Returns a table. Columns are as wide as their widest cell and separated by two spaces. */
export function formatTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return "(none)";
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, index) =>
    cells.reduce((width, line) => Math.max(width, line[index]!.length), 0)
  );
  return cells.map((line) =>
    line.map((text, index) => text.padEnd(widths[index]!)).join("  ").trimEnd()
  ).join("\n");
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.join(",");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A row is one line, and names must not control the terminal.
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

/**
 * Returns the only positional argument.
 *
 * @param what argument name for the error message
 * @throws ArgumentError if there isn't exactly one
 */
export function singlePositional(flags: Flags, what: string): string {
  const [value, ...more] = flags.positionals;
  if (!value || more.length > 0) {
    throw new ArgumentError(`Expected exactly one argument: ${what}`);
  }
  return value;
}

/**
 * Returns a required flag.
 *
 * @throws ArgumentError if it isn't set
 */
export function requiredFlag(flags: Flags, name: string): string {
  const value = flags.text[name];
  if (value === undefined) throw new ArgumentError(`--${name} is required`);
  return value;
}
