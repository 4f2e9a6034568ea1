/** Reads the chart types added in Office 2016, e.g. waterfalls and tree maps. */
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

/** Returns a `cx:chartSpace`'s blocks: title, type, and a table per series. */
export function chartExBlocks(space: XmlElement | undefined): Block[] {
  const chart = child(space, "cx:chart");
  const dataById = new Map(
    elements(child(space, "cx:chartData"), "cx:data").map((data) => [data.attributes["id"], data]),
  );
  const series = elements(child(chart, "cx:plotArea", "cx:plotAreaRegion"), "cx:series")
    .slice(0, MAX_SERIES);
  const type = TYPE_LABELS[series[0]?.attributes["layoutId"] ?? ""];
  const tables = series.flatMap((entry): Block[] => {
    const data = dataById.get(child(entry, "cx:dataId")?.attributes["val"]);
    const [values, names] = [
      dimensionPoints(data, "cx:numDim"),
      dimensionPoints(data, "cx:strDim"),
    ];
    const rows = Math.min(MAX_CATEGORIES, values.length);
    if (rows === 0) return [];
    const name = textContent(descendants(child(entry, "cx:tx"), "cx:v")[0]).trim();
    return [textTable([
      ["", name || "Value"],
      ...Array.from({ length: rows }, (_, at) => [names[at] ?? String(at + 1), values[at] ?? ""]),
    ])];
  });
  const title = descendants(child(chart, "cx:title"), "a:t").map(textContent).join("").trim();
  return [
    ...(title === "" ? [] : [paragraph(title)]),
    ...(tables.length === 0 || type === undefined ? [] : [paragraph(type)]),
    ...tables,
  ];
}

/** Returns a dimension's points. Multi-level labels are joined, outermost first. */
function dimensionPoints(data: XmlElement | undefined, name: string): string[] {
  return chartPoints(elements(child(data, name), "cx:lvl"), "cx:pt");
}
