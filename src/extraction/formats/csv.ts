/** CSV and TSV as a table; the delimiter is the one that splits the first lines evenly. */
import type { ExtractedDocument } from "../model.ts";
import { textTable } from "../model.ts";

const DELIMITERS = [",", ";", "\t", "|", ":"];

/** Reads delimited text. */
export function readCsv(text: string, isTabbed: boolean): ExtractedDocument {
  const delimiter = isTabbed ? "\t" : sniffDelimiter(text);
  const rows = parseRows(text, delimiter).filter((row) => row.some((field) => field.trim() !== ""));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const even = rows.map((row) => [...row, ...new Array<string>(width - row.length).fill("")]);
  return { blocks: rows.length === 0 ? [] : [textTable(even)] };
}

function sniffDelimiter(text: string): string {
  const sample = text.slice(0, 20_000);
  let [best, most] = [",", 0];
  for (const delimiter of DELIMITERS) {
    const widths = parseRows(sample, delimiter).slice(0, 20).map((row) => row.length);
    const first = widths[0] ?? 1;
    const even = widths.filter((width) => width === first).length / Math.max(1, widths.length);
    const score = first < 2 ? 0 : even * 10 + Math.min(first, 50) / 50;
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

/** Fields by RFC 4180: quotes may hold delimiters, line feeds and doubled quotes. */
function parseRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (char === '"' && field.trim() === "") [quoted, field] = [true, ""];
    else if (char === delimiter) {
      row.push(field);
      field = "";
    } else if (char === "\n") {
      rows.push([...row, field]);
      [row, field] = [[], ""];
    } else field += char;
  }
  if (field !== "" || row.length > 0) rows.push([...row, field]);
  return rows;
}
