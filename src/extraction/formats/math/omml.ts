/**
 * Converts Office equations (OMML) to LaTeX. Covers the constructs available in Word's equation
 * editor.
 */
import { child, elements, textContent, type XmlElement } from "../../xml.ts";
import { ACCENTS, functionCommand, replaceSymbols } from "./latex.ts";

/** Returns the LaTeX for an `m:oMath` element. */
export function ommlToLatex(math: XmlElement): string {
  return convertChildren(math).replace(/ {2,}/g, " ").trim();
}

function convertChildren(parent: XmlElement | undefined): string {
  return elements(parent).map(convertNode).join("");
}

function convertNode(node: XmlElement): string {
  const part = (name: string) => convertChildren(child(node, name));
  const property = (group: string, name: string) => child(node, group, name)?.attributes["m:val"];
  switch (node.name) {
    case "m:r":
      return runText(node);
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
      const sign = replaceSymbols(property("m:naryPr", "m:chr") ?? "∫").trim();
      const [sub, sup] = [part("m:sub"), part("m:sup")];
      return sign + (sub === "" ? "" : `_{${sub}}`) + (sup === "" ? "" : `^{${sup}}`) +
        braces(part("m:e"));
    }
    case "m:d":
      return delimited(node);
    case "m:func":
      return functionCommand(part("m:fName")) + braces(part("m:e"));
    case "m:limLow":
      return `${functionCommand(part("m:e"))}_{${part("m:lim")}}`;
    case "m:limUpp":
      return `${functionCommand(part("m:e"))}^{${part("m:lim")}}`;
    case "m:bar":
      return property("m:barPr", "m:pos") === "bot"
        ? `\\underline{${part("m:e")}}`
        : `\\overline{${part("m:e")}}`;
    case "m:acc":
      return `${ACCENTS[property("m:accPr", "m:chr") ?? "\u0302"] ?? "\\hat"}{${part("m:e")}}`;
    case "m:groupChr":
      return grouped(
        part("m:e"),
        property("m:groupChrPr", "m:chr"),
        property("m:groupChrPr", "m:pos"),
      );
    case "m:borderBox":
      return `\\boxed{${part("m:e")}}`;
    case "m:m":
      return `\\begin{matrix}${
        elements(node, "m:mr").map((row) => elements(row, "m:e").map(convertChildren).join(" & "))
          .join(" \\\\ ")
      }\\end{matrix}`;
    case "m:eqArr":
      return aligned(elements(node, "m:e").map(convertChildren));
    default:
      return node.name.endsWith("Pr") ? "" : convertChildren(node);
  }
}

function runText(run: XmlElement): string {
  const text = elements(run, "m:t").map(textContent).join("");
  const upright = child(run, "m:rPr", "m:nor");
  const isUpright = upright !== undefined &&
    !/^(?:0|off|false)$/.test(upright.attributes["m:val"] ?? "");
  // Keep spaces between words, since LaTeX drops plain spaces in formulas.
  const spaced = text.replace(/(?<=[\p{L},;]) (?=\p{L})/gu, "\\ ");
  return isUpright ? `\\text{${text}}` : replaceSymbols(spaced);
}

function aligned(rows: readonly string[]): string {
  return rows.length === 1 ? rows[0] ?? "" : `\\begin{aligned}${rows.join(" \\\\ ")}\\end{aligned}`;
}

/** Returns content with a brace or another character above or below it. */
function grouped(content: string, sign = "\u23df", position = "bot"): string {
  if (sign === "\u23df") return `\\underbrace{${content}}`;
  if (sign === "\u23de") return `\\overbrace{${content}}`;
  const command = position === "top" ? "overset" : "underset";
  return `\\${command}{${replaceSymbols(sign).trim()}}{${content}}`;
}

function delimited(node: XmlElement): string {
  const character = (name: string, defaultValue: string) =>
    child(node, "m:dPr", name)?.attributes["m:val"] ?? defaultValue;
  const escape = (char: string) =>
    char === "" ? "." : /[{}]/.test(char) ? `\\${char}` : replaceSymbols(char);
  const separator = character("m:sepChr", "|");
  return `\\left${escape(character("m:begChr", "("))}${
    elements(node, "m:e").map(convertChildren).join(separator)
  }\\right${escape(character("m:endChr", ")"))}`;
}

function base(text: string): string {
  return [...text].length > 1 && !/^\\[a-z]+$|^\\left/i.test(text.trim()) ? `{${text}}` : text;
}

function braces(text: string): string {
  return text === "" ? "" : `{${text}}`;
}
