/** A chart of an office document as a title, its kind, and the table of its numbers. */
import { MAX_TABLE_COLUMNS } from "../../limits.ts";
import { type Block, paragraph, textTable } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";

/** Most categories written; a chart of more is a picture of a data set, not a table. */
export const MAX_CATEGORIES = 500;

/** With what they are over, as many columns as a table may have. */
export const MAX_SERIES = MAX_TABLE_COLUMNS - 1;

/** Levels of names under an axis. */
const MAX_LABEL_LEVELS = 8;

/** What charts are called, by the first part of their element's name and of their class in ODF. */
const TYPE_LABELS: ReadonlyMap<string, string> = new Map(Object.entries({
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
export function chartTypeBlocks(name: string | undefined): Block[] {
  const kind = TYPE_LABELS.get(name ?? "");
  return kind === undefined ? [] : [paragraph(kind)];
}

/** Blocks of a DrawingML chart space: only its title when it holds no numbers of its own. */
export function chartBlocks(space: XmlElement | undefined): Block[] {
  const chart = child(space, "c:chart");
  const area = child(chart, "c:plotArea");
  const series = descendants(area, "c:ser").slice(0, MAX_SERIES);
  if (series.length === 0) return [];
  const table = chartTable(series.map((one, index) => ({
    name: seriesName(one) || `Series ${index + 1}`,
    categories: points(child(one, "c:cat") ?? child(one, "c:xVal")),
    values: points(child(one, "c:val") ?? child(one, "c:yVal")),
  })));
  const title = descendants(child(chart, "c:title"), "a:t").map(textContent).join("").trim();
  const plot = elements(area).find((one) => elements(one, "c:ser").length > 0);
  const kind = chartTypeBlocks(plot?.name.replace(/^c:|(?:3D)?Chart$/g, ""));
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    // Some programs leave the numbers in the sheet, where they are read anyway.
    ...(table === undefined ? [] : [...kind, table]),
  ];
}

/** A series as a chart shows it; `values` and what they are drawn over go in pairs. */
export interface ChartSeries {
  readonly name: string;
  readonly categories: readonly string[];
  readonly values: readonly string[];
}

/**
 * The numbers of a chart: a column for each series, a row for each category. Points drawn over
 * places of their own have rows of their own. Undefined when there are no numbers.
 */
export function chartTable(series: readonly ChartSeries[]): Block | undefined {
  const most = Math.max(0, ...series.map((one) => one.values.length));
  if (most === 0) return undefined;
  const table = [["", ...series.map((one) => one.name)]];
  const [first] = series;
  const shared = String(first?.categories);
  const isShared = series.every((one) =>
    one.categories.length === 0 || String(one.categories) === shared
  );
  const row = (at: number, own: readonly ChartSeries[]) => [
    own[0]?.categories[at] || String(at + 1),
    ...series.map((one) => own === series || own[0] === one ? one.values[at] ?? "" : ""),
  ];
  for (const own of isShared ? [series] : series.map((one) => [one])) {
    const count = Math.max(0, ...own.map((one) => one.values.length));
    for (let at = 0; at < count && table.length <= MAX_CATEGORIES; at++) table.push(row(at, own));
  }
  return textTable(table);
}

function seriesName(series: XmlElement): string {
  const name = child(series, "c:tx");
  return textContent(descendants(name, "c:v")[0]).trim();
}

function points(source: XmlElement | undefined): string[] {
  const levels = descendants(source, "c:lvl");
  return chartPoints(levels.length > 0 || source === undefined ? levels : [source], "c:pt");
}

/**
 * The points of a chart by their index. Of several levels the first is the innermost; a point of
 * the others stands for all up to its next.
 */
export function chartPoints(levels: readonly XmlElement[], elementName: string): string[] {
  const [inner = [], ...outer] = levels.slice(0, MAX_LABEL_LEVELS).map((level) => {
    const found: string[] = [];
    for (const point of descendants(level, elementName).slice(0, MAX_CATEGORIES)) {
      const index = Number.parseInt(point.attributes["idx"] ?? "", 10);
      const at = index >= 0 && index < MAX_CATEGORIES ? index : found.length;
      found[at] = roundNumber(textContent(point).trim());
    }
    return found;
  });
  const labels = outer.map(() => "");
  return Array.from(inner, (value, at) => {
    outer.forEach((level, index) => labels[index] = level[at] ?? labels[index] ?? "");
    return [...labels.toReversed(), value ?? ""].filter((label) => label !== "").join(" ");
  });
}

/** Numbers without the noise of binary fractions. */
function roundNumber(value: string): string {
  return /^-?\d+\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;
}
