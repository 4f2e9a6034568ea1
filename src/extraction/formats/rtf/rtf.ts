/** Reads RTF: paragraphs with styles, lists, tables, links and notes. */
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import type { Block, ExtractedDocument, Span } from "../../model.ts";
import { append, plainText } from "../../model.ts";
import {
  defaultGroupState,
  defaultParagraphState,
  type GroupState,
  type ParagraphState,
  SKIPPED_DESTINATIONS,
  SPECIAL_CHARACTERS,
  SUPPORTED_STARRED_DESTINATIONS,
} from "./state.ts";
import { RtfTables } from "./tables.ts";
import { CodePages } from "./code_pages.ts";
import { type RtfToken, tokenizeRtf } from "./tokenizer.ts";

const MAX_GROUP_DEPTH = 5_000;

/** Reads an RTF file. Throws DOCUMENT_CORRUPT if its groups are nested too deeply. */
export function readRtf(bytes: Uint8Array, budget: Budget): ExtractedDocument {
  const reader = new RtfReader(budget);
  for (const token of tokenizeRtf(bytes)) reader.consume(token);
  return reader.finish();
}

class RtfReader {
  readonly #budget: Budget;
  #state: GroupState = defaultGroupState();
  #paragraph: ParagraphState = defaultParagraphState();
  readonly #stack: GroupState[] = [];
  readonly #codePages = new CodePages();
  readonly #styles = new Map<number, { name: string; outline: number | undefined }>();
  readonly #blocks: Block[] = [];
  readonly #notes: Block[] = [];
  #spans: Span[] = [];
  #outerSpans: Span[] = [];
  #listText = "";
  #instruction = "";
  #styleName = "";
  #styleIndex = 0;
  #styleOutline: number | undefined;
  readonly #tables: RtfTables;
  #skipBytes = 0;
  #page = 1;
  #hasTitle = false;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#tables = new RtfTables(budget);
  }

  consume(token: RtfToken): void {
    switch (token.kind) {
      case "open":
        if (this.#stack.length >= MAX_GROUP_DEPTH) {
          throw corrupt("The RTF file nests groups too deeply");
        }
        this.#stack.push({ ...this.#state });
        this.#state.starred = false;
        break;
      case "close":
        this.#closeGroup();
        break;
      case "word":
        this.#controlWord(token.word, token.value);
        break;
      case "bytes":
        this.#bytes(token.bytes);
    }
  }

  finish(): ExtractedDocument {
    this.#endParagraph();
    this.#endTable();
    return { blocks: [...this.#blocks, ...this.#notes], pageCount: this.#page };
  }

  #bytes(bytes: Uint8Array): void {
    const skipped = Math.min(this.#skipBytes, bytes.length);
    this.#skipBytes -= skipped;
    const text = this.#codePages.decode(bytes.subarray(skipped), this.#state.font);
    if (text !== "") this.#text(text);
  }

  #text(text: string): void {
    const state = this.#state;
    if (state.hidden) return;
    switch (state.destination) {
      case "text":
      case "note": {
        const { bold, italic, strike, href } = state;
        this.#budget.addElements();
        this.#budget.addText(text);
        this.#spans.push({
          text,
          ...(bold ? { bold } : {}),
          ...(italic ? { italic } : {}),
          ...(strike ? { strike } : {}),
          ...(href === undefined ? {} : { href }),
        });
        break;
      }
      case "listtext":
        this.#listText += text;
        break;
      case "instruction":
        this.#instruction += text;
        break;
      case "styles":
        this.#styleName += text;
        break;
      case "fonts":
        this.#codePages.fontName(text);
    }
  }

  #closeGroup(): void {
    const inner = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    this.#codePages.flush();
    if (inner.destination === "styles" && this.#styleName !== "") this.#defineStyle();
    if (inner.destination === "instruction" && outer.destination !== "instruction") {
      outer.href = /HYPERLINK\s+"([^"]+)"/i.exec(this.#instruction)?.[1];
      this.#instruction = "";
    }
    if (inner.destination === "note" && outer.destination !== "note") this.#endNote();
    // A link's address applies to the whole field, but the field's result is a later group.
    if (!outer.isField && inner.isField) outer.href = undefined;
    this.#state = outer;
  }

  #defineStyle(): void {
    const name = this.#styleName.replace(/;.*$/s, "").trim();
    this.#styles.set(this.#styleIndex, { name, outline: this.#styleOutline });
    [this.#styleName, this.#styleIndex, this.#styleOutline] = ["", 0, undefined];
  }

  #controlWord(word: string, value: number | undefined): void {
    const state = this.#state;
    if (word === "u" && value !== undefined) {
      this.#codePages.flush();
      const code = value < 0 ? value + 65_536 : value;
      this.#skipBytes = state.fallbackBytes;
      this.#text(this.#codePages.character(code, state.font));
      return;
    }
    this.#skipBytes = 0;
    if (word === "*") {
      state.starred = true;
      return;
    }
    if (this.#setDestination(word)) return;
    const character = SPECIAL_CHARACTERS[word];
    if (character !== undefined) this.#text(character);
    else if (state.destination === "fonts") {
      this.#codePages.fontWord(word, value, (font) => state.font = font);
    } else if (state.destination === "styles") this.#styleWord(word, value);
    else if (state.destination !== "skip" && state.destination !== "image") {
      this.#textWord(word, value);
    }
  }

  /** Handles words that set their group's destination. Returns `true` if handled. */
  #setDestination(word: string): boolean {
    const state = this.#state;
    if (state.starred && !SUPPORTED_STARRED_DESTINATIONS.has(word)) {
      state.starred = false;
      if (state.destination !== "styles" || word !== "cs") state.destination = "skip";
      return true;
    }
    state.starred = false;
    if (state.destination === "skip") return true;
    if (SKIPPED_DESTINATIONS.has(word)) {
      if (word === "pict" && state.destination === "text") {
        this.#addBlock({ kind: "image", alt: "" });
      }
      state.destination = "skip";
    } else if (word === "fonttbl") state.destination = "fonts";
    else if (word === "stylesheet") state.destination = "styles";
    else if (word === "listtext" || word === "pntext") {
      state.destination = "listtext";
      this.#listText = "";
    } else if (word === "nesttableprops") state.isNested = true;
    else if (word === "nonesttables") state.destination = "skip";
    else if (word === "fldinst") state.destination = "instruction";
    else if (word === "field") state.isField = true;
    else if (word === "footnote") {
      state.destination = "note";
      this.#outerSpans = this.#spans;
      this.#spans = [];
    } else return false;
    return true;
  }

  #styleWord(word: string, value: number | undefined): void {
    if (word === "s" || word === "cs" || word === "ds") {
      this.#styleIndex = word === "s" ? value ?? 0 : -1;
    } else if (word === "outlinelevel") this.#styleOutline = value;
  }

  #textWord(word: string, value: number | undefined): void {
    const state = this.#state;
    const on = value !== 0;
    switch (word) {
      case "b":
        state.bold = on;
        break;
      case "i":
        state.italic = on;
        break;
      case "strike":
        state.strike = on;
        break;
      case "v":
      case "deleted":
        state.hidden = on;
        break;
      case "plain":
        Object.assign(state, { bold: false, italic: false, strike: false, hidden: false });
        break;
      case "f":
        this.#codePages.flush();
        state.font = value ?? 0;
        break;
      case "uc":
        state.fallbackBytes = value ?? 1;
        break;
      case "ansicpg":
        this.#codePages.setDefault(value ?? 1252);
        break;
      case "mac":
        this.#codePages.setDefault(10_000);
        break;
      default:
        this.#paragraphWord(word, value);
    }
  }

  #paragraphWord(word: string, value: number | undefined): void {
    // A list marker's text contains paragraph words that don't apply to the paragraph.
    if (this.#state.destination === "listtext") return;
    const paragraph = this.#paragraph;
    switch (word) {
      case "par":
        this.#state.destination === "note" ? this.#spans.push({ text: " " }) : this.#endParagraph();
        break;
      case "pard":
        this.#paragraph = defaultParagraphState();
        break;
      case "s":
        paragraph.style = value ?? 0;
        break;
      case "outlinelevel":
        paragraph.outline = value;
        break;
      case "ls":
        paragraph.list = value;
        break;
      case "ilvl":
        paragraph.level = value ?? 0;
        break;
      case "intbl":
        paragraph.inTable = true;
        break;
      case "itap":
        paragraph.depth = value ?? 1;
        break;
      case "page":
        this.#endParagraph();
        if (!paragraph.inTable) this.#blocks.push({ kind: "page", page: ++this.#page });
        break;
      default:
        this.#tableWord(word, value);
    }
  }

  #tableWord(word: string, value: number | undefined): void {
    if (word === "cell" || word === "nestcell") this.#endParagraph(true);
    this.#tables.controlWord(word, value, this.#state.isNested);
  }

  #endParagraph(inCell = false): void {
    this.#codePages.flush();
    const paragraph = this.#paragraph;
    const spans = this.#spans;
    this.#spans = [];
    const isInTable = inCell || paragraph.inTable;
    if (!isInTable) this.#endTable();
    const listText = this.#listText.trim();
    this.#listText = "";
    if (plainText(spans).trim() === "" && spans.every((span) => span.note === undefined)) return;
    this.#addBlock(this.#styled(spans, listText), isInTable);
  }

  #addBlock(block: Block, isInTable = this.#paragraph.inTable): void {
    this.#budget.addElements();
    if (isInTable) this.#tables.add(block, this.#paragraph.depth);
    else this.#blocks.push(block);
  }

  #styled(spans: Span[], listText: string): Block {
    const style = this.#styles.get(this.#paragraph.style);
    const headingNumber = /^heading\s*([1-9])/i.exec(style?.name ?? "")?.[1];
    const outline = this.#paragraph.outline ?? style?.outline;
    const isTitle = /^title$/i.test(style?.name ?? "");
    if (isTitle || headingNumber !== undefined || (outline !== undefined && outline < 9)) {
      if (isTitle) this.#hasTitle = true;
      const level = isTitle
        ? 1
        : (headingNumber === undefined ? (outline ?? 0) + 1 : Number(headingNumber)) +
          (this.#hasTitle ? 1 : 0);
      const label = /\d/.test(listText) ? [{ text: `${listText} ` }] : [];
      return { kind: "heading", level, spans: [...label, ...spans] };
    }
    if (/^(?:source code|preformatted text|html preformatted)$/i.test(style?.name ?? "")) {
      return { kind: "code", text: plainText(spans) };
    }
    if (listText === "") return { kind: "paragraph", spans };
    const { level, list } = this.#paragraph;
    const item = { kind: "item" as const, level, list: String(list ?? 0), spans };
    if (/\d.*\d/.test(listText) && /[.)]\d/.test(listText)) {
      return { ...item, spans: [{ text: `${listText} ` }, ...spans] };
    }
    const number = /^\(?(\d{1,6})[.)]?$/.exec(listText)?.[1];
    if (number !== undefined) return { ...item, number: Number(number) };
    return /^\(?\p{L}{1,5}[.)]$/u.test(listText)
      ? { ...item, spans: [{ text: `${listText} ` }, ...spans] }
      : item;
  }

  #endNote(): void {
    this.#codePages.flush();
    const label = String(this.#notes.length + 1);
    const spans = this.#spans;
    this.#spans = this.#outerSpans;
    if (plainText(spans).trim() === "") return;
    this.#notes.push({ kind: "note", label, spans });
    this.#spans.push({ text: "", note: label });
  }

  #endTable(): void {
    append(this.#blocks, this.#tables.endTable());
  }
}
