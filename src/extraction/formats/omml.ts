/** Office equations (OMML) as LaTeX, for the constructs that Word's equation editor offers. */
import { child, elements, textOf, type XmlElement } from "../xml.ts";

const SYMBOLS: Readonly<Record<string, string>> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∬": "\\iint",
  "∮": "\\oint",
  "∪": "\\cup",
  "∩": "\\cap",
  "∞": "\\infty",
  "±": "\\pm",
  "∓": "\\mp",
  "×": "\\times",
  "÷": "\\div",
  "⋅": "\\cdot",
  "≤": "\\leq",
  "≥": "\\geq",
  "≠": "\\neq",
  "≈": "\\approx",
  "→": "\\to",
  "⇒": "\\Rightarrow",
  "∈": "\\in",
  "∂": "\\partial",
  "∇": "\\nabla",
  "α": "\\alpha",
  "β": "\\beta",
  "γ": "\\gamma",
  "δ": "\\delta",
  "ε": "\\epsilon",
  "θ": "\\theta",
  "λ": "\\lambda",
  "μ": "\\mu",
  "π": "\\pi",
  "ρ": "\\rho",
  "σ": "\\sigma",
  "τ": "\\tau",
  "φ": "\\phi",
  "ω": "\\omega",
  "Δ": "\\Delta",
  "Σ": "\\Sigma",
  "Ω": "\\Omega",
  "–": "-",
  "−": "-",
};

const ACCENTS: Readonly<Record<string, string>> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u20d7": "\\vec",
};

/** LaTeX of an `m:oMath` element. */
export function latexOf(math: XmlElement): string {
  return sequence(math).replace(/ {2,}/g, " ").trim();
}

function sequence(parent: XmlElement | undefined): string {
  return elements(parent).map(construct).join("");
}

function construct(node: XmlElement): string {
  const part = (name: string) => sequence(child(node, name));
  const property = (group: string, name: string) => child(node, group, name)?.attributes["m:val"];
  switch (node.name) {
    case "m:r":
      return symbols(elements(node, "m:t").map(textOf).join(""));
    case "m:f":
      return property("m:fPr", "m:type") === "noBar"
        ? `\\genfrac{}{}{0pt}{}{${part("m:num")}}{${part("m:den")}}`
        : `\\frac{${part("m:num")}}{${part("m:den")}}`;
    case "m:sSup":
      return `${base(part("m:e"))}^{${part("m:sup")}}`;
    case "m:sSub":
      return `${base(part("m:e"))}_{${part("m:sub")}}`;
    case "m:sSubSup":
      return `${base(part("m:e"))}_{${part("m:sub")}}^{${part("m:sup")}}`;
    case "m:sPre":
      return `{}_{${part("m:sub")}}^{${part("m:sup")}}${part("m:e")}`;
    case "m:rad": {
      const degree = part("m:deg");
      return degree === "" ? `\\sqrt{${part("m:e")}}` : `\\sqrt[${degree}]{${part("m:e")}}`;
    }
    case "m:nary": {
      const sign = symbols(property("m:naryPr", "m:chr") ?? "∫").trim();
      const [sub, sup] = [part("m:sub"), part("m:sup")];
      return sign + (sub === "" ? "" : `_{${sub}}`) + (sup === "" ? "" : `^{${sup}}`) +
        braces(part("m:e"));
    }
    case "m:d":
      return delimited(node);
    case "m:func":
      return functionName(part("m:fName")) + braces(part("m:e"));
    case "m:limLow":
      return `${part("m:e")}_{${part("m:lim")}}`;
    case "m:limUpp":
      return `${part("m:e")}^{${part("m:lim")}}`;
    case "m:bar":
      return property("m:barPr", "m:pos") === "bot"
        ? `\\underline{${part("m:e")}}`
        : `\\overline{${part("m:e")}}`;
    case "m:acc":
      return `${ACCENTS[property("m:accPr", "m:chr") ?? "\u0302"] ?? "\\hat"}{${part("m:e")}}`;
    case "m:m":
      return `\\begin{matrix}${
        elements(node, "m:mr").map((row) => elements(row, "m:e").map(sequence).join(" & "))
          .join(" \\\\ ")
      }\\end{matrix}`;
    case "m:eqArr":
      return `\\begin{aligned}${elements(node, "m:e").map(sequence).join(" \\\\ ")}\\end{aligned}`;
    default:
      return node.name.endsWith("Pr") ? "" : sequence(node);
  }
}

function delimited(node: XmlElement): string {
  const sign = (name: string, usual: string) =>
    child(node, "m:dPr", name)?.attributes["m:val"] ?? usual;
  const escape = (char: string) => char === "" ? "." : /[{}]/.test(char) ? `\\${char}` : char;
  const separator = sign("m:sepChr", "|");
  return `\\left${escape(sign("m:begChr", "("))}${
    elements(node, "m:e").map(sequence).join(separator)
  }\\right${escape(sign("m:endChr", ")"))}`;
}

function base(text: string): string {
  return [...text].length > 1 && !/^\\[a-z]+$|^\\left/i.test(text.trim()) ? `{${text}}` : text;
}

function braces(text: string): string {
  return text === "" ? "" : `{${text}}`;
}

function functionName(name: string): string {
  return /^(?:sin|cos|tan|cot|sec|csc|log|ln|lim|exp|max|min|det|sinh|cosh|tanh|arg)\b/.test(name)
    ? `\\${name}`
    : name;
}

function symbols(text: string): string {
  return text.replace(/\P{ASCII}/gu, (char) => {
    const command = SYMBOLS[char];
    return command === undefined ? char : command.startsWith("\\") ? `${command} ` : command;
  });
}
