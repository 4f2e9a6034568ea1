/** TOML. An entry is a table with a header of its own: `[container.name]`. */

import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { ConfigError } from "./config_error.ts";
import type { ConfigFormat, ConfigTable, EntryPath } from "./config_format.ts";
import { lineEnd } from "./lines.ts";

export const tomlFormat: ConfigFormat = {
  parse: (text) => getStaticTOMLValue(parse(text)),

  setEntry(text, path, entry) {
    const block = renderTable([path.container, path.name], entry, lineEnd(text));
    const [first, ...others] = entryRanges(text, path);
    if (first === undefined) return append(text, block);
    return text.slice(0, first[0]) + block + removeRanges(text.slice(first[1]), others, first[1]);
  },

  removeEntry(text, path) {
    const ranges = entryRanges(text, path);
    const removed = removeRanges(text, ranges, 0);
    const wasLast = ranges.at(-1)?.[1] === text.length;
    // Removes the blank line before the table too, which `append` inserts.
    return wasLast ? removed.replace(/(^|\r?\n)\r?\n$/, "$1") : removed;
  },
};

type Range = readonly [start: number, end: number];

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ConfigError(`Invalid TOML in line ${error.lineNumber}: ${error.message}`);
  }
}

/** Returns the lines of an entry's table and its subtables. Blank lines between them count too. */
function entryRanges(text: string, { container, name }: EntryPath): Range[] {
  const ranges: Range[] = [];
  for (const node of parse(text).body[0].body) {
    if (node.type !== "TOMLTable") continue;
    const [first, second] = node.resolvedKey;
    if (first !== container || second !== name) continue;
    const start = text.lastIndexOf("\n", node.range[0] - 1) + 1;
    const lineBreak = text.indexOf("\n", node.range[1]);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const last = ranges.at(-1);
    if (last === undefined || text.slice(last[1], start).trim() !== "") ranges.push([start, end]);
    else ranges[ranges.length - 1] = [last[0], end];
  }
  return ranges;
}

/** Removes ranges from the part of a text that begins at `offset`. */
function removeRanges(text: string, ranges: readonly Range[], offset: number): string {
  return ranges.toReversed().reduce(
    (rest, [start, end]) => rest.slice(0, start - offset) + rest.slice(end - offset),
    text,
  );
}

function append(text: string, block: string): string {
  const eol = lineEnd(text);
  if (text === "") return block;
  const newLine = text.endsWith("\n") ? "" : eol;
  const blankLine = /(^|\n)\r?\n$/.test(text) ? "" : eol;
  return text + newLine + blankLine + block;
}

function renderTable(key: readonly string[], table: ConfigTable, eol: string): string {
  const lines = Object.entries(table).map(([name, value]) =>
    `${renderKey(name)} = ${render(value)}`
  );
  return [`[${key.map(renderKey).join(".")}]`, ...lines, ""].join(eol);
}

function renderKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : renderString(key);
}

/** @throws ConfigError for dates, which don't occur in the entries that we write */
function render(value: unknown): string {
  if (typeof value === "string") return renderString(value);
  if (["boolean", "number", "bigint"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(render).join(", ")}]`;
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    const fields = Object.entries(value).map(([key, item]) =>
      `${renderKey(key)} = ${render(item)}`
    );
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  throw new ConfigError(`Expected no value like "${String(value)}" in the entry`);
}

/** Basic strings have the escapes of JSON, except that they don't allow DEL. */
function renderString(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
