/** Styles of an OpenDocument file: text looks, heading styles, list markers. */
import { child, descendants, elements, type XmlElement } from "../../xml.ts";
import type { Span } from "../../model.ts";
import { type OdfLevel, odfLevel } from "./numbering.ts";

type TextFormat = Omit<Span, "text">;

/** Automatic and named styles of a document. */
export class OdfStyles {
  readonly #styles = new Map<string, XmlElement>();
  readonly #lists = new Map<string, XmlElement>();
  #outline: XmlElement | undefined;

  constructor(...roots: (XmlElement | undefined)[]) {
    for (const root of roots) {
      for (const style of descendants(root, "style:style")) {
        this.#styles.set(style.attributes["style:name"] ?? "", style);
      }
      for (const list of descendants(root, "text:list-style")) {
        this.#lists.set(list.attributes["style:name"] ?? "", list);
      }
      this.#outline ??= descendants(root, "text:outline-style")[0];
    }
  }

  /** Look of a text style, through its parents. */
  textFormat(name: string | undefined): TextFormat {
    const text = (attribute: string) => this.#textProperty(name, attribute);
    const strike = text("style:text-line-through-style");
    return {
      ...(/^(?:bold|[6-9]00)$/.test(text("fo:font-weight") ?? "") ? { bold: true } : {}),
      ...(/italic|oblique/.test(text("fo:font-style") ?? "") ? { italic: true } : {}),
      ...(strike !== undefined && strike !== "none" ? { strike: true } : {}),
    };
  }

  /** Whether a paragraph style is one of titles: 1 for the title, 2 for the subtitle. */
  titleLevel(name: string | undefined): number | undefined {
    for (const one of this.#chain(name)) {
      if (one === "Title") return 1;
      if (one === "Subtitle") return 2;
    }
    return undefined;
  }

  /** Whether a paragraph style is for preformatted text. */
  isPreformatted(name: string | undefined): boolean {
    return this.#chain(name).some((one) => /^(?:Preformatted_20_Text|Source_20_Code)$/.test(one));
  }

  /** Whether a table of this style, a sheet, is hidden. */
  isTableHidden(name: string | undefined): boolean {
    const properties = child(this.#styles.get(name ?? ""), "style:table-properties");
    return properties?.attributes["table:display"] === "false";
  }

  /** Whether a slide of this style is hidden. */
  isSlideHidden(name: string | undefined): boolean {
    const properties = child(this.#styles.get(name ?? ""), "style:drawing-page-properties");
    return properties?.attributes["presentation:visibility"] === "hidden";
  }

  /** The list style a paragraph style brings along. */
  listStyleOf(name: string | undefined): string | undefined {
    return name === undefined
      ? undefined
      : this.#styles.get(name)?.attributes["style:list-style-name"];
  }

  /** How level `level` (from 0) of a list style is numbered, if it is. */
  listLevel(list: string | undefined, level: number): OdfLevel | undefined {
    const own = levelStyle(this.#lists.get(list ?? ""), level);
    return own?.name === "text:list-level-style-number" ? odfLevel(own) : undefined;
  }

  /** How chapters of level `level` (from 0) are numbered, if they are. */
  chapterLevel(level: number): OdfLevel | undefined {
    return odfLevel(levelStyle(this.#outline, level));
  }

  #textProperty(name: string | undefined, attribute: string): string | undefined {
    for (const one of this.#chain(name)) {
      const value = child(this.#styles.get(one), "style:text-properties")?.attributes[attribute];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #chain(name: string | undefined): string[] {
    const chain: string[] = [];
    let at = name;
    while (at !== undefined && chain.length < 20) {
      chain.push(at);
      at = this.#styles.get(at)?.attributes["style:parent-style-name"];
    }
    return chain;
  }
}

function levelStyle(list: XmlElement | undefined, level: number): XmlElement | undefined {
  return elements(list).find((one) => one.attributes["text:level"] === String(level + 1));
}
