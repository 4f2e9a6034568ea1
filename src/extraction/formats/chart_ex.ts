/** Charts of the kinds that came with Office 2016, such as waterfalls and tree maps. */
import { type Block, paragraph, textTable } from "../model.ts";
import { child, descendants, elements, textOf, type XmlElement } from "../xml.ts";
import { chartPoints, MOST_CATEGORIES, MOST_SERIES } from "./chart.ts";

const KINDS: Readonly<Record<string, string>> = {
  boxWhisker: "Box plot",
  clusteredColumn: "Histogram",
  funnel: "Funnel chart",
  paretoLine: "Pareto chart",
  regionMap: "Map chart",
  sunburst: "Sunburst chart",
  treemap: "Tree map",
  waterfall: "Waterfall chart",
};

/** Blocks of a `cx:chartSpace`: its title, its kind, and a table of each series. */
export function chartExBlocks(space: XmlElement | undefined): Block[] {
  const chart = child(space, "cx:chart");
  const sets = new Map(
    elements(child(space, "cx:chartData"), "cx:data").map((one) => [one.attributes["id"], one]),
  );
  const series = elements(child(chart, "cx:plotArea", "cx:plotAreaRegion"), "cx:series")
    .slice(0, MOST_SERIES);
  const kind = KINDS[series[0]?.attributes["layoutId"] ?? ""];
  const tables = series.flatMap((one): Block[] => {
    const data = sets.get(child(one, "cx:dataId")?.attributes["val"]);
    const [values, names] = [dimension(data, "cx:numDim"), dimension(data, "cx:strDim")];
    const rows = Math.min(MOST_CATEGORIES, values.length);
    if (rows === 0) return [];
    const name = textOf(descendants(child(one, "cx:tx"), "cx:v")[0]).trim();
    return [textTable([
      ["", name || "Value"],
      ...Array.from({ length: rows }, (_, at) => [names[at] ?? String(at + 1), values[at] ?? ""]),
    ])];
  });
  const title = descendants(child(chart, "cx:title"), "a:t").map(textOf).join("").trim();
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    ...(tables.length === 0 || kind === undefined ? [] : [paragraph(kind)]),
    ...tables,
  ];
}

/** The points of a dimension; names of several levels are told from the outermost. */
function dimension(data: XmlElement | undefined, name: string): string[] {
  return chartPoints(elements(child(data, name), "cx:lvl"), "cx:pt");
}
