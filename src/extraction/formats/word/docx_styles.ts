/** DOCX styles, and the properties that paragraphs and runs inherit through them. */
import { isOn, xmlPart } from "../office/ooxml.ts";
import { child, elements, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";

/** A style and its own properties. Others are inherited from `basedOn`. */
interface Style {
  readonly name: string;
  readonly basedOn: string | undefined;
  readonly paragraph: XmlElement | undefined;
  readonly run: XmlElement | undefined;
}

const MONOSPACED_FONTS =
  /courier|consolas|monaco|menlo|mono\b|monospace|lucida console|source code/i;

/** A document's style sheet. */
export class DocxStyles {
  readonly #styles = new Map<string, Style>();
  #defaultParagraph = "";

  constructor(zip: ZipArchive, part: string | undefined) {
    const root = part === undefined ? undefined : xmlPart(zip, part);
    for (const element of elements(root, "w:style")) {
      const id = element.attributes["w:styleId"] ?? "";
      this.#styles.set(id, {
        name: child(element, "w:name")?.attributes["w:val"] ?? id,
        basedOn: child(element, "w:basedOn")?.attributes["w:val"],
        paragraph: child(element, "w:pPr"),
        run: child(element, "w:rPr"),
      });
      const isDefault = /^(?:1|true)$/.test(element.attributes["w:default"] ?? "");
      if (isDefault && element.attributes["w:type"] === "paragraph") this.#defaultParagraph = id;
    }
  }

  /** Returns a style's name as shown by the word processor. */
  name(id: string | undefined): string {
    return this.#styles.get(id ?? this.#defaultParagraph)?.name ?? "";
  }

  /** Returns a paragraph property, either its own or inherited from its style. */
  paragraphProperty(properties: XmlElement | undefined, name: string): XmlElement | undefined {
    const direct = child(properties, name);
    if (direct !== undefined) return direct;
    const id = child(properties, "w:pStyle")?.attributes["w:val"];
    return this.#inherited(id ?? this.#defaultParagraph, (style) => child(style.paragraph, name));
  }

  /** Returns a run property, either its own or inherited from its style or `paragraphStyle`. */
  runProperty(
    properties: XmlElement | undefined,
    paragraphStyle: string | undefined,
    name: string,
  ) {
    const direct = child(properties, name);
    if (direct !== undefined) return direct;
    const id = child(properties, "w:rStyle")?.attributes["w:val"];
    const find = (style: Style) => child(style.run, name);
    const fromRunStyle = id === undefined ? undefined : this.#inherited(id, find);
    if (fromRunStyle !== undefined || paragraphStyle === undefined) return fromRunStyle;
    return this.#inherited(paragraphStyle, find);
  }

  /** Returns the font of a run's private use characters, or "" if it's the default one. */
  privateUseFont(properties: XmlElement | undefined, paragraphStyle: string | undefined): string {
    const fonts = this.#fonts(properties, paragraphStyle);
    return fonts["w:hAnsi"] ?? fonts["w:ascii"] ?? "";
  }

  /** Checks whether a run is set in a monospaced font. */
  isMonospaced(properties: XmlElement | undefined, paragraphStyle: string | undefined): boolean {
    const fonts = this.#fonts(properties, paragraphStyle);
    return MONOSPACED_FONTS.test(fonts["w:ascii"] ?? fonts["w:hAnsi"] ?? "");
  }

  /** Checks whether a run is hidden. */
  isHidden(properties: XmlElement | undefined): boolean {
    return isOn(child(properties, "w:vanish"));
  }

  /**
   * Returns a paragraph's heading level: 0 for the title, 1 to 9 for headings, or `undefined` for
   * body text.
   */
  headingLevel(properties: XmlElement | undefined): number | undefined {
    let id = child(properties, "w:pStyle")?.attributes["w:val"];
    for (let depth = 0; id !== undefined && depth < 20; depth++) {
      const style = this.#styles.get(id);
      const name = (style?.name ?? id).toLowerCase();
      if (name === "title") return 0;
      const match = /^(?:heading|überschrift|titre|título|kop|rubrik)\s*([1-9])/.exec(name);
      if (match !== null) return Number(match[1]);
      id = style?.basedOn;
    }
    const outline = this.paragraphProperty(properties, "w:outlineLvl")?.attributes["w:val"];
    const level = outline === undefined ? 9 : Number.parseInt(outline, 10);
    return level >= 0 && level < 9 ? level + 1 : undefined;
  }

  #fonts(properties: XmlElement | undefined, paragraphStyle: string | undefined) {
    const style = paragraphStyle ?? this.#defaultParagraph;
    return this.runProperty(properties, style, "w:rFonts")?.attributes ?? {};
  }

  #inherited(id: string, find: (style: Style) => XmlElement | undefined): XmlElement | undefined {
    let current: string | undefined = id;
    for (let depth = 0; current !== undefined && depth < 20; depth++) {
      const style: Style | undefined = this.#styles.get(current);
      if (style === undefined) return undefined;
      const found = find(style);
      if (found !== undefined) return found;
      current = style.basedOn;
    }
    return undefined;
  }
}
