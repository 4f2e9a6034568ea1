/** Reads the charts and text boxes in an XLSX file, sheet by sheet. */
import type { Budget } from "../../budget.ts";
import type { Block } from "../../model.ts";
import { child, descendants, elements, textContent, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { chartBlocks } from "../chart/chart.ts";
import { chartExBlocks } from "../chart/chart_ex.ts";
import { diagramItems } from "../office/diagram.ts";
import {
  mainPart,
  meaningfulAltText,
  relatedPart,
  relationships,
  xmlPart,
} from "../office/ooxml.ts";
import { countTableCells, type SheetDrawing } from "../office/sheet.ts";

/** Returns each sheet's drawings, keyed by sheet name. Chart cells count towards `budget`. */
export function xlsxDrawings(zip: ZipArchive, budget: Budget): Map<string, SheetDrawing[]> {
  const drawingsBySheet = new Map<string, SheetDrawing[]>();
  const book = mainPart(zip, "xl/workbook.xml");
  const relations = relationships(zip, book);
  for (const sheet of elements(child(xmlPart(zip, book), "sheets"), "sheet")) {
    const part = relations.get(sheet.attributes["r:id"] ?? "")?.target;
    const drawing = part === undefined
      ? undefined
      : relatedPart(relationships(zip, part), "drawing");
    if (drawing !== undefined) {
      drawingsBySheet.set(sheet.attributes["name"] ?? "", drawingsOf(zip, drawing, budget));
    }
  }
  return drawingsBySheet;
}

function drawingsOf(zip: ZipArchive, part: string, budget: Budget): SheetDrawing[] {
  const relations = relationships(zip, part);
  const related = (element: XmlElement, id: string) =>
    xmlPart(zip, relations.get(element.attributes[id] ?? "")?.target ?? "");
  return elements(xmlPart(zip, part)).map((anchor) => {
    const newerCharts = descendants(anchor, "cx:chart");
    const charts = [
      ...descendants(anchor, "c:chart").flatMap((chart) => chartBlocks(related(chart, "r:id"))),
      ...newerCharts.flatMap((chart) => chartExBlocks(related(chart, "r:id"))),
    ];
    budget.addElements(countTableCells(charts));
    return {
      ...anchorCell(anchor),
      blocks: [
        ...charts,
        ...descendants(anchor, "dgm:relIds").flatMap((ids) => diagramItems(related(ids, "r:dm"))),
        // Newer charts come with a fallback text for programs that can't draw them.
        ...newerCharts.length > 0 ? [] : textsOf(anchor),
        ...descendants(anchor, "xdr:pic").map((picture): Block => ({
          kind: "image",
          alt: meaningfulAltText(descendants(picture, "xdr:cNvPr")[0]?.attributes["descr"]),
        })),
      ],
    };
  });
}

function textsOf(anchor: XmlElement): Block[] {
  return descendants(anchor, "xdr:txBody").flatMap((body) =>
    elements(body, "a:p").flatMap((line): Block[] => {
      const text = descendants(line, "a:t").map(textContent).join("");
      return text.trim() === "" ? [] : [{ kind: "paragraph", spans: [{ text }] }];
    })
  );
}

/** Returns a drawing's first cell. Drawings without one go after all cells. */
function anchorCell(anchor: XmlElement): { row: number; column: number } {
  const from = child(anchor, "xdr:from");
  const index = (name: string) => {
    const value = Number.parseInt(textContent(child(from, name)), 10);
    return Number.isInteger(value) ? value : Number.MAX_SAFE_INTEGER;
  };
  return { row: index("xdr:row"), column: index("xdr:col") };
}
