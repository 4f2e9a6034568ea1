/**
 * Reads charts in OpenDocument files. Each one is a separate content part with its numbers in a
 * table.
 */
import { type Block, type Cell, paragraph } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import { chartTypeBlocks, MAX_CATEGORIES } from "./chart.ts";
import { OdfBody, tableRows } from "../opendocument/body.ts";
import type { OdfStyles } from "../opendocument/styles.ts";

/**
 * Returns a chart's title, type and numbers from its content part. Returns nothing if the part has
 * no chart.
 */
export function odfChartBlocks(content: XmlElement | undefined, styles: OdfStyles): Block[] {
  const chart = descendants(content, "chart:chart")[0];
  const table = descendants(chart, "table:table")[0];
  if (chart === undefined || table === undefined) return [];
  const rows = new OdfBody(styles, () => []).table(table)
    .filter((row) => row.some((cell) => cell.blocks.length > 0))
    // The first row contains the series names.
    .slice(0, MAX_CATEGORIES + 1);
  const title = textContent(child(chart, "chart:title")).trim();
  const type = chartTypeBlocks(chart.attributes["chart:class"]?.replace(/^chart:/, ""));
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    ...(rows.length === 0 ? [] : [...type, categoryTable(rows, domainColumn(chart, table))]),
  ];
}

/** Returns the column with the x values if all series share one other than the first column. */
function domainColumn(chart: XmlElement, table: XmlElement): number | undefined {
  const addresses = elements(child(chart, "chart:plot-area"), "chart:series")
    .flatMap((series) => elements(series, "chart:domain"))
    .map((domain) => domain.attributes["table:cell-range-address"] ?? "");
  const [address, ...others] = new Set(addresses);
  if (address === undefined || others.length > 0) return undefined;
  const [, letters] = /^local-table\.\$?([A-Z]{1,3})\$?\d/.exec(address) ?? [];
  const column = letters === undefined
    ? columnOf(address, table)
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return column === undefined || column < 1 ? undefined : column;
}

/**
 * Returns the column in a chart's table that repeats the sheet cells at `address`. One of its cells
 * contains the address.
 */
function columnOf(address: string, table: XmlElement): number | undefined {
  for (const row of tableRows(table)) {
    const column = elements(row, "table:table-cell")
      .findIndex((cell) => textContent(child(cell, "draw:g", "fo:desc")) === address);
    if (column >= 0) return column;
  }
  return undefined;
}

/** Returns a table with the x values in the first column instead of the row numbers. */
function categoryTable(rows: readonly (readonly Cell[])[], domain: number | undefined): Block {
  if (domain === undefined || rows.some((row) => row[domain] === undefined)) {
    return { kind: "table", rows };
  }
  return {
    kind: "table",
    rows: rows.map((row, index) => [
      index === 0 ? { blocks: [] } : row[domain] ?? { blocks: [] },
      ...row.filter((_, column) => column > 0 && column !== domain),
    ]),
  };
}
