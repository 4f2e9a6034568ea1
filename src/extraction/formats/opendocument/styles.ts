/** OpenDocument styles: text formats, heading styles and list numbering. */
import { child, descendants, elements, type XmlElement } from "../../xml.ts";
import type { Span } from "../../model.ts";
import { type OdfLevel, odfLevel } from "./numbering.ts";

type TextFormat = Omit<Span, "text">;

/** A document's automatic and named styles. */
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

  /** Returns a text style's format, including inherited properties. */
  textFormat(name: string | undefined): TextFormat {
    const text = (attribute: string) => this.#textProperty(name, attribute);
    const strike = text("style:text-line-through-style");
    return {
      ...(/^(?:bold|[6-9]00)$/.test(text("fo:font-weight") ?? "") ? { bold: true } : {}),
      ...(/italic|oblique/.test(text("fo:font-style") ?? "") ? { italic: true } : {}),
      ...(strike !== undefined && strike !== "none" ? { strike: true } : {}),
    };
  }

  /** Returns 1 for the title style, 2 for the subtitle style, and `undefined` otherwise. */
  titleLevel(name: string | undefined): number | undefined {
    for (const style of this.#chain(name)) {
      if (style === "Title") return 1;
      if (style === "Subtitle") return 2;
    }
    return undefined;
  }

  /** Checks whether a paragraph style is for preformatted text. */
  isPreformatted(name: string | undefined): boolean {
    return this.#chain(name).some((style) =>
      /^(?:Preformatted_20_Text|Source_20_Code)$/.test(style)
    );
  }

  /** Checks whether a sheet with this table style is hidden. */
  isTableHidden(name: string | undefined): boolean {
    const properties = child(this.#styles.get(name ?? ""), "style:table-properties");
    return properties?.attributes["table:display"] === "false";
  }

  /** Checks whether a slide with this style is hidden. */
  isSlideHidden(name: string | undefined): boolean {
    const properties = child(this.#styles.get(name ?? ""), "style:drawing-page-properties");
    return properties?.attributes["presentation:visibility"] === "hidden";
  }

  /** Returns the list style set by a paragraph style. */
  listStyleOf(name: string | undefined): string | undefined {
    return name === undefined
      ? undefined
      : this.#styles.get(name)?.attributes["style:list-style-name"];
  }

  /**
   * Returns the numbering of level `level` (from 0) in a list style, or `undefined` if it isn't
   * numbered.
   */
  listLevel(list: string | undefined, level: number): OdfLevel | undefined {
    const style = levelStyle(this.#lists.get(list ?? ""), level);
    return style?.name === "text:list-level-style-number" ? odfLevel(style) : undefined;
  }

  /**
   * Returns the numbering of chapters at level `level` (from 0), or `undefined` if they aren't
   * numbered.
   */
  chapterLevel(level: number): OdfLevel | undefined {
    return odfLevel(levelStyle(this.#outline, level));
  }

  #textProperty(name: string | undefined, attribute: string): string | undefined {
    for (const style of this.#chain(name)) {
      const value = child(this.#styles.get(style), "style:text-properties")?.attributes[attribute];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #chain(name: string | undefined): string[] {
    const chain: string[] = [];
    let style = name;
    while (style !== undefined && chain.length < 20) {
      chain.push(style);
      style = this.#styles.get(style)?.attributes["style:parent-style-name"];
    }
    return chain;
  }
}

function levelStyle(list: XmlElement | undefined, level: number): XmlElement | undefined {
  return elements(list).find((element) => element.attributes["text:level"] === String(level + 1));
}
