/** The tree of a page, parsed as browsers parse it and no larger than can be read. */
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parse, type TreeAdapter } from "parse5";
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import { MAX_NESTING_DEPTH } from "../../limits.ts";

export type Element = DefaultTreeAdapterMap["element"];
export type ParentNode = DefaultTreeAdapterMap["parentNode"];

/** What holds no reading text. */
export const SKIPPED_ELEMENTS = new Set(
  ("script style noscript template svg head iframe object embed audio video canvas select datalist " +
    "rt rp map area input textarea meta link progress meter dialog").split(" "),
);

/**
 * The body of a page, undefined where it has none. Throws DOCUMENT_CORRUPT when it nests too deep
 * to be read, and EXTRACTED_DOCUMENT_TOO_LARGE when `budget` is used up.
 */
export function parseBody(text: string, budget: Budget): Element | undefined {
  let depth = 0;
  let unread = 0;
  // Checked while parsing: the parser itself is quadratic in the depth, and the tree is large.
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
      if (unread <= 0) budget.addText(value);
      defaultTreeAdapter.insertText(parent, value);
    },
    onItemPush: (element) => {
      if (isTextOptional(element)) unread++;
      if (++depth > MAX_NESTING_DEPTH * 2) {
        throw corrupt(`The page nests more than ${MAX_NESTING_DEPTH * 2} elements`);
      }
    },
    onItemPop: (element) => {
      if (isTextOptional(element)) unread--;
      depth--;
    },
  };
  const document = parse(text, { treeAdapter, scriptingEnabled: false });
  const html = document.childNodes.find((node): node is Element => node.nodeName === "html");
  return html?.childNodes.find((node): node is Element =>
    node.nodeName === "body" || node.nodeName === "frameset"
  );
}

/** Whether a node is an element. */
export function isElement(node: DefaultTreeAdapterMap["childNode"]): node is Element {
  return "tagName" in node;
}

/** The value of an attribute. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** Whether an element and all in it is left out. */
export function isHidden(element: Element): boolean {
  return SKIPPED_ELEMENTS.has(element.tagName) || attribute(element, "hidden") !== undefined ||
    /display\s*:\s*none/i.test(attribute(element, "style") ?? "");
}

/** Whether the text in an element may be left out. */
function isTextOptional(element: Element): boolean {
  return element.tagName === "math" || isHidden(element);
}
