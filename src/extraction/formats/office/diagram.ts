/** SmartArt: the texts of a diagram, nested and ordered as the diagram connects them. */
import type { ListItem } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";

/** Levels told of a diagram; what lies deeper stands on the last. */
const MAX_ITEM_LEVEL = 8;

/** Connections that draw a text instead of putting it under another. */
const PRESENTATION_CONNECTION = /^pres|^unknown/;

/** The items of a diagram's data part, a text without connections among them. */
export function diagramItems(model: XmlElement | undefined): ListItem[] {
  const points = elements(child(model, "dgm:ptLst"), "dgm:pt");
  const parts = new Map<string, { id: string; order: number }[]>();
  for (const connection of elements(child(model, "dgm:cxnLst"), "dgm:cxn")) {
    const { type = "parOf", srcId = "", destId = "", srcOrd = "0" } = connection.attributes;
    if (PRESENTATION_CONNECTION.test(type)) continue;
    const own = parts.get(srcId) ?? [];
    own.push({ id: destId, order: Number(srcOrd) || 0 });
    parts.set(srcId, own);
  }
  const texts = new Map(points.map((point) => [point.attributes["modelId"] ?? "", point]));
  const items: ListItem[] = [];
  // The deepest is on top; a stack, since a damaged file may nest as deep as it has points.
  const open = points.map((point) => ({ id: point.attributes["modelId"] ?? "", level: 0 }))
    .reverse();
  for (const { attributes: { type, modelId = "" } } of points) {
    if (type === "doc") open.push({ id: modelId, level: -1 });
  }
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const point = texts.get(one.id);
    if (point === undefined) continue;
    texts.delete(one.id);
    const text = pointText(point);
    if (text !== "") {
      items.push({ kind: "item", level: Math.min(MAX_ITEM_LEVEL, one.level), spans: [{ text }] });
    }
    const level = one.level + 1;
    const below = (parts.get(one.id) ?? []).sort((a, b) => b.order - a.order);
    for (const { id } of below) open.push({ id, level });
  }
  return items;
}

function pointText(point: XmlElement): string {
  return descendants(child(point, "dgm:t"), "a:p")
    .map((one) => descendants(one, "a:t").map(textContent).join("").trim())
    .filter((text) => text !== "").join(" ");
}
