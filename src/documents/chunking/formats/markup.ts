/** Scans HTML and XML for elements that can begin a chunk, and HTML for headings. */

import { isAsciiLetter, skipWhiteSpace } from "../characters.ts";
import { cutBefore } from "../lines.ts";
import { Outline, type PieceKind } from "../outline.ts";
import { CutCost, nestedCost } from "../sizes.ts";
import { endOfTag, stripMarkup, tagName, TextFinder } from "./markup_tags.ts";

type Dialect = "html" | "xml";

const BLOCK_ELEMENTS = new Set(
  ("address article aside blockquote details dialog div dl fieldset figure footer form header " +
    "hgroup main nav ol p pre script section style table ul").split(" "),
);
const ITEM_ELEMENTS = new Set("li tr dt dd option".split(" "));
const RAW_TEXT_ELEMENTS = new Set(["script", "style", "textarea"]);

/** Scans a single document. Not reusable. */
export class MarkupScanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #find: TextFinder;
  readonly #outline = new Outline(stripMarkup);

  #depth = 0;
  /** Start of the current piece, as long as only opening tags have followed. */
  #bare: number | undefined = 0;
  /** A heading that must stay with the next block. */
  #lead: { readonly start: number; readonly level: number } | undefined;
  /** Whether there's text between the previous tag and the current one. */
  #afterText = false;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#find = new TextFinder(text);
  }

  outline(): Outline {
    const text = this.#text;
    let from = 0;
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", Math.max(from, at + 1))) {
      const end = this.#endOfMarkup(at);
      if (end < 0) continue;
      this.#afterText = skipWhiteSpace(text, from, at) < at;
      if (this.#afterText) this.#readText();
      from = this.#readTag(at, end);
    }
    return this.#outline;
  }

  /** Returns the end of the tag, comment or declaration at `at`, or -1 if the "<" is just text. */
  #endOfMarkup(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at + 1);
    if (code === 0x21) {
      if (text.startsWith("<!--", at)) return this.#find.indexAfter("-->", at + 4);
      if (text.startsWith("<![CDATA[", at)) return this.#find.indexAfter("]]>", at + 9);
      return this.#find.indexAfter(">", at);
    }
    if (code === 0x3f) return this.#find.indexAfter("?>", at);
    if (code === 0x2f || isAsciiLetter(code) || code === 0x5f || code > 0x7f) {
      return endOfTag(text, at);
    }
    return -1;
  }

  /** Processes the markup in `[at, end)`. Returns the position to continue from. */
  #readTag(at: number, end: number): number {
    const code = this.#text.charCodeAt(at + 1);
    if (code === 0x21 || code === 0x3f) {
      // CDATA is text. Comments, declarations and processing instructions are ignored.
      if (this.#text.startsWith("<![CDATA[", at)) this.#readText();
      return end;
    }
    if (code === 0x2f) {
      this.#depth = Math.max(0, this.#depth - 1);
      this.#bare = undefined;
      return end;
    }
    const empty = this.#text.charCodeAt(end - 2) === 0x2f;
    if (this.#dialect === "xml") {
      if (!this.#afterText) this.#open(at, nestedCost(this.#depth - 1), "item");
      if (!empty) this.#depth++;
      else this.#bare = undefined;
      return end;
    }
    return this.#openHtml(at, end, tagName(this.#text, at + 1));
  }

  #readText(): void {
    this.#bare = undefined;
    this.#lead = undefined;
  }

  #openHtml(at: number, end: number, name: string): number {
    if (/^h[1-6]$/.test(name)) return this.#openHeading(at, end, Number(name[1]));
    if (ITEM_ELEMENTS.has(name)) this.#open(at, nestedCost(0), "item");
    else if (BLOCK_ELEMENTS.has(name)) {
      this.#open(
        at,
        CutCost.block,
        name === "pre" || RAW_TEXT_ELEMENTS.has(name) ? "code" : "prose",
      );
    } else if (name === "hr") this.#open(at, CutCost.division, "prose");
    if (!RAW_TEXT_ELEMENTS.has(name)) return end;
    // The content of a script is never markup.
    const close = this.#find.indexOf(`</${name}`, end);
    return close < 0 ? end : close;
  }

  #openHeading(at: number, end: number, level: number): number {
    const start = this.#bare ?? cutBefore(this.#text, at);
    const cost = CutCost.section[level - 1] ?? CutCost.block;
    const lead = this.#lead;
    this.#outline.open(start, lead === undefined ? cost : CutCost.stackedHeading, "prose");
    const close = this.#find.indexOf(`</h${level}`, end);
    const titleEnd = close < 0 ? end : close;
    // Directly below a higher-level heading, this one applies from the same position, since both
    // enclose the text that follows.
    const from = lead !== undefined && level > lead.level ? lead.start : start;
    this.#outline.addHeading(from, level, this.#text.slice(end, Math.min(titleEnd, end + 2000)));
    this.#bare = undefined;
    this.#lead = { start: from, level };
    return close < 0 ? end : Math.max(end, this.#find.indexAfter(">", close));
  }

  /**
   * Begins a piece at the tag, or adds the tag to the heading or opening tags directly before it.
   */
  #open(at: number, cost: number, kind: PieceKind): void {
    const start = this.#bare ?? cutBefore(this.#text, at);
    if (this.#lead !== undefined) this.#outline.join(start, kind);
    else this.#outline.open(start, cost, kind);
    this.#lead = undefined;
    this.#bare = start;
  }
}
