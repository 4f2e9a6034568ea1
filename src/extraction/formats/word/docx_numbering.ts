/** Reads a DOCX file's numbering part as list definitions. */
import { child, elements, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import type { ListDefinitions, ListLevel } from "../office/list_numbering.ts";
import { xmlPart } from "../office/ooxml.ts";

/** Reads the numbering part. Returns empty definitions if there isn't one. */
export function readNumbering(zip: ZipArchive, part: string | undefined): ListDefinitions {
  const root = part === undefined ? undefined : xmlPart(zip, part);
  const levels = new Map<string, Map<number, ListLevel>>();
  const definitionOf = new Map<string, string>();
  const restarts = new Map<string, Map<number, number>>();
  for (const element of elements(root, "w:abstractNum")) {
    const ownLevels = new Map<number, ListLevel>();
    for (const level of elements(element, "w:lvl")) {
      ownLevels.set(levelIndex(level), readLevel(level));
    }
    levels.set(element.attributes["w:abstractNumId"] ?? "", ownLevels);
  }
  for (const element of elements(root, "w:num")) {
    const id = element.attributes["w:numId"] ?? "";
    definitionOf.set(id, child(element, "w:abstractNumId")?.attributes["w:val"] ?? "");
    const starts = new Map<number, number>();
    for (const override of elements(element, "w:lvlOverride")) {
      const start = child(override, "w:startOverride")?.attributes["w:val"];
      if (start !== undefined) starts.set(levelIndex(override), Number.parseInt(start, 10) || 0);
    }
    restarts.set(id, starts);
  }
  return { levels, definitionOf, restarts };
}

function levelIndex(element: XmlElement): number {
  return Number.parseInt(element.attributes["w:ilvl"] ?? "0", 10) || 0;
}

function readLevel(element: XmlElement): ListLevel {
  const start = Number.parseInt(child(element, "w:start")?.attributes["w:val"] ?? "1", 10);
  return {
    format: child(element, "w:numFmt")?.attributes["w:val"] ?? "decimal",
    text: child(element, "w:lvlText")?.attributes["w:val"] ?? "",
    start: Number.isNaN(start) ? 1 : start,
  };
}
