/** Charts and text boxes of an XLSX, by the sheet they lie on. */
import type { Block } from "../model.ts";
import { child, descendants, elements, textOf } from "../xml.ts";
import type { ZipArchive } from "../zip.ts";
import { chartBlocks } from "./chart.ts";
import { mainPart, relatedPart, relationships, usefulAlt, xmlPart } from "./ooxml.ts";

/** Blocks of the drawings of each sheet, by the name of the sheet. */
export function sheetDrawings(zip: ZipArchive): Map<string, Block[]> {
  const found = new Map<string, Block[]>();
  const book = mainPart(zip, "xl/workbook.xml");
  const relations = relationships(zip, book);
  for (const sheet of elements(child(xmlPart(zip, book), "sheets"), "sheet")) {
    const part = relations.get(sheet.attributes["r:id"] ?? "")?.target;
    const drawing = part === undefined
      ? undefined
      : relatedPart(relationships(zip, part), "drawing");
    if (drawing !== undefined) {
      found.set(sheet.attributes["name"] ?? "", drawingBlocks(zip, drawing));
    }
  }
  return found;
}

function drawingBlocks(zip: ZipArchive, part: string): Block[] {
  const relations = relationships(zip, part);
  return elements(xmlPart(zip, part)).flatMap((anchor): Block[] => [
    ...descendants(anchor, "c:chart").flatMap((chart) =>
      chartBlocks(xmlPart(zip, relations.get(chart.attributes["r:id"] ?? "")?.target ?? ""))
    ),
    ...descendants(anchor, "xdr:txBody").flatMap((body) =>
      elements(body, "a:p").flatMap((one): Block[] => {
        const text = descendants(one, "a:t").map(textOf).join("");
        return text.trim() === "" ? [] : [{ kind: "paragraph", spans: [{ text }] }];
      })
    ),
    ...descendants(anchor, "xdr:pic").map((picture): Block => ({
      kind: "image",
      alt: usefulAlt(descendants(picture, "xdr:cNvPr")[0]?.attributes["descr"]),
    })),
  ]);
}
