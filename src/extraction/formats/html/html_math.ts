/** Reads the formulas in HTML pages: TeX if it's included, otherwise MathML. */
import type { Span } from "../../model.ts";
import type { XmlElement, XmlNode } from "../../xml.ts";
import { mathmlToLatex } from "../math/mathml.ts";
import { attribute, collapseWhitespace, type Element, isElement, rawText } from "./html_tree.ts";

/** Returns the span of a `math` element, or nothing if it's empty. */
export function mathSpans(element: Element): Span[] {
  const tex = attribute(element, "alttext") ?? findTexAnnotation(element);
  if (tex !== undefined && tex.trim() !== "") {
    return [{ text: collapseWhitespace(tex).trim(), math: true }];
  }
  const latex = mathmlToLatex(toXmlElement(element));
  return latex === "" ? [] : [{ text: latex, math: true }];
}

function toXmlElement(element: Element): XmlElement {
  const children = element.childNodes.flatMap((node): XmlNode[] => {
    if (node.nodeName === "#text" && "value" in node) return [node.value];
    return isElement(node) ? [toXmlElement(node)] : [];
  });
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  return { name: element.tagName, attributes, children };
}

function findTexAnnotation(element: Element): string | undefined {
  for (const node of element.childNodes) {
    if (!isElement(node)) continue;
    if (node.tagName === "annotation" && /tex/i.test(attribute(node, "encoding") ?? "")) {
      return rawText(node);
    }
    const tex = findTexAnnotation(node);
    if (tex !== undefined) return tex;
  }
  return undefined;
}
