/** A chart of an XLS or of Microsoft Graph, from its records: title, kind and numbers. */
import { type Block, paragraph } from "../model.ts";
import { biffNumber, type BiffRecord, biffText } from "./biff.ts";
import { chartKind, type ChartSeries, chartTable, MOST_CATEGORIES, MOST_SERIES } from "./chart.ts";
import type { Reader } from "./ole.ts";

const SERIES = 0x1003;
const SERIES_TEXT = 0x100d;
const TEXT = 0x1025;
const LINK = 0x1027;
const OPEN = 0x1033;
const CLOSE = 0x1034;
const SOURCE = 0x1051;
const ORIENTATION = 0x1058;
const CACHE = 0x1065;
const CACHED_NUMBER = 0x0203;
const CACHED_LABEL = 0x0204;
/** Cells of the data sheet that Microsoft Graph keeps with a chart. */
const GRAPH_NUMBER = 0x0003;
const GRAPH_LABEL = 0x0004;
/** What a text is linked to, when it is the title of the chart. */
const CHART_TITLE = 1;
/** What a source is of, and what is cached. */
const NAME = 0;
const VALUES = 1;
const CATEGORIES = 2;
/** Parts of formulas: one cell of a sheet, and an area, in each of their three classes. */
const CELL = 0x1a;
const AREA = 0x1b;
/** Levels of names under an axis. */
const MOST_LEVELS = 8;

/** An area of cells. */
export interface Area {
  /** Index into the references to sheets. */
  readonly sheet: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The text of a cell that a chart refers to. */
export type CellText = (sheet: number, row: number, column: number) => string;

interface Series {
  readonly depth: number;
  name: string;
  readonly areas: Map<number, Area>;
  /** The row or column of Microsoft Graph's data sheet. */
  readonly lines: Map<number, number>;
}

/** Gathers the records of one chart. */
export class BiffChart {
  readonly #reader: Reader;
  readonly #series: Series[] = [];
  /** Cached points, in order, by what they are of and their series. */
  readonly #cached = new Map<string, string[]>();
  /** The lines of Microsoft Graph's data sheet. */
  readonly #sheet = new Map<number, string[]>();
  #open: Series | undefined;
  #depth = 0;
  #text = "";
  #title = "";
  #kind: string | undefined;
  #section = 0;
  #inColumns = false;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Takes in the next record of the chart. */
  add({ type, start, end }: BiffRecord): void {
    const reader = this.#reader;
    switch (type) {
      case OPEN:
        this.#depth++;
        break;
      case CLOSE:
        this.#depth--;
        if (this.#open !== undefined && this.#depth <= this.#open.depth) this.#open = undefined;
        break;
      case SERIES:
        this.#open = { depth: this.#depth, name: "", areas: new Map(), lines: new Map() };
        if (this.#series.length < MOST_SERIES) this.#series.push(this.#open);
        break;
      case SOURCE:
        this.#source(start, end);
        break;
      case TEXT:
        this.#text = "";
        break;
      case SERIES_TEXT: {
        const text = biffText(reader, start + 3, reader.u8(start + 2)).trim();
        if (this.#open === undefined) this.#text = text;
        else this.#open.name ||= text;
        break;
      }
      case LINK:
        if (reader.u16(start) === CHART_TITLE) this.#title ||= this.#text;
        break;
      case ORIENTATION:
        this.#inColumns = reader.u16(start) === 1;
        break;
      case CACHE:
        this.#section = reader.u16(start);
        break;
      case CACHED_NUMBER:
        this.#cache(start, biffNumber(reader, start + 6));
        break;
      case CACHED_LABEL:
        this.#cache(start, biffText(reader, start + 8, reader.u16(start + 6)));
        break;
      case GRAPH_NUMBER:
        this.#keep(start, biffNumber(reader, start + 7));
        break;
      case GRAPH_LABEL:
        this.#keep(start, biffText(reader, start + 8, reader.u8(start + 7)));
        break;
      default:
        this.#kind ??= kindOf(reader, type, start);
    }
  }

  /** The chart as blocks, with the cells it refers to; nothing when it has no numbers. */
  blocks(cells: CellText): Block[] {
    const series = this.#series.map((one, index): ChartSeries => ({
      name: one.name || this.#points(one, index, NAME, cells)[0] || `Series ${index + 1}`,
      categories: this.#points(one, index, CATEGORIES, cells),
      values: this.#points(one, index, VALUES, cells),
    }));
    const table = chartTable(series);
    if (table === undefined) return [];
    const title = this.#title === "" ? [] : [paragraph(this.#title)];
    return [...title, ...chartKind(this.#kind), table];
  }

  #source(start: number, end: number): void {
    const reader = this.#reader;
    const of = reader.u8(start);
    if (this.#open === undefined) return;
    // Microsoft Graph has no formulas; it counts the lines of its data sheet.
    if (end - start === 8) this.#open.lines.set(of, reader.u16(start + 6));
    const [token, at] = [reader.u8(start + 8) & 0x1f, start + 9];
    if (end - at < 6 || (token !== CELL && token !== AREA)) return;
    const isArea = token === AREA;
    const [sheet, top] = [reader.u16(at), reader.u16(at + 2)];
    const left = reader.u16(at + (isArea ? 6 : 4)) & 0xff;
    this.#open.areas.set(of, {
      sheet,
      top,
      left,
      bottom: isArea ? reader.u16(at + 4) : top,
      right: isArea ? reader.u16(at + 8) & 0xff : left,
    });
  }

  #cache(start: number, text: string): void {
    const [row, column] = [this.#reader.u16(start), this.#reader.u16(start + 2)];
    if (row < MOST_CATEGORIES && column < MOST_SERIES) {
      put(this.#cached, `${this.#section}/${column}`, row, text);
    }
  }

  #keep(start: number, text: string): void {
    const [row, column] = [this.#reader.u16(start), this.#reader.u16(start + 2)];
    if (Math.min(row, column) <= MOST_SERIES && Math.max(row, column) <= MOST_CATEGORIES) {
      const [line, at] = this.#inColumns ? [column, row] : [row, column];
      put(this.#sheet, line, at, text);
    }
  }

  #points(series: Series, index: number, of: number, cells: CellText): string[] {
    const area = series.areas.get(of);
    const found = area === undefined ? [] : areaTexts(area, cells);
    if (found.length > 0) return found;
    const line = series.lines.get(of);
    const cached = this.#cached.get(`${of}/${index}`) ?? [];
    // The first of a line names it.
    const kept = line === undefined || of === NAME ? [] : this.#sheet.get(line)?.slice(1) ?? [];
    const length = Math.min(MOST_CATEGORIES, Math.max(cached.length, kept.length));
    return Array.from({ length }, (_, at) => cached[at] ?? kept[at] ?? "");
  }
}

function put<Key>(lines: Map<Key, string[]>, key: Key, at: number, text: string): void {
  const line = lines.get(key) ?? [];
  line[at] = text;
  lines.set(key, line);
}

/** The texts along an area, up to its last; those of several levels from the outermost. */
function areaTexts({ sheet, top, bottom, left, right }: Area, cells: CellText): string[] {
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  if (rows < 1 || columns < 1) return [];
  const along = Math.min(MOST_CATEGORIES, Math.max(rows, columns));
  const across = Math.min(MOST_LEVELS, rows, columns);
  const texts = Array.from(
    { length: along },
    (_, at) =>
      Array.from(
        { length: across },
        (_, level) =>
          rows >= columns
            ? cells(sheet, top + at, left + level)
            : cells(sheet, top + level, left + at),
      )
        .filter((text) => text !== "").join(" "),
  );
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

/** What a chart is called after a record of its type, as `chartKind` takes it. */
function kindOf(reader: Reader, type: number, start: number): string | undefined {
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
