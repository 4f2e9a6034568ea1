/** Reads CSV and TSV as a table. Picks the delimiter that splits the first lines most evenly. */
import type { Budget } from "../../budget.ts";
import { MAX_TABLE_COLUMNS } from "../../limits.ts";
import type { ExtractedDocument } from "../../model.ts";
import { textTable } from "../../model.ts";

/** Size of ` | `, the writer's cell separator. */
const CELL_SEPARATOR_BYTES = 3;

const DELIMITERS = [",", ";", "\t", "|", ":"];

/** Reads delimited text. The delimiter is a tab if `isTsv` is set, otherwise it's detected. */
export function readCsv(text: string, isTsv: boolean, budget: Budget): ExtractedDocument {
  const delimiter = isTsv ? "\t" : sniffDelimiter(text);
  const rows: string[][] = [];
  for (const row of parseRows(text, delimiter)) {
    if (row.every((field) => field.trim() === "")) continue;
    for (const field of row) budget.addText(field, CELL_SEPARATOR_BYTES);
    rows.push(row);
  }
  return { blocks: rows.length === 0 ? [] : [textTable(rows)] };
}

function sniffDelimiter(text: string): string {
  const sample = text.slice(0, 20_000);
  let [best, bestScore] = [",", 0];
  for (const delimiter of DELIMITERS) {
    const widths = parseRows(sample, delimiter).take(20).map((row) => row.length).toArray();
    const first = widths[0] ?? 1;
    const evenness = widths.filter((width) => width === first).length / Math.max(1, widths.length);
    const score = first < 2 ? 0 : evenness * 10 + Math.min(first, 50) / 50;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
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
    // The writer drops any columns beyond this limit.
    if (row.length < MAX_TABLE_COLUMNS) row.push(field);
    field = "";
    if (match[0] === delimiter) continue;
    yield row;
    row = [];
  }
  if (field !== "" || row.length > 0) yield [...row, field];
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
