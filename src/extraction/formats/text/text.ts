/**
 * Reads plain text, Markdown and data formats. All pass through unchanged, except that data goes
 * into a code block.
 */
import type { Budget } from "../../budget.ts";
import { corrupt } from "../../error.ts";
import type { ExtractedDocument } from "../../model.ts";
import { parseXml } from "../../xml.ts";

/** Reads text as is. */
export function readPlainText(text: string): ExtractedDocument {
  return { blocks: text.trim() === "" ? [] : [{ kind: "markdown", text }] };
}

/** Reads JSON or JSON Lines. Throws DOCUMENT_CORRUPT if it isn't valid. */
export function readJson(text: string, budget: Budget): ExtractedDocument {
  if (text.trim() === "") return { blocks: [] };
  budget.addText(text);
  const isValid = isJson(text) ||
    text.split("\n").every((line) => line.trim() === "" || isJson(line));
  if (!isValid) throw corrupt("The file is not valid JSON");
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

/**
 * Reads XML. Throws DOCUMENT_CORRUPT if it isn't well-formed. Document type declarations are
 * skipped and never resolved.
 */
export function readXml(text: string, budget: Budget): ExtractedDocument {
  if (text.trim() === "") return { blocks: [] };
  budget.addText(text);
  parseXml(text, { doctype: "skip" });
  return { blocks: [{ kind: "code", language: "xml", text }] };
}

/** Reads YAML. Not parsed, since nothing here depends on its structure. */
export function readYaml(text: string): ExtractedDocument {
  return { blocks: text.trim() === "" ? [] : [{ kind: "code", language: "yaml", text }] };
}
