/** Text of a PPTX shape or cell: paragraphs and list items as layout and master define them. */
import type { Block, Span } from "../../model.ts";
import { plainText } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import { ommlToLatex } from "../math/omml.ts";
import type { Relationship } from "../office/ooxml.ts";

/** What a slide inherits from. */
export interface SlideContext {
  readonly relations: ReadonlyMap<string, Relationship>;
  readonly layout?: XmlElement | undefined;
  readonly master?: XmlElement | undefined;
}

/** Blocks of the text in a shape or a table cell. */
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

/** Where the marker of a level may be defined, nearest first. */
function listStyles(
  shape: XmlElement,
  body: XmlElement | undefined,
  context: SlideContext,
): (XmlElement | undefined)[] {
  const placeholder = child(shape, "p:nvSpPr", "p:nvPr", "p:ph");
  const own = child(body, "a:lstStyle");
  if (placeholder === undefined) return [own];
  const type = placeholder.attributes["type"] ?? "body";
  const inLayout = matchingPlaceholder(context.layout, placeholder);
  const inMaster = matchingPlaceholder(context.master, placeholder);
  const styles = child(context.master, "p:txStyles");
  const isBody = type === "body" || type === "obj" || type === "tbl" || type === "subTitle";
  return [
    own,
    child(inLayout, "p:txBody", "a:lstStyle"),
    child(inMaster, "p:txBody", "a:lstStyle"),
    isBody ? child(styles, "p:bodyStyle") : child(styles, "p:otherStyle"),
  ];
}

/** The placeholder of a layout or master that a slide's placeholder fills. */
export function matchingPlaceholder(
  part: XmlElement | undefined,
  placeholder: XmlElement,
): XmlElement | undefined {
  const shapes = descendants(child(part, "p:cSld", "p:spTree"), "p:sp");
  const { idx, type = "body" } = placeholder.attributes;
  const of = (shape: XmlElement) => child(shape, "p:nvSpPr", "p:nvPr", "p:ph")?.attributes;
  return shapes.find((shape) => idx !== undefined && of(shape)?.["idx"] === idx) ??
    shapes.find((shape) => of(shape) !== undefined && (of(shape)?.["type"] ?? "body") === type);
}

function markerOf(
  properties: XmlElement | undefined,
  level: number,
  styles: readonly (XmlElement | undefined)[],
): XmlElement | undefined {
  const find = (source: XmlElement | undefined) =>
    elements(source).find((element) => MARKERS.includes(element.name));
  const own = find(properties);
  if (own !== undefined) return own;
  for (const style of styles) {
    const found = find(child(style, `a:lvl${level + 1}pPr`));
    if (found !== undefined) return found;
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
