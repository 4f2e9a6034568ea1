/** Reads a chart from XLS or Microsoft Graph records: title, type and numbers. */
import { type Block, paragraph } from "../../model.ts";
import { biffNumber, type BiffRecord, biffText } from "../excel/biff.ts";
import {
  type ChartSeries,
  chartTable,
  chartTypeBlocks,
  MAX_CATEGORIES,
  MAX_SERIES,
} from "./chart.ts";
import type { BinaryReader } from "../office/ole.ts";

const SERIES = 0x1003;
const SERIES_TEXT = 0x100d;
const TEXT = 0x1025;
const OBJECT_LINK = 0x1027;
const BEGIN = 0x1033;
const END = 0x1034;
const DATA_SOURCE = 0x1051;
const ORIENTATION = 0x1058;
const CACHE_SECTION = 0x1065;
const CACHED_NUMBER = 0x0203;
const CACHED_LABEL = 0x0204;
/** Cells in the data sheet that Microsoft Graph stores with a chart. */
const GRAPH_NUMBER = 0x0003;
const GRAPH_LABEL = 0x0004;
/** Link target of a text used as the chart's title. */
const CHART_TITLE = 1;
/** Data kinds in a source or a cache section. */
const NAME = 0;
const VALUES = 1;
const CATEGORIES = 2;
/** Formula tokens for a single cell and a sheet area, without the bits for their three classes. */
const CELL = 0x1a;
const AREA = 0x1b;
/** Maximum number of label levels on an axis. */
const MAX_LABEL_LEVELS = 8;

/** A range of cells. */
export interface CellRange {
  /** Index into the sheet references. */
  readonly sheet: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Returns the text of a cell referenced by a chart. */
export type CellLookup = (sheet: number, row: number, column: number) => string;

interface Series {
  readonly depth: number;
  name: string;
  readonly ranges: Map<number, CellRange>;
  /** Rows or columns of Microsoft Graph's data sheet, by data kind. */
  readonly lines: Map<number, number>;
}

/** Collects a chart's records. */
export class BiffChart {
  readonly #reader: BinaryReader;
  readonly #series: Series[] = [];
  /** Cached points in order, by data kind and series. */
  readonly #cachedPoints = new Map<string, string[]>();
  /** Lines of Microsoft Graph's data sheet: rows or columns, depending on the orientation. */
  readonly #dataSheet = new Map<number, string[]>();
  #openSeries: Series | undefined;
  #depth = 0;
  #text = "";
  #title = "";
  #chartType: string | undefined;
  #cacheSection = 0;
  #isSeriesInColumns = false;

  constructor(reader: BinaryReader) {
    this.#reader = reader;
  }

  /** Adds the chart's next record. */
  add({ type, start, end }: BiffRecord): void {
    const reader = this.#reader;
    switch (type) {
      case BEGIN:
        this.#depth++;
        break;
      case END:
        this.#depth--;
        if (this.#openSeries !== undefined && this.#depth <= this.#openSeries.depth) {
          this.#openSeries = undefined;
        }
        break;
      case SERIES:
        this.#openSeries = { depth: this.#depth, name: "", ranges: new Map(), lines: new Map() };
        if (this.#series.length < MAX_SERIES) this.#series.push(this.#openSeries);
        break;
      case DATA_SOURCE:
        this.#addDataSource(start, end);
        break;
      case TEXT:
        this.#text = "";
        break;
      case SERIES_TEXT: {
        const text = biffText(reader, start + 3, reader.u8(start + 2)).trim();
        if (this.#openSeries === undefined) this.#text = text;
        else this.#openSeries.name ||= text;
        break;
      }
      case OBJECT_LINK:
        if (reader.u16(start) === CHART_TITLE) this.#title ||= this.#text;
        break;
      case ORIENTATION:
        this.#isSeriesInColumns = reader.u16(start) === 1;
        break;
      case CACHE_SECTION:
        this.#cacheSection = reader.u16(start);
        break;
      case CACHED_NUMBER:
        this.#addCachedPoint(start, biffNumber(reader, start + 6));
        break;
      case CACHED_LABEL:
        this.#addCachedPoint(start, biffText(reader, start + 8, reader.u16(start + 6)));
        break;
      case GRAPH_NUMBER:
        this.#addDataSheetCell(start, biffNumber(reader, start + 7));
        break;
      case GRAPH_LABEL:
        this.#addDataSheetCell(start, biffText(reader, start + 8, reader.u8(start + 7)));
        break;
      default:
        this.#chartType ??= chartTypeOf(reader, type, start);
    }
  }

  /**
   * Returns the chart as blocks, or nothing if it has no numbers.
   *
   * @param cellText Returns the text of a cell referenced by the chart.
   */
  blocks(cellText: CellLookup): Block[] {
    const series = this.#series.map((entry, index): ChartSeries => ({
      name: entry.name || this.#points(entry, index, NAME, cellText)[0] || `Series ${index + 1}`,
      categories: this.#points(entry, index, CATEGORIES, cellText),
      values: this.#points(entry, index, VALUES, cellText),
    }));
    const table = chartTable(series);
    if (table === undefined) return [];
    const title = this.#title === "" ? [] : [paragraph(this.#title)];
    return [...title, ...chartTypeBlocks(this.#chartType), table];
  }

  #addDataSource(start: number, end: number): void {
    const reader = this.#reader;
    const dataKind = reader.u8(start);
    if (this.#openSeries === undefined) return;
    // Microsoft Graph doesn't have formulas and stores the line number in its data sheet instead.
    if (end - start === 8) this.#openSeries.lines.set(dataKind, reader.u16(start + 6));
    const [token, at] = [reader.u8(start + 8) & 0x1f, start + 9];
    if (end - at < 6 || (token !== CELL && token !== AREA)) return;
    const isArea = token === AREA;
    const [sheet, top] = [reader.u16(at), reader.u16(at + 2)];
    const left = reader.u16(at + (isArea ? 6 : 4)) & 0xff;
    this.#openSeries.ranges.set(dataKind, {
      sheet,
      top,
      left,
      bottom: isArea ? reader.u16(at + 4) : top,
      right: isArea ? reader.u16(at + 8) & 0xff : left,
    });
  }

  #addCachedPoint(start: number, text: string): void {
    const [row, column] = [this.#reader.u16(start), this.#reader.u16(start + 2)];
    if (row < MAX_CATEGORIES && column < MAX_SERIES) {
      setPoint(this.#cachedPoints, `${this.#cacheSection}/${column}`, row, text);
    }
  }

  #addDataSheetCell(start: number, text: string): void {
    const [row, column] = [this.#reader.u16(start), this.#reader.u16(start + 2)];
    if (Math.min(row, column) <= MAX_SERIES && Math.max(row, column) <= MAX_CATEGORIES) {
      const [line, at] = this.#isSeriesInColumns ? [column, row] : [row, column];
      setPoint(this.#dataSheet, line, at, text);
    }
  }

  #points(series: Series, index: number, dataKind: number, cellText: CellLookup): string[] {
    const range = series.ranges.get(dataKind);
    const texts = range === undefined ? [] : rangeTexts(range, cellText);
    if (texts.length > 0) return texts;
    const line = series.lines.get(dataKind);
    const cached = this.#cachedPoints.get(`${dataKind}/${index}`) ?? [];
    // The first cell is the line's name.
    const stored = line === undefined || dataKind === NAME
      ? []
      : this.#dataSheet.get(line)?.slice(1) ?? [];
    const length = Math.min(MAX_CATEGORIES, Math.max(cached.length, stored.length));
    return Array.from({ length }, (_, at) => cached[at] ?? stored[at] ?? "");
  }
}

function setPoint<Key>(lines: Map<Key, string[]>, key: Key, at: number, text: string): void {
  const line = lines.get(key) ?? [];
  line[at] = text;
  lines.set(key, line);
}

/**
 * Returns the texts in a range, up to the last non-empty one. Multi-level labels are joined,
 * outermost first.
 */
function rangeTexts(
  { sheet, top, bottom, left, right }: CellRange,
  cellText: CellLookup,
): string[] {
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  if (rows < 1 || columns < 1) return [];
  const pointCount = Math.min(MAX_CATEGORIES, Math.max(rows, columns));
  const levelCount = Math.min(MAX_LABEL_LEVELS, rows, columns);
  const texts = Array.from(
    { length: pointCount },
    (_, at) =>
      Array.from(
        { length: levelCount },
        (_, level) =>
          rows >= columns
            ? cellText(sheet, top + at, left + level)
            : cellText(sheet, top + level, left + at),
      )
        .filter((text) => text !== "").join(" "),
  );
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

/** Returns a record's chart type, as expected by {@link chartTypeBlocks}. */
function chartTypeOf(reader: BinaryReader, type: number, start: number): string | undefined {
  switch (type) {
    case 0x1017:
      return "bar";
    case 0x1018:
      return "line";
    case 0x1019:
      return reader.u16(start + 2) > 0 ? "doughnut" : "pie";
    case 0x101a:
      return "area";
    case 0x101b:
      return (reader.u16(start + 4) & 1) === 1 ? "bubble" : "scatter";
    case 0x103e:
    case 0x1040:
      return "radar";
    case 0x103f:
      return "surface";
    case 0x1061:
      return "ofPie";
    default:
      return undefined;
  }
}
