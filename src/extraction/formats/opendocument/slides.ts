/** Reads the slides of an OpenDocument presentation and the pages of a drawing. */
import { pageLimitExceeded } from "../../error.ts";
import type { Block, ExtractedDocument } from "../../model.ts";
import { child, elements, type XmlElement } from "../../xml.ts";
import type { OdfBody } from "./body.ts";
import type { OdfStyles } from "./styles.ts";
import { boundingBox, type Box } from "../../layout/geometry.ts";
import {
  groupBox,
  inReadingOrder,
  type SlidePart,
  slideTable,
  withTitle,
} from "../office/slide.ts";

/**
 * Reads a presentation. Throws DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` slides.
 */
export function readOdfPresentation(
  root: XmlElement,
  { body, styles, maxPages }: { body: OdfBody; styles: OdfStyles; maxPages: number },
): ExtractedDocument {
  const pages = elements(root, "draw:page");
  if (pages.length > maxPages) throw pageLimitExceeded(pages.length, "slides", maxPages);
  const blocks: Block[] = [];
  pages.forEach((page, index) => {
    if (index > 0) blocks.push({ kind: "page", page: index + 1 });
    if (styles.isSlideHidden(page.attributes["draw:style-name"])) return;
    const classOf = (shape: XmlElement) => shape.attributes["presentation:class"] ?? "";
    const shapes = elements(page).filter((shape) =>
      !/^(?:header|footer|date-time|page-number)$/.test(classOf(shape)) &&
      shape.attributes["presentation:placeholder"] !== "true"
    );
    const titles = shapes.filter((shape) => classOf(shape) === "title");
    const title = titles.flatMap((shape) =>
      body.shape(shape).flatMap((block) => "spans" in block ? [...block.spans, { text: " " }] : [])
    );
    const isNotes = (shape: XmlElement) => shape.name === "presentation:notes";
    const parts = shapes.filter((shape) => classOf(shape) !== "title" && !isNotes(shape))
      .map((shape) => slidePart(shape, body));
    const notes = shapes.filter(isNotes).flatMap((shape) => speakerNotes(shape, body));
    blocks.push(...withTitle(title, inReadingOrder(parts)), ...notes);
  });
  return { blocks, pageCount: Math.max(1, pages.length) };
}

function slidePart(shape: XmlElement, body: OdfBody): SlidePart {
  // A link (`draw:a`) wraps the linked shapes.
  if (shape.name === "draw:g" || shape.name === "draw:a") {
    const parts = elements(shape).map((inner) => slidePart(inner, body));
    return { box: groupBox(parts), blocks: inReadingOrder(parts) };
  }
  const table = child(shape, "table:table");
  return {
    box: boxOf(shape),
    blocks: table === undefined ? body.shape(shape) : [slideTable(body.table(table))],
  };
}

/** Points per unit of length. */
const POINTS_PER_UNIT: Readonly<Record<string, number>> = {
  cm: 72 / 2.54,
  mm: 7.2 / 2.54,
  in: 72,
  pt: 1,
};

/** Returns a shape's bounding box, or `undefined` if not specified in the file. */
function boxOf(shape: XmlElement): Box | undefined {
  const { attributes } = shape;
  const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) =>
    toPoints(attributes[`fo:${name}`])
  );
  const lineBox = boxBetween(x1, y1, x2, y2);
  if (lineBox !== undefined) return lineBox;
  const transform = attributes["draw:transform"] ?? "";
  const [, x, y] = /translate\s*\(\s*([^\s()]+)\s+([^\s()]+)/.exec(transform) ?? [];
  // The parser maps the SVG namespace to the XSL-FO prefix, since authoring programs mix the two.
  const [left, top] = [toPoints(attributes["fo:x"] ?? x), toPoints(attributes["fo:y"] ?? y)];
  const [width, height] = [toPoints(attributes["fo:width"]), toPoints(attributes["fo:height"])];
  if (![left, top, width, height].every(Number.isFinite)) return undefined;
  const [, rotation] = /rotate\s*\(\s*([^\s()]+)\s*\)/.exec(transform) ?? [];
  const angle = Number(rotation ?? 0) || 0;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // Shapes are rotated counterclockwise around their corner, then translated.
  return boundingBox(
    [[0, 0], [width, 0], [0, height], [width, height]].map(([across = 0, down = 0]) => {
      const [cornerX, cornerY] = [
        left + across * cos + down * sin,
        top + down * cos - across * sin,
      ];
      return { left: cornerX, right: cornerX, top: cornerY, bottom: cornerY };
    }),
  );
}

/** Returns the box between two points. Lines have endpoints instead of a corner and a size. */
function boxBetween(x1 = NaN, y1 = NaN, x2 = NaN, y2 = NaN): Box | undefined {
  if (![x1, y1, x2, y2].every(Number.isFinite)) return undefined;
  return {
    left: Math.min(x1, x2),
    top: Math.min(y1, y2),
    right: Math.max(x1, x2),
    bottom: Math.max(y1, y2),
  };
}

function toPoints(length: string | undefined): number {
  const [, number, unit = ""] = /^(-?[\d.]+)(cm|mm|in|pt)$/.exec(length ?? "") ?? [];
  return number === undefined ? NaN : Number(number) * (POINTS_PER_UNIT[unit] ?? NaN);
}

function speakerNotes(shape: XmlElement, body: OdfBody): Block[] {
  const frames = elements(shape, "draw:frame").filter((frame) =>
    frame.attributes["presentation:class"] === "notes"
  );
  const blocks = frames.flatMap((frame) => body.shape(frame));
  if (blocks.length === 0) return [];
  const label: Block = { kind: "paragraph", spans: [{ text: "Speaker notes:", bold: true }] };
  return [{ kind: "quote", blocks: [label, ...blocks] }];
}
