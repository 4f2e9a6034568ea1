/** A chart of an office document as a title, its kind, and the table of its numbers. */
import { type Block, paragraph, textTable } from "../model.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";

/** Most categories written; a chart of more is a picture of a data set, not a table. */
export const MOST_CATEGORIES = 500;

/** What charts are called, by the first part of their element's name and of their class in ODF. */
const KINDS: ReadonlyMap<string, string> = new Map(Object.entries({
  area: "Area chart",
  bar: "Bar chart",
  bubble: "Bubble chart",
  circle: "Pie chart",
  doughnut: "Doughnut chart",
  "filled-radar": "Radar chart",
  line: "Line chart",
  ofPie: "Pie chart",
  pie: "Pie chart",
  radar: "Radar chart",
  ring: "Doughnut chart",
  scatter: "Scatter chart",
  stock: "Stock chart",
  surface: "Surface chart",
}));

/** The paragraph that tells a chart's kind, so that its table isn't taken for one of the text. */
export function chartKind(name: string | undefined): Block[] {
  const kind = KINDS.get(name ?? "");
  return kind === undefined ? [] : [paragraph(kind)];
}

/** Blocks of a DrawingML chart space: only its title when it holds no numbers of its own. */
export function chartBlocks(space: XmlElement | undefined): Block[] {
  const chart = child(space, "c:chart");
  const area = child(chart, "c:plotArea");
  const series = descendants(area, "c:ser");
  if (series.length === 0) return [];
  const first = series[0];
  const categories = points(child(first, "c:cat") ?? child(first, "c:xVal"));
  const columns = series.map((one) => points(child(one, "c:val") ?? child(one, "c:yVal")));
  const rows = Math.min(MOST_CATEGORIES, Math.max(0, ...columns.map((one) => one.length)));
  const names = series.map((one, index) => seriesName(one) || `Series ${index + 1}`);
  const table = [["", ...names]];
  for (let row = 0; row < rows; row++) {
    table.push([categories[row] ?? String(row + 1), ...columns.map((one) => one[row] ?? "")]);
  }
  const title = descendants(child(chart, "c:title"), "a:t").map(textOf).join("").trim();
  const plot = elements(area).find((one) => elements(one, "c:ser").length > 0);
  const kind = chartKind(plot?.name.replace(/^c:|(?:3D)?Chart$/g, ""));
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    // Some programs leave the numbers in the sheet, where they are read anyway.
    ...(rows === 0 ? [] : [...kind, textTable(table)]),
  ];
}

function seriesName(series: XmlElement): string {
  const name = child(series, "c:tx");
  return textOf(descendants(name, "c:v")[0]).trim();
}

function points(source: XmlElement | undefined): string[] {
  const found: string[] = [];
  for (const point of descendants(source, "c:pt").slice(0, MOST_CATEGORIES)) {
    const index = Number.parseInt(point.attributes["idx"] ?? "", 10);
    const value = elements(point, "c:v").map(textOf).join(" ").trim();
    found[Number.isInteger(index) && index < MOST_CATEGORIES ? index : found.length] = tidy(value);
  }
  return Array.from(found, (value) => value ?? "");
}

/** Numbers without the noise of binary fractions. */
function tidy(value: string): string {
  return /^-?\d+\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;
}
