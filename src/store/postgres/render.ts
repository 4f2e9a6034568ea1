/**
 * Renders statements for PostgreSQL. They are written in the subset that both engines share, with
 * SQLite's form for the few constructs that have no common one (docs/adr/0006-one-sql.md).
 */

import type { Sql } from "sql-template-tag";
import { ListParameter, NEXT_NUMBER } from "../sql.ts";

/** A statement as PostgreSQL takes it. */
export interface RenderedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Maximum number of cached texts. Beyond that, the cache starts over. */
const MAX_CACHED_TEXTS = 2_000;

const texts = new Map<string, string>();

/** Returns a statement with numbered, typed parameters. */
export function render({ strings, values }: Sql): RenderedStatement {
  const bound: unknown[] = [];
  let shape = "";
  for (const value of values) {
    const kind = kindOf(value);
    shape += kind;
    if (kind !== "n" && kind !== "x") bound.push(bindValue(value));
  }
  const key = `${shape}\n${strings.join("\u0000")}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = renderText(strings, shape);
    cacheText(key, text);
  }
  return { text, values: bound };
}

function cacheText(key: string, text: string): void {
  if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
  texts.set(key, text);
}

/**
 * Returns a statement that inserts rows.
 *
 * @param into the statement up to its values: `insert into … (…)`
 * @param rows their values. Those for the next row number are in the same columns of all rows
 */
export function renderRows(
  into: string,
  rows: readonly (readonly unknown[])[],
): RenderedStatement {
  const kinds = rows[0]!.map((_, column) => rows.map((row) => kindOf(row[column])).reduce(common));
  const columns = [...kinds.keys()];
  const values = columns.filter((column) => kinds[column] !== "n" && kinds[column] !== "x")
    .map((column) => rows.map((row) => bindValue(row[column])));
  const key = `${kinds.join("")}\n${into}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = renderRowsText(into, kinds);
    cacheText(key, text);
  }
  return { text, values };
}

function renderRowsText(into: string, kinds: readonly Kind[]): string {
  const [table, names] = into.split("(") as [string, string];
  const columns = names.replace(/\)\s*$/, "").split(",").map((name) => name.trim());
  const inserted = columns.filter((_, index) => kinds[index] !== "x");
  const bound = columns.filter((_, index) => kinds[index] !== "n" && kinds[index] !== "x");
  const lists = kinds.filter((kind) => kind !== "n" && kind !== "x")
    .map((kind, index) => `$${index + 1}::${CASTS[kind as BoundKind]}[]`);
  const selected = inserted.map((name) => bound.includes(name) ? `list.${name}` : "null");
  return `${table}(${inserted.join(", ")})
    select ${selected.join(", ")} from unnest(${lists.join(", ")}) as list(${bound.join(", ")})`;
}

/** Returns the kind of a column with values of two kinds. */
function common(a: Kind, b: Kind): Kind {
  if (a === b || b === "n") return a;
  if (a === "n") return b;
  if (a + b === "if" || a + b === "fi") return "f";
  throw new TypeError("The values of a column have different types");
}

/**
 * Kinds of values, a letter each: integer, fraction, text, bytes, null, next row number, and lists
 * of texts, integers and records.
 */
type Kind = "i" | "f" | "t" | "b" | "n" | "x" | "T" | "I" | "R";

/** Kinds of values that are passed as a parameter. */
type BoundKind = Exclude<Kind, "n" | "x">;

const LIST_KINDS = { text: "T", integer: "I", record: "R" } as const;

/** Types are stated, because PostgreSQL can't infer them everywhere. */
const CASTS: Readonly<Record<BoundKind, string>> = {
  i: "bigint",
  f: "double precision",
  t: "text",
  b: "bytea",
  T: "text[]",
  I: "bigint[]",
  R: "json",
};

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "n";
  if (value === NEXT_NUMBER) return "x";
  if (typeof value === "number") return Number.isInteger(value) ? "i" : "f";
  if (typeof value === "boolean" || typeof value === "bigint") return "i";
  if (typeof value === "string") return "t";
  if (value instanceof ListParameter) return LIST_KINDS[value.type];
  if (value instanceof Uint8Array) return "b";
  throw new TypeError(`Can't bind a value of type ${typeof value}`);
}

function bindValue(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return bindText(value);
  if (!(value instanceof ListParameter)) return value;
  if (value.type === "text") return value.values.map((text) => bindText(text as string));
  if (value.type === "integer") return value.values;
  return JSON_ESCAPES.test(value.json)
    ? JSON.stringify(value.values, (_, each) => typeof each === "string" ? bindText(each) : each)
    : value.json;
}

/** Escapes for which PostgreSQL has no text: NUL, and halves of surrogate pairs. */
const JSON_ESCAPES = /\\u(?:0000|d[89a-f])/;

/**
 * Returns a text that PostgreSQL accepts. It has no NUL, which isn't allowed in anything that is
 * stored either: such a text only looks for a record that doesn't exist.
 */
function bindText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

/** What surrounds a list in a statement: `json_each(` before its parameter, and its name after it. */
const LIST_START = /json_each\($/;
const LIST_END = /^\)(?:\s+as\s+(\w+))?/;

function renderText(strings: readonly string[], shape: string): string {
  let text = strings[0]!;
  let count = 0;
  for (let i = 0; i < shape.length; i++) {
    const kind = shape[i] as Kind;
    const next = strings[i + 1]!;
    if (kind === "n" || kind === "x") {
      text += (kind === "n" ? "null" : "default") + next;
      continue;
    }
    const parameter = `$${++count}::${CASTS[kind]}`;
    if (kind !== "T" && kind !== "I" && kind !== "R") {
      text += parameter + next;
      continue;
    }
    const end = LIST_END.exec(next);
    if (!LIST_START.test(text) || end === null) {
      throw new Error("A list must be passed with the helpers in store/sql.ts");
    }
    const rows = kind === "R" ? "json_array_elements" : "unnest";
    text = text.replace(LIST_START, "") +
      `${rows}(${parameter}) with ordinality as ${end[1] ?? "list"}(value, key)` +
      next.slice(end[0].length);
  }
  return renderSyntax(text);
}

/** Locks of rows. SQLite has a single writer, so they're comments there. */
const ROW_LOCK = /\/\* (for (?:key share|update(?: skip locked)?)) \*\//;

/** A column with JSON text, before an operator. Lists have JSON values already. */
const JSON_COLUMN = /\b((?:\w+\.)?(\w+))(?= ->>? ['\d])/g;

/** SQLite joins in the order in which `cross join` lists the tables. PostgreSQL chooses one. */
const ORDERED_JOIN = /\bcross join (\w+(?:\s+as\s+\w+|\s+(?!on\b)\w+)?)(?=\s+on\b)/g;

/** SQLite doesn't use an index for a column with a plus. PostgreSQL wouldn't use any. */
const UNARY_PLUS = /(?<=[\s(])\+(?=[a-z_])/g;

/** With two arguments, SQLite's aggregates compare these. None of them may be null. */
const LESSER = /\bmin\(([^(),]+,[^(),]+)\)/g;
const GREATER = /\bmax\(([^(),]+,[^(),]+)\)/g;

function renderSyntax(text: string): string {
  return text
    .replace(ROW_LOCK, "$1")
    .replace(JSON_COLUMN, (all, _, column) => column === "value" ? all : `${all}::json`)
    .replace(ORDERED_JOIN, "join $1")
    .replace(UNARY_PLUS, "")
    .replace(LESSER, "least($1)")
    .replace(GREATER, "greatest($1)");
}
