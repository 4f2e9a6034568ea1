/** Reads the charts and text boxes in an XLS file, sheet by sheet. SheetJS only reads cells. */
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
/** The part of an object that contains a formula, followed by the object's storage id. */
const OBJECT_FORMULA = 0x0009;
const CONTINUATION = 0x003c;
const ANCHOR = 0xf010;
/** Object type of comments, which are read along with the cells. */
const COMMENT = 0x19;
/** Maximum number of drawings to read per file, and of cells to look up for charts. */
const MAX_DRAWINGS = 1_000;
const MAX_CHART_CELLS = 1_000_000;
const SIGNATURE = 0xe011cfd0;

/** Returns a cell's text as displayed. */
export type SheetCellLookup = (sheet: string, row: number, column: number) => string;

/** Returns each sheet's drawings, keyed by sheet name. Chart cells count towards `budget`. */
export function xlsDrawings(
  bytes: Uint8Array,
  cellText: SheetCellLookup,
  budget: Budget,
): Map<string, SheetDrawing[]> {
  const drawingsBySheet = new Map<string, SheetDrawing[]>();
  if (new BinaryReader(bytes).u32(0) !== SIGNATURE) return drawingsBySheet;
  const container = new OleFile(bytes);
  const stream = container.stream("Workbook");
  if (stream === undefined) return drawingsBySheet;
  const objects = new Map<string, Block[]>();
  const reader = new BinaryReader(stream);
  const sheetByOffset = new Map<number, string>();
  /** Sheet index of each reference. */
  let references: number[] = [];
  const drawings: { sheet: string; at: CellPosition; chart?: BiffChart; texts?: Block[] }[] = [];
  let [sheet, depth, position, objectType, textSize] = [
    "",
    0,
    { row: 0, column: 0 } as CellPosition,
    0,
    0,
  ];
  let openChart: { chart: BiffChart; depth: number } | undefined;
  for (const record of biffRecords(reader)) {
    const { type, start, end } = record;
    if (drawings.length > MAX_DRAWINGS) break;
    if (type === BOF) {
      depth++;
      const name = sheetByOffset.get(start - 4);
      if (name !== undefined) [sheet, depth] = [name, 1];
      if (reader.u16(start + 2) === CHART_SUBSTREAM) {
        openChart = { chart: new BiffChart(reader), depth };
        // A chart sheet isn't anchored to a cell.
        drawings.push({
          sheet,
          at: depth === 1 ? { row: 0, column: 0 } : position,
          chart: openChart.chart,
        });
      }
    } else if (type === EOF) {
      if (openChart?.depth === depth) openChart = undefined;
      depth--;
    } else if (openChart !== undefined) openChart.chart.add(record);
    else if (type === SHEET) sheetByOffset.set(reader.u32(start), sheetName(reader, start));
    else if (type === SHEET_REFERENCES) references = sheetReferences(reader, record);
    else if (type === DRAWING) position = anchorCell(reader, record) ?? position;
    else if (type === OBJECT) {
      objectType = reader.u16(start + 4);
      const name = objectStorageName(reader, record);
      if (name === undefined) continue;
      const blocks = objects.get(name) ?? embeddedBlocks(container, name);
      objects.set(name, blocks);
      drawings.push({ sheet, at: position, texts: blocks });
    } else if (type === TEXT) textSize = reader.u16(start + 10);
    else if (type === CONTINUATION && textSize > 0) {
      if (objectType !== COMMENT) {
        const text = biffText(reader, start, Math.min(textSize, end - start - 1));
        drawings.push({ sheet, at: position, texts: textParagraphs(text) });
      }
      textSize = 0;
    }
  }
  const sheetNames = [...sheetByOffset.values()];
  let remainingCells = MAX_CHART_CELLS;
  for (const { sheet, at, chart, texts = [] } of drawings) {
    const blocks = chart?.blocks((reference, row, column) => {
      const name = sheetNames[references[reference] ?? -1];
      return name === undefined || remainingCells-- <= 0 ? "" : cellText(name, row, column);
    }) ?? texts;
    budget.addElements(countTableCells(blocks));
    drawingsBySheet.set(sheet, [...drawingsBySheet.get(sheet) ?? [], { ...at, blocks }]);
  }
  return drawingsBySheet;
}

function embeddedBlocks(container: OleFile, name: string): Block[] {
  const stream = container.stream(`/${name}/Workbook`);
  return stream === undefined ? [] : embeddedChart(stream);
}

/**
 * Returns the name of the storage with an object's streams, or `undefined` if it doesn't have one.
 */
function objectStorageName(reader: BinaryReader, { start, end }: BiffRecord): string | undefined {
  for (let at = start; at + 4 <= end; at += 4 + reader.u16(at + 2)) {
    if (reader.u16(at) !== OBJECT_FORMULA) continue;
    const id = reader.u32(at + 6 + reader.u16(at + 4));
    return `MBD${id.toString(16).toUpperCase().padStart(8, "0")}`;
  }
  return undefined;
}

/**
 * Returns the chart embedded in a document by Microsoft Graph or Excel, read from its workbook
 * stream.
 */
export function embeddedChart(stream: Uint8Array): Block[] {
  const reader = new BinaryReader(stream);
  let chart: BiffChart | undefined;
  for (const record of biffRecords(reader)) {
    if (record.type === BOF && chart === undefined) {
      const substreamType = reader.u16(record.start + 2);
      if (substreamType === GRAPH_SUBSTREAM || substreamType === CHART_SUBSTREAM) {
        chart = new BiffChart(reader);
      }
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

/** Returns the first cell of a record's last shape. */
function anchorCell(reader: BinaryReader, { start, end }: BiffRecord): CellPosition | undefined {
  const drawing = { type: DRAWING, instance: 0, isContainer: true, start, end };
  const anchor = recordsIn(reader, drawing, ANCHOR).at(-1);
  if (anchor === undefined) return undefined;
  return { column: reader.u16(anchor.start + 2), row: reader.u16(anchor.start + 6) };
}

function textParagraphs(text: string): Block[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== "").map(paragraph);
}
