/** Reads SmartArt: a diagram's texts, nested and ordered by its connections. */
import type { ListItem } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";

/** Maximum item level. Deeper items are written at this level. */
const MAX_ITEM_LEVEL = 8;

/** Connection types that are only for presentation and don't nest texts. */
const PRESENTATION_CONNECTION = /^pres|^unknown/;

/** Returns the items in a diagram's data part, including unconnected texts. */
export function diagramItems(model: XmlElement | undefined): ListItem[] {
  const points = elements(child(model, "dgm:ptLst"), "dgm:pt");
  const childrenOf = new Map<string, { id: string; order: number }[]>();
  for (const connection of elements(child(model, "dgm:cxnLst"), "dgm:cxn")) {
    const { type = "parOf", srcId = "", destId = "", srcOrd = "0" } = connection.attributes;
    if (PRESENTATION_CONNECTION.test(type)) continue;
    const siblings = childrenOf.get(srcId) ?? [];
    siblings.push({ id: destId, order: Number(srcOrd) || 0 });
    childrenOf.set(srcId, siblings);
  }
  const pointsById = new Map(points.map((point) => [point.attributes["modelId"] ?? "", point]));
  const items: ListItem[] = [];
  // Uses a stack instead of recursion, since a damaged file can be nested as deeply as it has
  // points.
  const pending = points.map((point) => ({ id: point.attributes["modelId"] ?? "", level: 0 }))
    .reverse();
  for (const { attributes: { type, modelId = "" } } of points) {
    if (type === "doc") pending.push({ id: modelId, level: -1 });
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const point = pointsById.get(next.id);
    if (point === undefined) continue;
    pointsById.delete(next.id);
    const text = pointText(point);
    if (text !== "") {
      items.push({ kind: "item", level: Math.min(MAX_ITEM_LEVEL, next.level), spans: [{ text }] });
    }
    const level = next.level + 1;
    const children = (childrenOf.get(next.id) ?? []).sort((a, b) => b.order - a.order);
    for (const { id } of children) pending.push({ id, level });
  }
  return items;
}

function pointText(point: XmlElement): string {
  return descendants(child(point, "dgm:t"), "a:p")
    .map((line) => descendants(line, "a:t").map(textContent).join("").trim())
    .filter((text) => text !== "").join(" ");
}
