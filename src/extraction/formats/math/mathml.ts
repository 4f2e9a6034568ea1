/** Converts MathML to LaTeX. Used for formulas in OpenDocument files, web pages and EPUB books. */
import { elements, textContent, type XmlElement } from "../../xml.ts";
import { ACCENTS, functionCommand, replaceSymbols } from "./latex.ts";

/**
 * Spacing characters that act as an accent when placed over a base, with their combining
 * characters.
 */
const SPACING_ACCENTS: Readonly<Record<string, string>> = {
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
/** Operators and functions whose limits go above and below. */
const TAKES_LIMITS =
  /^(?:\\(?:sum|prod|coprod|o?i*int|big\w+|lim|max|min|sup|inf|det|gcd|operatorname|(?:under|over)brace)\b)/;

/** Returns the LaTeX for a `math` element. Ignores namespace prefixes. */
export function mathmlToLatex(math: XmlElement): string {
  return convertChildren(math).replace(/ {2,}/g, " ").trim();
}

function convertChildren(parent: XmlElement): string {
  return elements(parent).map(convertNode).join("");
}

function convertNode(node: XmlElement): string {
  const children = elements(node);
  const part = (index: number) => {
    const child = children[index];
    return child === undefined ? "" : convertNode(child).trim();
  };
  const name = node.name.replace(/^.*:/, "");
  switch (name) {
    case "mi":
      return identifier(nodeText(node));
    case "mn":
      return escapeLatex(nodeText(node));
    case "mo":
      return operator(nodeText(node));
    case "mtext":
    case "ms":
      return textContent(node).trim() === ""
        ? " "
        : `\\text{${textContent(node).replace(/[{}\\]/g, "")}}`;
    case "mfrac":
      return /^0(?:\D|$)/.test(node.attributes["linethickness"] ?? "")
        ? `\\genfrac{}{}{0pt}{}{${part(0)}}{${part(1)}}`
        : `\\frac{${part(0)}}{${part(1)}}`;
    case "msqrt":
      return `\\sqrt{${convertChildren(node).trim()}}`;
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
      // Convert each part only once. Formulas nest, so converting twice per level would take
      // exponential time.
      const [content, low, high] = [part(0), part(1), part(2)];
      return TAKES_LIMITS.test(content)
        ? `${content}_{${low}}^{${high}}`
        : over(under(content, low), high);
    }
    case "mtable":
      return `\\begin{matrix}${
        children.map((row) => elements(row).map((cell) => convertChildren(cell).trim()).join(" & "))
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
      return children.length === 0 ? escapeLatex(nodeText(node)) : convertChildren(node);
  }
}

function nodeText(node: XmlElement): string {
  // Removes invisible operators: function application, invisible times, separator and plus.
  return textContent(node).replace(/[\u2061-\u2064\s]+/g, "");
}

function identifier(name: string): string {
  return /^[A-Za-z]{2,}$/.test(name) ? `${functionCommand(name)} ` : escapeLatex(name);
}

function operator(sign: string): string {
  return /^[A-Za-z]{2,}$/.test(sign) ? identifier(sign) : escapeLatex(sign);
}

function escapeLatex(signs: string): string {
  return replaceSymbols(signs.replace(/[{}%#&$_]/g, "\\$&"));
}

function base(content: string): string {
  return [...content].length > 1 && !/^\\[A-Za-z]+$/.test(content) ? `{${content}}` : content;
}

function under(content: string, sign: string): string {
  if (BRACES[sign] !== undefined) return `${BRACES[sign]}{${content}}`;
  return TAKES_LIMITS.test(content) ? `${content}_{${sign}}` : `\\underset{${sign}}{${content}}`;
}

function over(content: string, sign: string): string {
  if (BRACES[sign] !== undefined) return `${BRACES[sign]}{${content}}`;
  const accent = ACCENTS[SPACING_ACCENTS[sign.replace("\\to", "→")] ?? sign];
  if (accent !== undefined) return `${accent}{${content}}`;
  return TAKES_LIMITS.test(content) ? `${content}^{${sign}}` : `\\overset{${sign}}{${content}}`;
}

function fenced({ attributes }: XmlElement, parts: readonly string[]): string {
  const { open = "(", close = ")", separators = "," } = attributes;
  const fence = (char: string) => char === "" ? "." : escapeLatex(char);
  return `\\left${fence(open)}${parts.join(separators.trim().slice(0, 1))}\\right${fence(close)}`;
}
