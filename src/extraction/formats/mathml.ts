/** MathML, as formulas are written in OpenDocument files, web pages and books, as LaTeX. */
import { elements, textOf, type XmlElement } from "../xml.ts";
import { ACCENTS, functionName, symbols } from "./latex.ts";

/** Signs over a base that are accents of it: those that stand alone, by their combining ones. */
const STANDING: Readonly<Record<string, string>> = {
  "^": "\u0302",
  "ˆ": "\u0302",
  "~": "\u0303",
  "˜": "\u0303",
  "¯": "\u0304",
  "‾": "\u0305",
  "˙": "\u0307",
  "¨": "\u0308",
  "→": "\u20d7",
};
const BRACES: Readonly<Record<string, string>> = { "⏞": "\\overbrace", "⏟": "\\underbrace" };
/** Operators and functions that have limits under and over them. */
const LIMITED =
  /^(?:\\(?:sum|prod|coprod|o?i*int|big\w+|lim|max|min|sup|inf|det|gcd|operatorname|(?:under|over)brace)\b)/;

/** LaTeX of a `math` element, whatever prefix its names have. */
export function latexOfMathml(math: XmlElement): string {
  return row(math).replace(/ {2,}/g, " ").trim();
}

function row(parent: XmlElement): string {
  return elements(parent).map(construct).join("");
}

function construct(node: XmlElement): string {
  const children = elements(node);
  const part = (index: number) => {
    const child = children[index];
    return child === undefined ? "" : construct(child).trim();
  };
  const name = node.name.replace(/^.*:/, "");
  switch (name) {
    case "mi":
      return identifier(text(node));
    case "mn":
      return escaped(text(node));
    case "mo":
      return operator(text(node));
    case "mtext":
    case "ms":
      return textOf(node).trim() === "" ? " " : `\\text{${textOf(node).replace(/[{}\\]/g, "")}}`;
    case "mfrac":
      return /^0(?:\D|$)/.test(node.attributes["linethickness"] ?? "")
        ? `\\genfrac{}{}{0pt}{}{${part(0)}}{${part(1)}}`
        : `\\frac{${part(0)}}{${part(1)}}`;
    case "msqrt":
      return `\\sqrt{${row(node).trim()}}`;
    case "mroot":
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case "msup":
      return `${base(part(0))}^{${part(1)}}`;
    case "msub":
      return `${base(part(0))}_{${part(1)}}`;
    case "msubsup":
      return `${base(part(0))}_{${part(1)}}^{${part(2)}}`;
    case "munder":
      return under(part(0), part(1));
    case "mover":
      return over(part(0), part(1));
    case "munderover": {
      // Read once: formulas nest, and twice at each level never ends.
      const [content, low, high] = [part(0), part(1), part(2)];
      return LIMITED.test(content)
        ? `${content}_{${low}}^{${high}}`
        : over(under(content, low), high);
    }
    case "mtable":
      return `\\begin{matrix}${
        children.map((one) => elements(one).map((cell) => row(cell).trim()).join(" & "))
          .join(" \\\\ ")
      }\\end{matrix}`;
    case "mfenced":
      return fenced(node, children.map((_, index) => part(index)));
    case "semantics":
      return part(0);
    case "annotation":
    case "annotation-xml":
    case "mphantom":
    case "mspace":
      return "";
    default:
      return children.length === 0 ? escaped(text(node)) : row(node);
  }
}

function text(node: XmlElement): string {
  // The signs of what nobody writes: a product, a function applied, a comma left out.
  return textOf(node).replace(/[\u2061-\u2064\s]+/g, "");
}

function identifier(name: string): string {
  return /^[A-Za-z]{2,}$/.test(name) ? `${functionName(name)} ` : escaped(name);
}

function operator(sign: string): string {
  return /^[A-Za-z]{2,}$/.test(sign) ? identifier(sign) : escaped(sign);
}

function escaped(signs: string): string {
  return symbols(signs.replace(/[{}%#&$_]/g, "\\$&"));
}

function base(content: string): string {
  return [...content].length > 1 && !/^\\[A-Za-z]+$/.test(content) ? `{${content}}` : content;
}

function under(content: string, sign: string): string {
  if (BRACES[sign] !== undefined) return `${BRACES[sign]}{${content}}`;
  return LIMITED.test(content) ? `${content}_{${sign}}` : `\\underset{${sign}}{${content}}`;
}

function over(content: string, sign: string): string {
  if (BRACES[sign] !== undefined) return `${BRACES[sign]}{${content}}`;
  const accent = ACCENTS[STANDING[sign.replace("\\to", "→")] ?? sign];
  if (accent !== undefined) return `${accent}{${content}}`;
  return LIMITED.test(content) ? `${content}^{${sign}}` : `\\overset{${sign}}{${content}}`;
}

function fenced({ attributes }: XmlElement, parts: readonly string[]): string {
  const { open = "(", close = ")", separators = "," } = attributes;
  const sign = (one: string) => one === "" ? "." : escaped(one);
  return `\\left${sign(open)}${parts.join(separators.trim().slice(0, 1))}\\right${sign(close)}`;
}
