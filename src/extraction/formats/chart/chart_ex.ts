/** Charts of the kinds that came with Office 2016, such as waterfalls and tree maps. */
import { type Block, paragraph, textTable } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import { chartPoints, MAX_CATEGORIES, MAX_SERIES } from "./chart.ts";

const TYPE_LABELS: Readonly<Record<string, string>> = {
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
    .slice(0, MAX_SERIES);
  const kind = TYPE_LABELS[series[0]?.attributes["layoutId"] ?? ""];
  const tables = series.flatMap((one): Block[] => {
    const data = sets.get(child(one, "cx:dataId")?.attributes["val"]);
    const [values, names] = [
      dimensionPoints(data, "cx:numDim"),
      dimensionPoints(data, "cx:strDim"),
    ];
    const rows = Math.min(MAX_CATEGORIES, values.length);
    if (rows === 0) return [];
    const name = textContent(descendants(child(one, "cx:tx"), "cx:v")[0]).trim();
    return [textTable([
      ["", name || "Value"],
      ...Array.from({ length: rows }, (_, at) => [names[at] ?? String(at + 1), values[at] ?? ""]),
    ])];
  });
  const title = descendants(child(chart, "cx:title"), "a:t").map(textContent).join("").trim();
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    ...(tables.length === 0 || kind === undefined ? [] : [paragraph(kind)]),
    ...tables,
  ];
}

/** The points of a dimension; names of several levels are told from the outermost. */
function dimensionPoints(data: XmlElement | undefined, name: string): string[] {
  return chartPoints(elements(child(data, name), "cx:lvl"), "cx:pt");
}
