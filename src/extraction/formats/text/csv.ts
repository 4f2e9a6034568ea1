/** Reads CSV and TSV as a table. Picks the delimiter that splits the first lines most evenly. */
import { type Budget, tooManyColumns } from "../../budget.ts";
import { MAX_TABLE_COLUMNS } from "../../limits.ts";
import type { ExtractedDocument } from "../../model.ts";
import { textTable } from "../../model.ts";

/** Size of ` | `, the writer's cell separator. */
const CELL_SEPARATOR_BYTES = 3;

/** Delimiters by preference. */
const DELIMITERS = ["\t", ";", "|", ","];
/** A field with one comma, which is between digits. */
const DECIMAL_COMMA = /(?:^|[;|])[^;|,\n]*\d,\d[^;|,\n]*(?:[;|]|$)/m;
/** A time or the start of an address. */
const COLON_IN_VALUE = /\b\d{1,2}:[0-5]\d\b(?!:\D)|:\/\//;

/**
 * Reads delimited text. The delimiter is a tab if `isTsv` is set, otherwise it's detected. Throws
 * EXTRACTED_DOCUMENT_TOO_LARGE if a row has too many columns.
 */
export function readCsv(text: string, isTsv: boolean, budget: Budget): ExtractedDocument {
  const delimiter = isTsv ? "\t" : sniffDelimiter(text);
  const rows: string[][] = [];
  for (const row of parseRows(text, delimiter)) {
    if (row.every((field) => field.trim() === "")) continue;
    if (row.length > MAX_TABLE_COLUMNS) throw tooManyColumns();
    for (const field of row) budget.addText(field, CELL_SEPARATOR_BYTES);
    rows.push(row);
  }
  return { blocks: rows.length === 0 ? [] : [textTable(rows)] };
}

function sniffDelimiter(text: string): string {
  const sample = text.slice(0, 20_000);
  const evenness = DELIMITERS.map((delimiter) => evennessOf(sample, delimiter));
  const maxEvenness = Math.max(...evenness);
  if (maxEvenness > 0) {
    const best = DELIMITERS.filter((_, index) => evenness[index] === maxEvenness);
    return preferredDelimiter(sample, best);
  }
  return !COLON_IN_VALUE.test(sample) && evennessOf(sample, ":") > 0 ? ":" : ",";
}

/**
 * Returns one of several delimiters that split the lines equally evenly. Few values contain tabs,
 * some contain decimal commas, and in text there's a space after a comma or semicolon.
 */
function preferredDelimiter(sample: string, delimiters: readonly string[]): string {
  const [first = ","] = delimiters;
  if (first === "\t") return first;
  const withoutSpace = delimiters.filter((delimiter) => {
    const parts = sample.split(delimiter).slice(1);
    return 2 * parts.filter((part) => part.startsWith(" ")).length < parts.length;
  });
  if (withoutSpace.includes(",") && !DECIMAL_COMMA.test(sample)) return ",";
  return withoutSpace[0] ?? first;
}

/** Returns the share of the first lines that have as many columns as the first, if that has two. */
function evennessOf(sample: string, delimiter: string): number {
  const widths = parseRows(sample, delimiter).take(20).map((row) => row.length).toArray();
  const [first = 1] = widths;
  return first < 2 ? 0 : widths.filter((width) => width === first).length / widths.length;
}

/**
 * Yields rows as defined in RFC 4180. Quoted fields can contain delimiters, line feeds and doubled
 * quotes.
 */
function* parseRows(text: string, delimiter: string): Generator<string[]> {
  const special = new RegExp(`["\\n${delimiter}]`, "g");
  let row: string[] = [];
  let field = "";
  for (let at = 0; at < text.length; at = special.lastIndex) {
    special.lastIndex = at;
    const match = special.exec(text);
    field += text.slice(at, match?.index);
    if (match === null) break;
    if (match[0] === '"') {
      if (field.trim() !== "") field += '"';
      else [field, special.lastIndex] = readQuoted(text, special.lastIndex);
      continue;
    }
    addField(row, field);
    field = "";
    if (match[0] === delimiter) continue;
    yield row;
    row = [];
  }
  if (field === "" && row.length === 0) return;
  addField(row, field);
  yield row;
}

/** Adds a field to a row. One more than a table can have is enough to reject the row. */
function addField(row: string[], field: string): void {
  const isOneTooMany = row.length === MAX_TABLE_COLUMNS && field.trim() !== "";
  if (row.length < MAX_TABLE_COLUMNS || isOneTooMany) row.push(field);
}

/** Returns the text from `start` to the closing quote, and the offset after it. */
function readQuoted(text: string, start: number): [string, number] {
  let quoted = "";
  for (let at = start;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return [quoted + text.slice(at), text.length];
    quoted += text.slice(at, end);
    if (text[end + 1] !== '"') return [quoted, end + 1];
    quoted += '"';
    at = end + 2;
  }
}
