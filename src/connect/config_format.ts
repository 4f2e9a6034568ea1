/**
 * Edits one server's entry in a client's configuration file, and nothing else in it. Each edit is
 * checked before it's returned: the result must parse, contain the entry, and otherwise have the
 * same values as before.
 */

import { isDeepStrictEqual } from "node:util";
import { ConfigError } from "./config_error.ts";
import { jsonFormat } from "./json_format.ts";
import { tomlFormat } from "./toml_format.ts";

/** A server's entry, or any other table in a configuration file. */
export type ConfigTable = Readonly<Record<string, unknown>>;

/** Where an entry is: `{[container]: {[name]: entry}}`. */
export interface EntryPath {
  readonly container: string;
  readonly name: string;
}

/** A file format. Texts have no byte order mark. */
export interface ConfigFormat {
  /** @throws ConfigError if the text is invalid */
  parse(text: string): ConfigTable;
  /** Adds an entry, or replaces its value. */
  setEntry(text: string, path: EntryPath, entry: ConfigTable): string;
  /** Removes an entry that exists. */
  removeEntry(text: string, path: EntryPath): string;
}

/** All formats, by name. */
export const FORMATS: Readonly<Record<"json" | "toml", ConfigFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
};

/** Returns an entry's value, or undefined if there isn't one. */
export function readEntry(
  format: ConfigFormat,
  text: string,
  path: EntryPath,
): ConfigTable | undefined {
  return entryOf(format.parse(text), path);
}

/**
 * Returns the text with an entry added or replaced. Returns the same text if the entry already has
 * this value.
 *
 * @throws ConfigError if the text is invalid or can't be edited without changing something else
 */
export function setEntry(
  format: ConfigFormat,
  text: string,
  path: EntryPath,
  entry: ConfigTable,
): string {
  if (isDeepStrictEqual(readEntry(format, text, path), entry)) return text;
  return checked(format, text, format.setEntry(text, path, entry), path, entry);
}

/**
 * Returns the text without an entry. Returns the same text if there isn't one.
 *
 * @throws ConfigError as for `setEntry`
 */
export function removeEntry(format: ConfigFormat, text: string, path: EntryPath): string {
  if (readEntry(format, text, path) === undefined) return text;
  return checked(format, text, format.removeEntry(text, path), path, undefined);
}

function checked(
  format: ConfigFormat,
  before: string,
  after: string,
  path: EntryPath,
  entry: ConfigTable | undefined,
): string {
  const isSafe = () =>
    isDeepStrictEqual(entryOf(format.parse(after), path), entry) &&
    isDeepStrictEqual(
      withoutEntry(format.parse(after), path),
      withoutEntry(format.parse(before), path),
    );
  try {
    if (isSafe()) return after;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  throw new ConfigError(`"${path.container}" is written in a form that can't be edited`);
}

function entryOf(config: ConfigTable, { container, name }: EntryPath): ConfigTable | undefined {
  const servers = own(config, container);
  if (servers === undefined) return undefined;
  if (!isTable(servers)) throw new ConfigError(`"${container}" is not a table of servers`);
  const entry = own(servers, name);
  if (entry === undefined) return undefined;
  if (!isTable(entry)) throw new ConfigError(`"${container}.${name}" is not a table`);
  return entry;
}

/** Returns the values without the entry. A container without servers counts as missing. */
function withoutEntry(config: ConfigTable, { container, name }: EntryPath): ConfigTable {
  const { [container]: servers, ...others } = config;
  const { [name]: _, ...rest } = (servers ?? {}) as ConfigTable;
  return Object.keys(rest).length === 0 ? others : { ...others, [container]: rest };
}

function own(table: ConfigTable, key: string): unknown {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isTable(value: unknown): value is ConfigTable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
