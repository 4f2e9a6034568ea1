/**
 * Parses an XML part into a small tree. Rejects document types (no entities, no external reads).
 * Names in known namespaces get the usual prefix, regardless of the one in the file.
 */
import { SaxesParser } from "saxes";
import { corrupt, ExtractionError } from "./error.ts";
import { MAX_NESTING_DEPTH, MAX_XML_ELEMENTS } from "./limits.ts";

/** An element. `name` has the namespace's usual prefix, as in `w:p`. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

/** A node in the tree: either an element or text. */
export type XmlNode = XmlElement | string;

/** Options for `parseXml()`. */
export interface XmlOptions {
  /** Whether a document type declaration is an error or skipped unread. Defaults to `refuse`. */
  readonly doctype?: "refuse" | "skip";
}

/**
 * Patterns for the end of a namespace name, with the prefix readers expect. Match both the
 * transitional and the strict variant.
 */
const NAMESPACE_PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/wordprocessingml(?:\/2006)?\/main$/, "w"],
  [/presentationml(?:\/2006)?\/main$/, "p"],
  [/spreadsheetml(?:\/2006)?\/main$/, ""],
  [/drawingml(?:\/2006)?\/main$/, "a"],
  [/drawingml(?:\/2006)?\/chart$/, "c"],
  [/drawing\/2014\/chartex$/, "cx"],
  [/drawing\/2010\/main$/, "a14"],
  [/drawingml(?:\/2006)?\/picture$/, "pic"],
  [/drawingml(?:\/2006)?\/diagram$/, "dgm"],
  [/drawingml(?:\/2006)?\/wordprocessingDrawing$/, "wp"],
  [/drawingml(?:\/2006)?\/spreadsheetDrawing$/, "xdr"],
  [/officeDocument(?:\/2006)?\/relationships$/, "r"],
  [/officeDocument(?:\/2006)?\/math$/, "m"],
  [/markup-compatibility\/2006$/, "mc"],
  [/word\/2010\/wordprocessingShape$/, "wps"],
  [/word\/2010\/wordprocessingGroup$/, "wpg"],
  [/^urn:schemas-microsoft-com:vml$/, "v"],
  [/opendocument:xmlns:(office|style|text|table|presentation|chart|meta):1\.0$/, "$1"],
  [/opendocument:xmlns:drawing:1\.0$/, "draw"],
  [/opendocument:xmlns:(?:svg|xsl-fo)-compatible:1\.0$/, "fo"],
  [/^http:\/\/www\.w3\.org\/1999\/xlink$/, "xlink"],
  [/^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/, "math"],
  [/^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/, "dc"],
];

const NO_ATTRIBUTES: Record<string, string> = Object.freeze(Object.create(null));

/**
 * Returns the root element of `text`.
 *
 * @throws {ExtractionError} DOCUMENT_CORRUPT if the XML isn't well-formed, or
 *   EXTRACTED_DOCUMENT_TOO_LARGE if it has too many elements or levels
 */
export function parseXml(text: string, options: XmlOptions = {}): XmlElement {
  const prefixes = new Map<string, string>();
  const root: XmlNode[] = [];
  const open: XmlNode[][] = [root];
  let elementCount = 0;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw corrupt("The file contains XML that is not well-formed", error);
  });
  parser.on("doctype", () => {
    if (options.doctype !== "skip") {
      throw corrupt("The file contains an XML document type, which is not supported");
    }
  });
  parser.on("opentag", (tag) => {
    if (++elementCount > MAX_XML_ELEMENTS || open.length > MAX_NESTING_DEPTH) throw tooComplex();
    const attributeEntries = Object.entries(tag.attributes);
    for (const [name, value] of attributeEntries) {
      if (name.startsWith("xmlns:")) {
        prefixes.set(name.slice(6), canonicalPrefix(value, name.slice(6)));
      } else if (name === "xmlns") prefixes.set("", canonicalPrefix(value, ""));
    }
    // An object without a prototype takes more memory than the rest of an element. Most elements
    // have no attributes, so they share one.
    const attributes: Record<string, string> = attributeEntries.length === 0
      ? NO_ATTRIBUTES
      : Object.create(null);
    for (const [name, value] of attributeEntries) {
      attributes[normalizeName(name, prefixes, false)] = value;
    }
    const element: XmlElement = {
      name: normalizeName(tag.name, prefixes, true),
      attributes,
      children: [],
    };
    open.at(-1)?.push(element);
    open.push(element.children as XmlNode[]);
  });
  parser.on("closetag", () => void open.pop());
  const addText = (data: string) => {
    if (open.length > 1) open.at(-1)?.push(data);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).close();
  const rootElement = root.find((node) => typeof node !== "string");
  if (rootElement === undefined || typeof rootElement === "string") {
    throw corrupt("The file contains XML without a root element");
  }
  return rootElement;
}

function canonicalPrefix(namespace: string, fallback: string): string {
  for (const [pattern, prefix] of NAMESPACE_PREFIXES) {
    const match = pattern.exec(namespace);
    if (match !== null) return prefix.replace("$1", match[1] ?? "");
  }
  return fallback;
}

function normalizeName(name: string, prefixes: Map<string, string>, isElement: boolean): string {
  const colon = name.indexOf(":");
  if (colon < 0) {
    const prefix = isElement ? prefixes.get("") ?? "" : "";
    return prefix === "" ? name : `${prefix}:${name}`;
  }
  const prefix = prefixes.get(name.slice(0, colon)) ?? name.slice(0, colon);
  return prefix === "" ? name.slice(colon + 1) : prefix + name.slice(colon);
}

function tooComplex(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `The file contains XML with more than ${MAX_XML_ELEMENTS} elements or ${MAX_NESTING_DEPTH} levels`,
  );
}

/** Returns the child elements, or only those named `name`. */
export function elements(parent: XmlElement | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const node of parent?.children ?? []) {
    if (typeof node !== "string" && (name === undefined || node.name === name)) found.push(node);
  }
  return found;
}

/** Returns the first element at a path of names, or undefined if there is none. */
export function child(parent: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let current = parent;
  for (const name of path) current = current === undefined ? undefined : elements(current, name)[0];
  return current;
}

/** Returns all descendants named `name`, in document order. */
export function descendants(parent: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (element: XmlElement) => {
    for (const node of element.children) {
      if (typeof node === "string") continue;
      if (node.name === name) found.push(node);
      visit(node);
    }
  };
  if (parent !== undefined) visit(parent);
  return found;
}

/** Returns the text of an element and its descendants. */
export function textContent(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map((node) => typeof node === "string" ? node : textContent(node)).join(
    "",
  );
}
