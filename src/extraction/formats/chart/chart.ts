/** Converts charts in office documents to a title, a type and a table of numbers. */
import { type Block, paragraph, textTable } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";

/**
 * Maximum number of categories to write. Anything larger is a picture of a data set rather than a
 * table.
 */
export const MAX_CATEGORIES = 500;

/** Maximum number of series, as in Excel. */
export const MAX_SERIES = 255;

/** Maximum number of label levels on an axis. */
const MAX_LABEL_LEVELS = 8;

/** Chart types, keyed by the first part of their element name and by ODF class. */
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

/** Returns a paragraph with the chart's type, to set its table apart from those in the text. */
export function chartTypeBlocks(name: string | undefined): Block[] {
  const label = TYPE_LABELS.get(name ?? "");
  return label === undefined ? [] : [paragraph(label)];
}

/**
 * Returns a DrawingML chart space's blocks. Without any numbers of its own, that's only the title.
 */
export function chartBlocks(space: XmlElement | undefined): Block[] {
  const chart = child(space, "c:chart");
  const area = child(chart, "c:plotArea");
  const allSeries = descendants(area, "c:ser").slice(0, MAX_SERIES);
  if (allSeries.length === 0) return [];
  const table = chartTable(allSeries.map((series, index) => ({
    name: seriesName(series) || `Series ${index + 1}`,
    categories: points(child(series, "c:cat") ?? child(series, "c:xVal")),
    values: points(child(series, "c:val") ?? child(series, "c:yVal")),
  })));
  const title = descendants(child(chart, "c:title"), "a:t").map(textContent).join("").trim();
  const plot = elements(area).find((element) => elements(element, "c:ser").length > 0);
  const type = chartTypeBlocks(plot?.name.replace(/^c:|(?:3D)?Chart$/g, ""));
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    // Some programs only store the numbers in the sheet, which we read anyway.
    ...(table === undefined ? [] : [...type, table]),
  ];
}

/** A chart series. Each value belongs to the category at the same index. */
export interface ChartSeries {
  readonly name: string;
  readonly categories: readonly string[];
  readonly values: readonly string[];
}

/**
 * Returns a chart's numbers as a table with a column per series and a row per category. Series with
 * different categories each get their own rows. Returns `undefined` if there are no numbers.
 */
export function chartTable(series: readonly ChartSeries[]): Block | undefined {
  const maxPoints = Math.max(0, ...series.map(({ values }) => values.length));
  if (maxPoints === 0) return undefined;
  const table = [["", ...series.map(({ name }) => name)]];
  const [first] = series;
  const shared = String(first?.categories);
  const isShared = series.every(({ categories }) =>
    categories.length === 0 || String(categories) === shared
  );
  const row = (at: number, group: readonly ChartSeries[]) => [
    group[0]?.categories[at] || String(at + 1),
    ...series.map((column) =>
      group === series || group[0] === column ? column.values[at] ?? "" : ""
    ),
  ];
  for (const group of isShared ? [series] : series.map((column) => [column])) {
    const count = Math.max(0, ...group.map(({ values }) => values.length));
    for (let at = 0; at < count && table.length <= MAX_CATEGORIES; at++) table.push(row(at, group));
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
 * Returns a chart's points by index. If there are several levels, the first one is the innermost. A
 * point on an outer level applies until the next one on that level.
 */
export function chartPoints(levels: readonly XmlElement[], elementName: string): string[] {
  const [inner = [], ...outer] = levels.slice(0, MAX_LABEL_LEVELS).map((level) => {
    const points: string[] = [];
    for (const point of descendants(level, elementName).slice(0, MAX_CATEGORIES)) {
      const index = Number.parseInt(point.attributes["idx"] ?? "", 10);
      const at = index >= 0 && index < MAX_CATEGORIES ? index : points.length;
      points[at] = roundNumber(textContent(point).trim());
    }
    return points;
  });
  const labels = outer.map(() => "");
  return Array.from(inner, (value, at) => {
    outer.forEach((level, index) => labels[index] = level[at] ?? labels[index] ?? "");
    return [...labels.toReversed(), value ?? ""].filter((label) => label !== "").join(" ");
  });
}

/** Rounds long fractions to 12 digits to get rid of the binary floating-point error. */
function roundNumber(value: string): string {
  return /^-?\d+\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;
}
