/** Reads PPTX: slides in presentation order, title first, with tables, charts and notes. */
import { pageLimitExceeded } from "../../error.ts";
import type { Block, Cell, ExtractedDocument, Span } from "../../model.ts";
import { child, elements, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { chartBlocks } from "../chart/chart.ts";
import { chartExBlocks } from "../chart/chart_ex.ts";
import { diagramItems } from "../office/diagram.ts";
import {
  mainPart,
  meaningfulAltText,
  relatedPart,
  type Relationship,
  relationships,
  xmlPart,
} from "../office/ooxml.ts";
import type { Box } from "../../layout/geometry.ts";
import { matchingPlaceholder, type SlideContext, textBody } from "./pptx_text.ts";
import {
  groupBox,
  inReadingOrder,
  type SlidePart,
  slideTable,
  withTitle,
} from "../office/slide.ts";

/** Placeholders repeated on every slide. */
const REPEATED_PLACEHOLDERS = new Set(["dt", "ftr", "sldNum", "hdr"]);

const EMU_PER_POINT = 12_700;

/**
 * Reads a PPTX package. Throws DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` slides.
 */
export function readPptx(zip: ZipArchive, maxPages: number): ExtractedDocument {
  const part = mainPart(zip, "ppt/presentation.xml");
  const relations = relationships(zip, part);
  const ids = elements(child(xmlPart(zip, part), "p:sldIdLst"), "p:sldId");
  if (ids.length > maxPages) {
    throw pageLimitExceeded(ids.length, "slides", maxPages);
  }
  const blocks: Block[] = [];
  ids.forEach((id, index) => {
    const slide = relations.get(id.attributes["r:id"] ?? "")?.target;
    if (slide === undefined || !zip.has(slide)) return;
    if (index > 0) blocks.push({ kind: "page", page: index + 1 });
    blocks.push(...new SlideReader(zip, slide).read());
  });
  return { blocks, pageCount: ids.length };
}

class SlideReader {
  readonly #zip: ZipArchive;
  readonly #root: XmlElement | undefined;
  readonly #relations: ReadonlyMap<string, Relationship>;
  readonly #context: SlideContext;

  constructor(zip: ZipArchive, part: string) {
    this.#zip = zip;
    this.#root = xmlPart(zip, part);
    this.#relations = relationships(zip, part);
    const layoutPart = relatedPart(this.#relations, "slideLayout") ?? "";
    const masterPart = relatedPart(relationships(zip, layoutPart), "slideMaster") ?? "";
    this.#context = {
      relations: this.#relations,
      layout: xmlPart(zip, layoutPart),
      master: xmlPart(zip, masterPart),
    };
  }

  read(): Block[] {
    if (/^(?:0|false)$/.test(this.#root?.attributes["show"] ?? "1")) return [];
    const tree = child(this.#root, "p:cSld", "p:spTree");
    const shapes = tree === undefined ? [] : shapesIn(tree);
    const title = shapes.filter((shape) => isTitle(shape)).flatMap((shape) => this.#title(shape));
    return [...withTitle(title, inReadingOrder(this.#parts(shapes))), ...this.#notes()];
  }

  #parts(shapes: readonly XmlElement[]): SlidePart[] {
    return shapes.filter((shape) => !isTitle(shape)).map((shape) => {
      const box = this.#box(shape);
      if (shape.name !== "p:grpSp") return { box, blocks: this.#shape(shape) };
      // Shapes in a group use the group's coordinates, or else those of its parent.
      const parts = this.#parts(shapesIn(shape));
      return { box: box ?? groupBox(parts), blocks: inReadingOrder(parts) };
    });
  }

  #box(shape: XmlElement): Box | undefined {
    const ownFrame = child(shape, "p:spPr", "a:xfrm") ?? child(shape, "p:xfrm") ??
      child(shape, "p:grpSpPr", "a:xfrm");
    const placeholder = placeholderOf(shape);
    const inherited = placeholder === undefined
      ? undefined
      : [this.#context.layout, this.#context.master]
        .map((part) => child(matchingPlaceholder(part, placeholder), "p:spPr", "a:xfrm"))
        .find((frame) => frame !== undefined);
    const frame = ownFrame ?? inherited;
    const [offset, size] = [child(frame, "a:off"), child(frame, "a:ext")];
    const points = (element: XmlElement | undefined, name: string) =>
      Number(element?.attributes[name]) / EMU_PER_POINT;
    const [left, top] = [points(offset, "x"), points(offset, "y")];
    const [width, height] = [points(size, "cx"), points(size, "cy")];
    if (![left, top, width, height].every(Number.isFinite)) return undefined;
    return { left, top, right: left + width, bottom: top + height };
  }

  #title(shape: XmlElement): Span[] {
    return textBody(shape, this.#context).flatMap((block) =>
      "spans" in block ? [...block.spans, { text: " " }] : []
    );
  }

  #shape(shape: XmlElement): Block[] {
    switch (shape.name) {
      case "p:sp":
        return REPEATED_PLACEHOLDERS.has(placeholderType(shape))
          ? []
          : textBody(shape, this.#context);
      case "p:pic": {
        const alt = child(shape, "p:nvPicPr", "p:cNvPr")?.attributes["descr"];
        return [{ kind: "image", alt: meaningfulAltText(alt) }];
      }
      case "p:graphicFrame":
        return this.#frame(shape);
      default:
        return [];
    }
  }

  #frame(frame: XmlElement): Block[] {
    const content = child(frame, "a:graphic", "a:graphicData");
    const table = child(content, "a:tbl");
    if (table !== undefined) return [this.#table(table)];
    const chart = child(content, "c:chart");
    if (chart !== undefined) {
      return chartBlocks(xmlPart(this.#zip, this.#target(chart.attributes["r:id"])));
    }
    const chartEx = child(content, "cx:chart");
    if (chartEx !== undefined) {
      return chartExBlocks(xmlPart(this.#zip, this.#target(chartEx.attributes["r:id"])));
    }
    const diagram = child(content, "dgm:relIds");
    if (diagram === undefined) return [];
    return diagramItems(xmlPart(this.#zip, this.#target(diagram.attributes["r:dm"])));
  }

  #table(table: XmlElement): Block {
    const rows = elements(table, "a:tr").map((row) =>
      elements(row, "a:tc").flatMap((cell): Cell[] => {
        const { hMerge, vMerge, gridSpan, rowSpan } = cell.attributes;
        if (hMerge === "1" || vMerge === "1" || hMerge === "true" || vMerge === "true") return [];
        return [{
          blocks: textBody(cell, this.#context),
          colspan: Number.parseInt(gridSpan ?? "1", 10) || 1,
          rowspan: Number.parseInt(rowSpan ?? "1", 10) || 1,
        }];
      })
    );
    return slideTable(rows);
  }

  #notes(): Block[] {
    const part = relatedPart(this.#relations, "notesSlide");
    const tree = part === undefined
      ? undefined
      : child(xmlPart(this.#zip, part), "p:cSld", "p:spTree");
    const body = tree === undefined
      ? undefined
      : shapesIn(tree).find((shape) => placeholderType(shape) === "body");
    const blocks = body === undefined ? [] : textBody(body, { relations: new Map() });
    if (blocks.length === 0) return [];
    const label: Block = { kind: "paragraph", spans: [{ text: "Speaker notes:", bold: true }] };
    return [{ kind: "quote", blocks: [label, ...blocks] }];
  }

  #target(id: string | undefined): string {
    return this.#relations.get(id ?? "")?.target ?? "";
  }
}

/** Shapes and groups in a shape tree. */
const SHAPE_ELEMENTS = new Set(["p:sp", "p:pic", "p:graphicFrame", "p:grpSp"]);

/** Returns shapes and groups in file order, with alternatives resolved. */
function shapesIn(tree: XmlElement): XmlElement[] {
  return elements(tree).flatMap((element) => {
    if (element.name === "mc:AlternateContent") {
      const chosen = child(element, "mc:Choice") ?? child(element, "mc:Fallback");
      return chosen === undefined ? [] : shapesIn(chosen);
    }
    return SHAPE_ELEMENTS.has(element.name) && !isHidden(element) ? [element] : [];
  });
}

/** Checks whether a shape was hidden in the selection pane. */
function isHidden(shape: XmlElement): boolean {
  const properties = elements(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name));
  return /^(?:1|true)$/.test(child(properties, "p:cNvPr")?.attributes["hidden"] ?? "");
}

function placeholderOf(shape: XmlElement): XmlElement | undefined {
  return child(shape, "p:nvSpPr", "p:nvPr", "p:ph") ?? child(shape, "p:nvPicPr", "p:nvPr", "p:ph");
}

/**
 * Returns a shape's placeholder type. Defaults to `body`; an empty string means the shape isn't a
 * placeholder.
 */
function placeholderType(shape: XmlElement): string {
  const placeholder = placeholderOf(shape);
  return placeholder === undefined ? "" : placeholder.attributes["type"] ?? "body";
}

function isTitle(shape: XmlElement): boolean {
  const type = placeholderType(shape);
  return type === "title" || type === "ctrTitle";
}
