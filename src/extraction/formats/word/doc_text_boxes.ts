/**
 * Finds the text boxes in a DOC file. Their text follows the main text and is referenced by
 * anchored shapes.
 */
import type { DocFile } from "./doc_file.ts";
import { childrenOf, recordAt } from "../office/records.ts";

const ANCHORS = 40;
const DRAWINGS = 50;
const BOX_TEXTS = 56;
/** Sizes of an anchor entry and a text box entry. The entries follow the array of positions. */
const ANCHOR_BYTES = 26;
const BOX_BYTES = 22;
const BOX_SHAPE_OFFSET = 14;
const DRAWING = 0xf002;
const GROUP = 0xf003;
const SHAPE = 0xf004;
const SHAPE_ATOM = 0xf00a;
/**
 * Maximum number of anchors, boxes and shapes to read per file, and maximum depth of shape groups.
 */
const MAX_SHAPES = 5_000;
const MAX_GROUP_DEPTH = 16;

/** A text box's character range, counted from the first character in all boxes. */
export interface DocTextBox {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a document's text boxes, keyed by anchor, i.e. the character the box's shape is anchored
 * to.
 */
export function anchoredTextBoxes(file: DocFile): ReadonlyMap<number, readonly DocTextBox[]> {
  const anchors = new Map<number, number>();
  for (const { at, entry } of plcEntries(file, ANCHORS, ANCHOR_BYTES)) {
    anchors.set(file.table.u32(entry), file.table.u32(at));
  }
  const boxesByAnchor = new Map<number, DocTextBox[]>();
  if (anchors.size === 0) return boxesByAnchor;
  const groups = outermostGroups(file);
  let readUpTo = 0;
  for (const { at, entry } of plcEntries(file, BOX_TEXTS, BOX_BYTES)) {
    const shape = file.table.u32(entry + BOX_SHAPE_OFFSET);
    const anchor = anchors.get(shape) ?? anchors.get(groups.get(shape) ?? -1);
    const box = { start: file.table.u32(at), end: file.table.u32(at + 4) };
    // Skip boxes that overlap an earlier one, since we might otherwise read the same text many
    // times.
    if (anchor === undefined || box.start < readUpTo || box.end < box.start) continue;
    readUpTo = box.end;
    const boxes = boxesByAnchor.get(anchor);
    if (boxes === undefined) boxesByAnchor.set(anchor, [box]);
    else boxes.push(box);
  }
  return boxesByAnchor;
}

/**
 * Returns a PLC structure's entries, each with the offsets of its character position and its data.
 */
function plcEntries(
  file: DocFile,
  index: number,
  entryBytes: number,
): { at: number; entry: number }[] {
  const { at, size } = file.tableRange(index);
  const count = Math.max(0, Math.floor((size - 4) / (4 + entryBytes)));
  return Array.from({ length: Math.min(MAX_SHAPES, count) }, (_, position) => ({
    at: at + 4 * position,
    entry: at + 4 * (count + 1) + entryBytes * position,
  }));
}

/** Maps each shape in a group to the outermost group, since anchors only refer to that. */
function outermostGroups(file: DocFile): Map<number, number> {
  const { table } = file;
  const groupOf = new Map<number, number>();
  const { at, size } = file.tableRange(DRAWINGS);
  const idOf = (shape: number, end: number) => {
    const atom = recordAt(table, shape);
    return atom?.type === SHAPE_ATOM && atom.end <= end ? table.u32(atom.start) : undefined;
  };
  const walk = (start: number, end: number, outer: number | undefined, depth: number) => {
    let group = outer;
    for (const record of childrenOf(table, { start, end })) {
      if (groupOf.size >= MAX_SHAPES) return;
      if (record.type === SHAPE) {
        const id = idOf(record.start, record.end);
        if (id === undefined) continue;
        // The first shape is the group itself.
        group ??= id;
        groupOf.set(id, group);
      } else if (record.type === GROUP && depth < MAX_GROUP_DEPTH) {
        walk(record.start, record.end, group, depth + 1);
      }
    }
  };
  // A byte before each drawing says whether it belongs to the main text or the headers.
  let drawingOffset = (recordAt(table, at)?.end ?? Infinity) + 1;
  while (drawingOffset < at + size) {
    const drawing = recordAt(table, drawingOffset);
    if (drawing?.type !== DRAWING) break;
    for (const patriarch of childrenOf(table, drawing)) {
      if (patriarch.type !== GROUP) continue;
      for (const record of childrenOf(table, patriarch)) {
        if (record.type === GROUP) walk(record.start, record.end, undefined, 1);
      }
    }
    drawingOffset = drawing.end + 1;
  }
  return groupOf;
}
