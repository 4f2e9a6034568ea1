/** Parses HTML pages like a browser, with size and depth limits. */
import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  Parser,
  Tokenizer,
  type TreeAdapter,
} from "parse5";
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import { MAX_ATTRIBUTE_LENGTH, MAX_NESTING_DEPTH } from "../../limits.ts";

export type Element = DefaultTreeAdapterMap["element"];
export type ParentNode = DefaultTreeAdapterMap["parentNode"];

type TextType = Parameters<Tokenizer["_appendCharToCurrentCharacterToken"]>[0];

/** Elements without readable text. */
export const SKIPPED_ELEMENTS = new Set(
  ("script style noscript template svg head iframe object embed audio video canvas select datalist " +
    "rt rp map area input textarea meta link progress meter dialog").split(" "),
);

/**
 * Parses a page and returns its body, or `undefined` if it has none.
 *
 * Throws DOCUMENT_CORRUPT if elements are nested too deeply, and EXTRACTED_DOCUMENT_TOO_LARGE if
 * `budget` is exceeded.
 */
export function parseBody(text: string, budget: Budget): Element | undefined {
  let depth = 0;
  let hiddenDepth = 0;
  let mathDepth = 0;
  // Checked during parsing, since the parser takes quadratic time in the depth and the tree needs a
  // lot of memory.
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(...args) {
      budget.addElements();
      return defaultTreeAdapter.createElement(...args);
    },
    createCommentNode(data) {
      budget.addElements();
      return defaultTreeAdapter.createCommentNode(data);
    },
    insertText(parent, value) {
      if (hiddenDepth > 0) return;
      // A formula may be written as TeX that is shorter than its markup.
      if (mathDepth === 0) budget.addText(value);
      defaultTreeAdapter.insertText(parent, value);
    },
    onItemPush: (element) => {
      if (isHidden(element)) hiddenDepth++;
      if (element.tagName === "math") mathDepth++;
      if (++depth > MAX_NESTING_DEPTH * 2) {
        throw corrupt(`The page nests elements more than ${MAX_NESTING_DEPTH * 2} levels deep`);
      }
    },
    onItemPop: (element) => {
      if (isHidden(element)) hiddenDepth--;
      if (element.tagName === "math") mathDepth--;
      depth--;
    },
  };
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter, scriptingEnabled: false });
  parser.tokenizer = new BoundedTokenizer(parser.options, parser);
  parser.tokenizer.write(text, true);
  const html = parser.document.childNodes.find((node): node is Element => node.nodeName === "html");
  return html?.childNodes.find((node): node is Element =>
    node.nodeName === "body" || node.nodeName === "frameset"
  );
}

/** Checks whether a node is an element. */
export function isElement(node: DefaultTreeAdapterMap["childNode"]): node is Element {
  return "tagName" in node;
}

/** Returns an attribute's value, or `undefined` if the element doesn't have it. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

/** Checks whether an element is skipped along with its content. */
export function isHidden(element: Element): boolean {
  return SKIPPED_ELEMENTS.has(element.tagName) || attribute(element, "hidden") !== undefined ||
    /display\s*:\s*none/i.test(attribute(element, "style") ?? "");
}

/** Returns all text in an element, with its line breaks and spaces. */
export function rawText(parent: ParentNode): string {
  return parent.childNodes.map((node) => {
    if (node.nodeName === "#text" && "value" in node) return node.value;
    if (!isElement(node) || SKIPPED_ELEMENTS.has(node.tagName)) return "";
    return node.tagName === "br" ? "\n" : rawText(node);
  }).join("");
}

/** Replaces each run of whitespace with a space. */
export function collapseWhitespace(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, " ");
}

/** Number of characters after which a text is passed on in parts. */
const MAX_TEXT_LENGTH = 65_536;

/**
 * Drops comments, cuts long attributes, and passes on long texts, such as scripts, in parts. The
 * parser appends one character at a time, which takes about 32 bytes each until the string is read:
 * a comment of 25 MB would fill the heap.
 */
class BoundedTokenizer extends Tokenizer {
  protected override _createCommentToken(offset: number): void {
    super._createCommentToken(offset);
    Object.defineProperty(this.currentToken, "data", { get: () => "", set: () => undefined });
  }

  protected override _appendCharToCurrentCharacterToken(type: TextType, text: string): void {
    if ((this.currentCharacterToken?.chars.length ?? 0) >= MAX_TEXT_LENGTH) {
      this._emitCurrentCharacterToken(null);
    }
    super._appendCharToCurrentCharacterToken(type, text);
  }

  protected override _createAttr(firstCharacter: string): void {
    super._createAttr(firstCharacter);
    this.currentAttr = new BoundedAttribute(firstCharacter);
  }
}

class BoundedAttribute {
  #value = "";

  constructor(public name: string) {}

  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    if (value.length <= MAX_ATTRIBUTE_LENGTH) this.#value = value;
  }
}
