/** Charts and text boxes of an XLS, by the sheet they lie on; SheetJS reads cells alone. */
import type { Budget } from "../../budget.ts";
import type { Block } from "../../model.ts";
import { paragraph } from "../../model.ts";
import {
  type BiffRecord,
  biffRecords,
  biffText,
  BOF,
  CHART_SUBSTREAM,
  EOF,
  GRAPH_SUBSTREAM,
} from "./biff.ts";
import { BiffChart } from "../chart/biff_chart.ts";
import { BinaryReader, OleFile } from "../office/ole.ts";
import { recordsIn } from "../office/records.ts";
import { countTableCells, type SheetDrawing } from "../office/sheet.ts";

const SHEET = 0x0085;
const SHEET_REFERENCES = 0x0017;
const DRAWING = 0x00ec;
const OBJECT = 0x005d;
const TEXT = 0x01b6;
/** Part of an object: a formula, and behind it where its own streams are. */
const OBJECT_FORMULA = 0x0009;
const CONTINUATION = 0x003c;
const ANCHOR = 0xf010;
/** The object of a comment: comments are read with the cells. */
const COMMENT = 0x19;
/** Charts and texts read of one file, and cells looked up for them. */
const MAX_DRAWINGS = 1_000;
const MAX_CHART_CELLS = 1_000_000;
const SIGNATURE = 0xe011cfd0;

/** The text that a sheet shows in a cell. */
export type SheetCellLookup = (sheet: string, row: number, column: number) => string;

/** The drawings of each sheet, by the name of the sheet; `budget` counts the cells of charts. */
export function xlsDrawings(
  bytes: Uint8Array,
  cellText: SheetCellLookup,
  budget: Budget,
): Map<string, SheetDrawing[]> {
  const found = new Map<string, SheetDrawing[]>();
  if (new BinaryReader(bytes).u32(0) !== SIGNATURE) return found;
  const container = new OleFile(bytes);
  const stream = container.stream("/Workbook") ?? container.stream("Workbook");
  if (stream === undefined) return found;
  const objects = new Map<string, Block[]>();
  const reader = new BinaryReader(stream);
  const names = new Map<number, string>();
  /** For each reference to a sheet, which of the sheets it is. */
  let references: number[] = [];
  const drawings: { sheet: string; at: CellPosition; chart?: BiffChart; texts?: Block[] }[] = [];
  let [sheet, depth, place, kind, textSize] = ["", 0, { row: 0, column: 0 } as CellPosition, 0, 0];
  let open: { chart: BiffChart; depth: number } | undefined;
  for (const record of biffRecords(reader)) {
    const { type, start, end } = record;
    if (drawings.length > MAX_DRAWINGS) break;
    if (type === BOF) {
      depth++;
      const name = names.get(start - 4);
      if (name !== undefined) [sheet, depth] = [name, 1];
      if (reader.u16(start + 2) === CHART_SUBSTREAM) {
        open = { chart: new BiffChart(reader), depth };
        // A sheet that is a chart lies nowhere on it.
        drawings.push({
          sheet,
          at: depth === 1 ? { row: 0, column: 0 } : place,
          chart: open.chart,
        });
      }
    } else if (type === EOF) {
      if (open?.depth === depth) open = undefined;
      depth--;
    } else if (open !== undefined) open.chart.add(record);
    else if (type === SHEET) names.set(reader.u32(start), sheetName(reader, start));
    else if (type === SHEET_REFERENCES) references = sheetReferences(reader, record);
    else if (type === DRAWING) place = anchorCell(reader, record) ?? place;
    else if (type === OBJECT) {
      kind = reader.u16(start + 4);
      const name = objectStorageName(reader, record);
      if (name === undefined) continue;
      const blocks = objects.get(name) ?? embeddedBlocks(container, name);
      objects.set(name, blocks);
      drawings.push({ sheet, at: place, texts: blocks });
    } else if (type === TEXT) textSize = reader.u16(start + 10);
    else if (type === CONTINUATION && textSize > 0) {
      if (kind !== COMMENT) {
        const shown = biffText(reader, start, Math.min(textSize, end - start - 1));
        drawings.push({ sheet, at: place, texts: textParagraphs(shown) });
      }
      textSize = 0;
    }
  }
  const ordered = [...names.values()];
  let room = MAX_CHART_CELLS;
  for (const { sheet, at, chart, texts = [] } of drawings) {
    const blocks = chart?.blocks((reference, row, column) => {
      const name = ordered[references[reference] ?? -1];
      return name === undefined || room-- <= 0 ? "" : cellText(name, row, column);
    }) ?? texts;
    budget.addElements(countTableCells(blocks));
    found.set(sheet, [...found.get(sheet) ?? [], { ...at, blocks }]);
  }
  return found;
}

function embeddedBlocks(container: OleFile, name: string): Block[] {
  const stream = container.stream(`/${name}/Workbook`);
  return stream === undefined ? [] : embeddedChart(stream);
}

/** The folder of the file that an object keeps its own streams in. */
function objectStorageName(reader: BinaryReader, { start, end }: BiffRecord): string | undefined {
  for (let at = start; at + 4 <= end; at += 4 + reader.u16(at + 2)) {
    if (reader.u16(at) !== OBJECT_FORMULA) continue;
    const id = reader.u32(at + 6 + reader.u16(at + 4));
    return `MBD${id.toString(16).toUpperCase().padStart(8, "0")}`;
  }
  return undefined;
}

/** The chart that Microsoft Graph, or Excel, embeds in a document, from its workbook stream. */
export function embeddedChart(stream: Uint8Array): Block[] {
  const reader = new BinaryReader(stream);
  let chart: BiffChart | undefined;
  for (const record of biffRecords(reader)) {
    if (record.type === BOF && chart === undefined) {
      const begun = reader.u16(record.start + 2);
      if (begun === GRAPH_SUBSTREAM || begun === CHART_SUBSTREAM) chart = new BiffChart(reader);
    } else if (record.type === EOF && chart !== undefined) break;
    else chart?.add(record);
  }
  return chart?.blocks(() => "") ?? [];
}

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

function sheetName(reader: BinaryReader, start: number): string {
  return biffText(reader, start + 7, reader.u8(start + 6));
}

function sheetReferences(reader: BinaryReader, { start, end }: BiffRecord): number[] {
  const count = Math.min(reader.u16(start), Math.floor((end - start - 2) / 6));
  return Array.from({ length: count }, (_, index) => reader.i16(start + 2 + index * 6 + 2));
}

/** The cell that the last shape of a record begins at. */
function anchorCell(reader: BinaryReader, { start, end }: BiffRecord): CellPosition | undefined {
  const whole = { type: DRAWING, instance: 0, isContainer: true, start, end };
  const anchor = recordsIn(reader, whole, ANCHOR).at(-1);
  if (anchor === undefined) return undefined;
  return { column: reader.u16(anchor.start + 2), row: reader.u16(anchor.start + 6) };
}

function textParagraphs(text: string): Block[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== "").map(paragraph);
}
