/** Plain text, Markdown and data formats, which pass unchanged; data goes into a code block. */
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import type { ExtractedDocument } from "../../model.ts";
import { parseXml } from "../../xml.ts";

/** Text that is read as it stands. */
export function readPlainText(text: string): ExtractedDocument {
  return { blocks: text.trim() === "" ? [] : [{ kind: "markdown", text }] };
}

/** JSON (also one value a line), checked. */
export function readJson(text: string, budget: Budget): ExtractedDocument {
  if (text.trim() === "") return { blocks: [] };
  budget.addText(text);
  const isValid = isJson(text) ||
    text.split("\n").every((line) => line.trim() === "" || isJson(line));
  if (!isValid) throw corrupt("The file is no valid JSON");
  return { blocks: [{ kind: "code", language: "json", text }] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** XML, checked to be well-formed; a document type is passed over, never followed. */
export function readXml(text: string, budget: Budget): ExtractedDocument {
  if (text.trim() === "") return { blocks: [] };
  budget.addText(text);
  parseXml(text, { doctype: "skip" });
  return { blocks: [{ kind: "code", language: "xml", text }] };
}

/** YAML, which is not parsed: nothing in it needs to be. */
export function readYaml(text: string): ExtractedDocument {
  return { blocks: text.trim() === "" ? [] : [{ kind: "code", language: "yaml", text }] };
}
