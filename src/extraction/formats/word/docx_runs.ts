/**
 * Reads the runs in a DOCX paragraph: styled text, links, notes, equations, pictures and text
 * boxes.
 */
import type { Block, Span } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { chartBlocks } from "../chart/chart.ts";
import { chartExBlocks } from "../chart/chart_ex.ts";
import { diagramItems } from "../office/diagram.ts";
import type { DocxStyles } from "./docx_styles.ts";
import { privateUseText, symbolText } from "../../symbol_fonts.ts";
import { ommlToLatex } from "../math/omml.ts";
import { isOn, meaningfulAltText, type Relationship, xmlPart } from "../office/ooxml.ts";

/** A piece of a paragraph, in reading order. */
export type InlinePiece =
  | { readonly kind: "span"; readonly span: Span }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "textbox"; readonly content: XmlElement }
  /** A page break, either in the text or where a page ended when the file was saved. */
  | { readonly kind: "break"; readonly manual: boolean };

interface Field {
  instruction: string;
  inResult: boolean;
}

/** Characters of symbol fonts. Other private use characters can be letters of a special font. */
const SYMBOL_CHARACTERS = /[\uf020-\uf0ff]/g;

/** Reads a single document's runs. */
export class RunReader {
  readonly #zip: ZipArchive;
  readonly #styles: DocxStyles;
  readonly #relations: ReadonlyMap<string, Relationship>;
  #fields: Field[] = [];

  constructor(zip: ZipArchive, styles: DocxStyles, relations: ReadonlyMap<string, Relationship>) {
    this.#zip = zip;
    this.#styles = styles;
    this.#relations = relations;
  }

  /**
   * Returns a paragraph's pieces.
   *
   * @param style The paragraph's style id.
   */
  read(paragraph: XmlElement, style: string | undefined): InlinePiece[] {
    return this.#children(paragraph, style, undefined);
  }

  #children(
    parent: XmlElement,
    style: string | undefined,
    href: string | undefined,
  ): InlinePiece[] {
    return elements(parent).flatMap((element) => this.#inline(element, style, href));
  }

  #inline(element: XmlElement, style: string | undefined, href: string | undefined): InlinePiece[] {
    switch (element.name) {
      case "w:r":
        return this.#run(element, style, href);
      case "w:hyperlink": {
        const id = element.attributes["r:id"];
        const target = id === undefined ? undefined : this.#relations.get(id)?.target;
        return this.#children(element, style, target ?? href);
      }
      case "w:fldSimple":
        return this.#children(element, style, linkOf(element.attributes["w:instr"] ?? "") ?? href);
      case "m:oMath":
        return [{ kind: "span", span: { text: ommlToLatex(element), math: true } }];
      case "m:oMathPara":
        return elements(element, "m:oMath").map((math): InlinePiece => ({
          kind: "block",
          block: { kind: "math", tex: ommlToLatex(math) },
        }));
      case "w:ins":
      case "w:moveTo":
      case "w:smartTag":
      case "w:customXml":
      case "w:sdtContent":
      case "w:dir":
      case "w:bdo":
        return this.#children(element, style, href);
      case "w:sdt":
        return elements(element, "w:sdtContent").flatMap((content) =>
          this.#children(content, style, href)
        );
      case "mc:AlternateContent":
        return this.#alternate(element, (chosen) => this.#children(chosen, style, href));
      default:
        return [];
    }
  }

  #run(run: XmlElement, style: string | undefined, href: string | undefined): InlinePiece[] {
    const properties = child(run, "w:rPr");
    if (this.#styles.isHidden(properties)) return [];
    const format = this.#runFormat(properties, style);
    const text = (text: string): InlinePiece => {
      const link = href ?? this.#fieldLink();
      return {
        kind: "span",
        span: { ...format, text, ...(link === undefined ? {} : { href: link }) },
      };
    };
    const readable = (content: string) =>
      text(
        content.replace(SYMBOL_CHARACTERS, (char) =>
          privateUseText(this.#styles.privateUseFont(properties, style), char.charCodeAt(0))),
      );
    return elements(run).flatMap((node) => this.#runContent(node, readable));
  }

  #runContent(node: XmlElement, text: (text: string) => InlinePiece): InlinePiece[] {
    if (node.name === "w:fldChar") return this.#fieldChar(node);
    if (node.name === "w:instrText") {
      const field = this.#fields.at(-1);
      if (field !== undefined && !field.inResult) field.instruction += textContent(node);
      return [];
    }
    switch (node.name) {
      case "w:t":
        return [text(textContent(node))];
      case "w:tab":
      case "w:ptab":
        return [text("\t")];
      case "w:br":
        if (node.attributes["w:type"] === "page") return [{ kind: "break", manual: true }];
        return [text(node.attributes["w:type"] === "column" ? " " : "\n")];
      case "w:lastRenderedPageBreak":
        return [{ kind: "break", manual: false }];
      case "w:cr":
        return [text("\n")];
      case "w:noBreakHyphen":
        return [text("-")];
      case "w:sym":
        return [text(symbolCharacter(node))];
      case "w:footnoteReference":
        return [noteReference(node.attributes["w:id"] ?? "")];
      case "w:endnoteReference":
        return [noteReference(`e${node.attributes["w:id"] ?? ""}`)];
      case "w:ruby":
        return elements(child(node, "w:rubyBase"), "w:r").flatMap((run) =>
          elements(run, "w:t").map((inner) => text(textContent(inner)))
        );
      case "w:drawing":
      case "w:pict":
      case "w:object":
        return this.#drawing(node);
      case "mc:AlternateContent":
        return this.#alternate(
          node,
          (chosen) => elements(chosen).flatMap((inner) => this.#runContent(inner, text)),
        );
      default:
        return [];
    }
  }

  #alternate(element: XmlElement, read: (chosen: XmlElement) => InlinePiece[]): InlinePiece[] {
    for (const name of ["mc:Choice", "mc:Fallback"]) {
      const chosen = child(element, name);
      const pieces = chosen === undefined ? [] : read(chosen);
      if (pieces.length > 0) return pieces;
    }
    return [];
  }

  #drawing(drawing: XmlElement): InlinePiece[] {
    const pieces: InlinePiece[] = [];
    const alt = meaningfulAltText(descendants(drawing, "wp:docPr")[0]?.attributes["descr"]);
    const visit = (element: XmlElement) => {
      for (const node of elements(element)) {
        if (node.name === "w:txbxContent") pieces.push({ kind: "textbox", content: node });
        else if (node.name === "pic:pic" || node.name === "v:imagedata") {
          pieces.push({ kind: "block", block: { kind: "image", alt } });
        } else if (node.name === "c:chart") {
          const part = this.#relations.get(node.attributes["r:id"] ?? "")?.target ?? "";
          for (const block of chartBlocks(xmlPart(this.#zip, part))) {
            pieces.push({ kind: "block", block });
          }
        } else if (node.name === "cx:chart") {
          const part = this.#relations.get(node.attributes["r:id"] ?? "")?.target ?? "";
          for (const block of chartExBlocks(xmlPart(this.#zip, part))) {
            pieces.push({ kind: "block", block });
          }
        } else if (node.name === "dgm:relIds") pieces.push(...this.#diagram(node));
        else if (node.name === "mc:AlternateContent") {
          visit(child(node, "mc:Choice") ?? child(node, "mc:Fallback") ?? node);
        } else visit(node);
      }
    };
    visit(drawing);
    return pieces;
  }

  #diagram(ids: XmlElement): InlinePiece[] {
    const data = xmlPart(
      this.#zip,
      this.#relations.get(ids.attributes["r:dm"] ?? "")?.target ?? "",
    );
    return diagramItems(data).map((block): InlinePiece => ({ kind: "block", block }));
  }

  #fieldChar(node: XmlElement): InlinePiece[] {
    const type = node.attributes["w:fldCharType"];
    if (type === "begin") this.#fields.push({ instruction: "", inResult: false });
    else if (type === "end") this.#fields.pop();
    else {
      const field = this.#fields.at(-1);
      if (field !== undefined) field.inResult = true;
    }
    return [];
  }

  #fieldLink(): string | undefined {
    for (const field of this.#fields) {
      const link = field.inResult ? linkOf(field.instruction) : undefined;
      if (link !== undefined) return link;
    }
    return undefined;
  }

  #runFormat(properties: XmlElement | undefined, style: string | undefined): Omit<Span, "text"> {
    // Formatting that a paragraph's style applies to all of its text is typography rather than
    // emphasis.
    const on = (name: string) => isOn(this.#styles.runProperty(properties, undefined, name));
    return {
      ...(on("w:b") ? { bold: true } : {}),
      ...(on("w:i") ? { italic: true } : {}),
      ...(on("w:strike") ? { strike: true } : {}),
      ...(this.#styles.isMonospaced(properties, style) ? { code: true } : {}),
    };
  }
}

function noteReference(label: string): InlinePiece {
  return { kind: "span", span: { text: "", note: label } };
}

function symbolCharacter(symbol: XmlElement): string {
  const code = Number.parseInt(symbol.attributes["w:char"] ?? "", 16);
  if (Number.isNaN(code) || code > 0xffff) return "";
  const font = symbol.attributes["w:font"] ?? "";
  return symbolText(font, code) ??
    (code >= 0xe000 && code <= 0xf8ff ? privateUseText(font, code) : String.fromCharCode(code));
}

/**
 * Returns the address in a `HYPERLINK "…"` field, or `undefined` if it points inside the document.
 */
function linkOf(instruction: string): string | undefined {
  return /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1];
}
