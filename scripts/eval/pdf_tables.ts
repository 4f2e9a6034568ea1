/**
 * `deno task eval pdf_tables FOLDER [dev | heldout] [--files]`: compares the tables of PDFs with
 * those of the ICDAR 2013 table competition: `NAME.pdf` with `NAME-str.xml`. Its 67 files are in
 * tabulapdf/tabula-java on GitHub, below `src/test/resources/technology/tabula/icdar2013-dataset`.
 * Files with odd numbers are the development half. The held-out half is for reporting only, so
 * don't look at its files.
 */
// deno-lint-ignore-file no-console -- this script prints a report
import { loadAssets } from "../../src/extraction/assets.ts";
import { Engines } from "../../src/extraction/engines.ts";
import { readPdf } from "../../src/extraction/formats/pdf/pdf.ts";
import { type Block, type Cell, plainText } from "../../src/extraction/model.ts";
import { descendants, parseXml, textContent } from "../../src/extraction/xml.ts";

/** A cell of a grid. One that spans several positions is at each of them. */
interface GridCell {
  readonly text: string;
}

/** The cells of a table, by row and column, with holes where there are none. */
type Grid = GridCell[][];

/** How often each pair of neighbours occurs. */
type Pairs = Map<string, number>;

const [folder, half = "dev", ...flags] = Deno.args;
if (folder === undefined) throw new Error("Pass the folder with the files");

const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
  .filter((name) => name.endsWith(".pdf")).map((name) => name.slice(0, -".pdf".length))
  .filter((name) => (Number(/\d+/.exec(name)![0]) % 2 === 1) === (half === "dev")).sort();
const engine = await new Engines(loadAssets()).pdf();
const scores: ReturnType<typeof compare>[] = [];
for (const name of names) {
  const bytes = await Deno.readFile(`${folder}/${name}.pdf`);
  const { blocks } = await readPdf(bytes, { engine, maxPages: 300 });
  const found = pairsOf(
    blocks.flatMap((block) => block.kind === "table" ? [grid(block.rows)] : []),
  );
  const score = compare(found, pairsOf(await labelledTables(folder, name)));
  if (flags.includes("--files")) report(name, score);
  scores.push(score);
}
const mean = (of: (score: ReturnType<typeof compare>) => number) =>
  scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
report(
  `${scores.length} files`,
  { precision: mean((s) => s.precision), recall: mean((s) => s.recall), f1: mean((s) => s.f1) },
);

function report(name: string, { precision, recall, f1 }: ReturnType<typeof compare>): void {
  const figures = [precision, recall, f1].map((figure) => figure.toFixed(3)).join("  ");
  console.log(`${name.padEnd(12)} precision, recall, F1: ${figures}`);
}

/** Returns precision, recall and F1 of pairs of neighbours. */
function compare(found: Pairs, expected: Pairs) {
  const count = (pairs: Pairs) => [...pairs.values()].reduce((sum, value) => sum + value, 0);
  let right = 0;
  for (const [pair, times] of found) right += Math.min(times, expected.get(pair) ?? 0);
  const precision = right / Math.max(1, count(found));
  const recall = right / Math.max(1, count(expected));
  return { precision, recall, f1: right === 0 ? 0 : 2 * precision * recall / (precision + recall) };
}

/**
 * Returns the pairs of cells with text that are next to each other in a row or a column, with only
 * empty cells between them (Göbel et al., "A Methodology for Evaluating Algorithms for Table
 * Understanding in PDF Documents", 2012).
 */
function pairsOf(tables: readonly Grid[]): Pairs {
  const pairs: Pairs = new Map();
  for (const table of tables) {
    const columns = table.reduce((most, row) => Math.max(most, row.length), 0);
    const seen = new Map<GridCell, Set<GridCell>>();
    const follow = (row: number, column: number, down: number, right: number) => {
      const cell = table[row]?.[column];
      if (cell === undefined || cell.text === "") return;
      for (let y = row + down, x = column + right; y < table.length && x < columns;) {
        const other = table[y]?.[x];
        y += down;
        x += right;
        if (other === undefined || other === cell || other.text === "") continue;
        const others = seen.get(cell) ?? new Set();
        if (!others.has(other)) {
          const pair = JSON.stringify([cell.text, other.text, down]);
          pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
        }
        seen.set(cell, others.add(other));
        return;
      }
    };
    for (let row = 0; row < table.length; row++) {
      for (let column = 0; column < columns; column++) {
        follow(row, column, 0, 1);
        follow(row, column, 1, 0);
      }
    }
  }
  return pairs;
}

/** Returns the grid of an extracted table. */
function grid(rows: readonly (readonly Cell[])[]): Grid {
  const table: Grid = [];
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row) {
      while (table[y]?.[x] !== undefined) x++;
      fill(table, { text: comparable(textOf(cell.blocks)) }, [y, y + (cell.rowspan ?? 1) - 1], [
        x,
        x + (cell.colspan ?? 1) - 1,
      ]);
    }
  });
  return table;
}

/** Returns the grids of the labelled tables. A table's regions are its parts on several pages. */
async function labelledTables(folder: string, name: string): Promise<Grid[]> {
  const root = parseXml(await Deno.readTextFile(`${folder}/${name}-str.xml`));
  return descendants(root, "table").map((labelled) => {
    const table: Grid = [];
    for (const region of descendants(labelled, "region")) {
      const down = Number(region.attributes["row-increment"] ?? 0);
      const right = Number(region.attributes["col-increment"] ?? 0);
      for (const { attributes, children } of descendants(region, "cell")) {
        const between = (axis: string, shift: number): [number, number] => {
          const start = attributes[`start-${axis}`]!;
          return [Number(start) + shift, Number(attributes[`end-${axis}`] ?? start) + shift];
        };
        const contents = descendants({ name: "cell", attributes, children }, "content");
        const text = comparable(contents.map(textContent).join(" "));
        fill(table, { text }, between("row", down), between("col", right));
      }
    }
    return table;
  });
}

/** Puts a cell into the positions that it spans. The last one is included. */
function fill(
  table: Grid,
  cell: GridCell,
  [top, bottom]: [number, number],
  [left, right]: [number, number],
): void {
  for (let y = top; y <= bottom; y++) {
    const row = table[y] ??= [];
    for (let x = left; x <= right; x++) row[x] = cell;
  }
}

/** Returns the text of a cell. */
function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => {
    if ("spans" in block) return plainText(block.spans);
    if (block.kind === "table") {
      return block.rows.flat().map((cell) => textOf(cell.blocks)).join(" ");
    }
    return "text" in block ? block.text : "";
  }).join(" ");
}

/** Returns a text without what producers write differently: spaces, punctuation and case. */
function comparable(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}
