/** Parses HTML pages like a browser, with size and depth limits. */
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parse, type TreeAdapter } from "parse5";
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import { MAX_NESTING_DEPTH } from "../../limits.ts";

export type Element = DefaultTreeAdapterMap["element"];
export type ParentNode = DefaultTreeAdapterMap["parentNode"];

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
  let optionalDepth = 0;
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
      if (optionalDepth <= 0) budget.addText(value);
      defaultTreeAdapter.insertText(parent, value);
    },
    onItemPush: (element) => {
      if (isTextOptional(element)) optionalDepth++;
      if (++depth > MAX_NESTING_DEPTH * 2) {
        throw corrupt(`The page nests elements more than ${MAX_NESTING_DEPTH * 2} levels deep`);
      }
    },
    onItemPop: (element) => {
      if (isTextOptional(element)) optionalDepth--;
      depth--;
    },
  };
  const document = parse(text, { treeAdapter, scriptingEnabled: false });
  const html = document.childNodes.find((node): node is Element => node.nodeName === "html");
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

/** Checks whether an element's text may be missing from the output. */
function isTextOptional(element: Element): boolean {
  return element.tagName === "math" || isHidden(element);
}
