/**
 * Reads the text of a PPTX shape or cell: paragraphs and list items, as defined by the layout and
 * master.
 */
import type { Block, Span } from "../../model.ts";
import { plainText } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import { ommlToLatex } from "../math/omml.ts";
import type { Relationship } from "../office/ooxml.ts";

/** The parts a slide refers to or inherits from. */
export interface SlideContext {
  readonly relations: ReadonlyMap<string, Relationship>;
  readonly layout?: XmlElement | undefined;
  readonly master?: XmlElement | undefined;
}

/** Returns the blocks for the text in a shape or table cell. */
export function textBody(shape: XmlElement, context: SlideContext): Block[] {
  const body = child(shape, "p:txBody") ?? child(shape, "a:txBody");
  const styles = listStyles(shape, body, context);
  const counters: number[] = [];
  const blocks: Block[] = [];
  for (const paragraph of elements(body, "a:p")) {
    const spans = paragraphSpans(paragraph, context);
    if (plainText(spans).trim() === "") continue;
    const properties = child(paragraph, "a:pPr");
    const level = Number.parseInt(properties?.attributes["lvl"] ?? "0", 10) || 0;
    const marker = markerOf(properties, level, styles);
    counters.length = Math.min(counters.length, level + 1);
    if (marker === undefined || marker.name === "a:buNone") {
      counters.length = 0;
      blocks.push({ kind: "paragraph", spans });
    } else if (marker.name === "a:buAutoNum") {
      const start = Number.parseInt(marker.attributes["startAt"] ?? "1", 10) || 1;
      const number = (counters[level] ?? start - 1) + 1;
      counters[level] = number;
      blocks.push({ kind: "item", level, number, spans });
    } else blocks.push({ kind: "item", level, spans });
  }
  return blocks;
}

const MARKERS = ["a:buNone", "a:buAutoNum", "a:buChar", "a:buBlip"];

/** Returns the list styles that can define a level's marker, nearest first. */
function listStyles(
  shape: XmlElement,
  body: XmlElement | undefined,
  context: SlideContext,
): (XmlElement | undefined)[] {
  const placeholder = child(shape, "p:nvSpPr", "p:nvPr", "p:ph");
  const ownStyle = child(body, "a:lstStyle");
  if (placeholder === undefined) return [ownStyle];
  const type = placeholder.attributes["type"] ?? "body";
  const layoutShape = matchingPlaceholder(context.layout, placeholder);
  const masterShape = matchingPlaceholder(context.master, placeholder);
  const styles = child(context.master, "p:txStyles");
  const isBody = type === "body" || type === "obj" || type === "tbl" || type === "subTitle";
  return [
    ownStyle,
    child(layoutShape, "p:txBody", "a:lstStyle"),
    child(masterShape, "p:txBody", "a:lstStyle"),
    isBody ? child(styles, "p:bodyStyle") : child(styles, "p:otherStyle"),
  ];
}

/**
 * Returns the layout or master placeholder inherited by a slide's placeholder, or `undefined` if
 * there isn't one.
 */
export function matchingPlaceholder(
  part: XmlElement | undefined,
  placeholder: XmlElement,
): XmlElement | undefined {
  const shapes = descendants(child(part, "p:cSld", "p:spTree"), "p:sp");
  const { idx, type = "body" } = placeholder.attributes;
  const placeholderOf = (shape: XmlElement) =>
    child(shape, "p:nvSpPr", "p:nvPr", "p:ph")?.attributes;
  return shapes.find((shape) => idx !== undefined && placeholderOf(shape)?.["idx"] === idx) ??
    shapes.find((shape) =>
      placeholderOf(shape) !== undefined && (placeholderOf(shape)?.["type"] ?? "body") === type
    );
}

function markerOf(
  properties: XmlElement | undefined,
  level: number,
  styles: readonly (XmlElement | undefined)[],
): XmlElement | undefined {
  const find = (source: XmlElement | undefined) =>
    elements(source).find((element) => MARKERS.includes(element.name));
  const ownMarker = find(properties);
  if (ownMarker !== undefined) return ownMarker;
  for (const style of styles) {
    const marker = find(child(style, `a:lvl${level + 1}pPr`));
    if (marker !== undefined) return marker;
  }
  return undefined;
}

function paragraphSpans(paragraph: XmlElement, context: SlideContext): Span[] {
  return elements(paragraph).flatMap((node): Span[] => {
    switch (node.name) {
      case "a:r":
        return [runSpan(node, context)];
      case "a:br":
        return [{ text: "\n" }];
      case "a:fld":
        return /^(?:slidenum|datetime)/.test(node.attributes["type"] ?? "")
          ? []
          : [runSpan(node, context)];
      case "a14:m":
      case "mc:AlternateContent": {
        const chosen = child(node, "mc:Choice") ?? node;
        return descendants(chosen, "m:oMath").map((math) => ({
          text: ommlToLatex(math),
          math: true,
        }));
      }
      default:
        return [];
    }
  });
}

function runSpan(run: XmlElement, context: SlideContext): Span {
  const properties = child(run, "a:rPr");
  const on = (name: string) => /^(?:1|true)$/.test(properties?.attributes[name] ?? "");
  const link = child(properties, "a:hlinkClick")?.attributes["r:id"];
  const relation = link === undefined ? undefined : context.relations.get(link);
  return {
    text: elements(run, "a:t").map(textContent).join("").replaceAll("\v", "\n"),
    ...(on("b") ? { bold: true } : {}),
    ...(on("i") ? { italic: true } : {}),
    ...(/Strike$/.test(properties?.attributes["strike"] ?? "") &&
        properties?.attributes["strike"] !== "noStrike"
      ? { strike: true }
      : {}),
    ...(relation?.external ? { href: relation.target } : {}),
  };
}
