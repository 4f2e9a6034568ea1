/** Text boxes of a DOC: their texts follow the document's; shapes anchored in it show them. */
import type { DocFile } from "./doc_file.ts";
import { childrenOf, recordAt } from "../office/records.ts";

const ANCHORS = 40;
const DRAWINGS = 50;
const BOX_TEXTS = 56;
/** Bytes that a structure tells of each anchor, and of each box after the places of all. */
const ANCHOR_BYTES = 26;
const BOX_BYTES = 22;
const BOX_SHAPE_OFFSET = 14;
const DRAWING = 0xf002;
const GROUP = 0xf003;
const SHAPE = 0xf004;
const SHAPE_ATOM = 0xf00a;
/** Anchors, boxes and shapes read of one file, and how deep groups of shapes nest. */
const MAX_SHAPES = 5_000;
const MAX_GROUP_DEPTH = 16;

/** A text box: its characters, counted from the first of all boxes. */
export interface DocTextBox {
  readonly start: number;
  readonly end: number;
}

/** The boxes of a document, by the character that the shape around each hangs on. */
export function anchoredTextBoxes(file: DocFile): ReadonlyMap<number, readonly DocTextBox[]> {
  const anchors = new Map<number, number>();
  for (const { at, entry } of plcEntries(file, ANCHORS, ANCHOR_BYTES)) {
    anchors.set(file.table.u32(entry), file.table.u32(at));
  }
  const found = new Map<number, DocTextBox[]>();
  if (anchors.size === 0) return found;
  const groups = outermostGroups(file);
  let reached = 0;
  for (const { at, entry } of plcEntries(file, BOX_TEXTS, BOX_BYTES)) {
    const shape = file.table.u32(entry + BOX_SHAPE_OFFSET);
    const anchor = anchors.get(shape) ?? anchors.get(groups.get(shape) ?? -1);
    const box = { start: file.table.u32(at), end: file.table.u32(at + 4) };
    // Boxes that claim the text of others would have it read again and again.
    if (anchor === undefined || box.start < reached || box.end < box.start) continue;
    reached = box.end;
    const boxes = found.get(anchor);
    if (boxes === undefined) found.set(anchor, [box]);
    else boxes.push(box);
  }
  return found;
}

/** What a structure says, entry for entry: the characters they stand for come first. */
function plcEntries(
  file: DocFile,
  index: number,
  entryBytes: number,
): { at: number; entry: number }[] {
  const { at, size } = file.tableRange(index);
  const count = Math.max(0, Math.floor((size - 4) / (4 + entryBytes)));
  return Array.from({ length: Math.min(MAX_SHAPES, count) }, (_, one) => ({
    at: at + 4 * one,
    entry: at + 4 * (count + 1) + entryBytes * one,
  }));
}

/** For each shape of a group, the outermost group: it is what an anchor names. */
function outermostGroups(file: DocFile): Map<number, number> {
  const { table } = file;
  const found = new Map<number, number>();
  const { at, size } = file.tableRange(DRAWINGS);
  const idOf = (shape: number, end: number) => {
    const atom = recordAt(table, shape);
    return atom?.type === SHAPE_ATOM && atom.end <= end ? table.u32(atom.start) : undefined;
  };
  const walk = (start: number, end: number, outer: number | undefined, depth: number) => {
    let group = outer;
    for (const one of childrenOf(table, { start, end })) {
      if (found.size >= MAX_SHAPES) return;
      if (one.type === SHAPE) {
        const id = idOf(one.start, one.end);
        if (id === undefined) continue;
        // The first shape of a group is the group itself.
        group ??= id;
        found.set(id, group);
      } else if (one.type === GROUP && depth < MAX_GROUP_DEPTH) {
        walk(one.start, one.end, group, depth + 1);
      }
    }
  };
  // Each drawing comes after a byte that tells whether it is the text's or the page heads'.
  let place = (recordAt(table, at)?.end ?? Infinity) + 1;
  while (place < at + size) {
    const drawing = recordAt(table, place);
    if (drawing?.type !== DRAWING) break;
    for (const patriarch of childrenOf(table, drawing)) {
      if (patriarch.type !== GROUP) continue;
      for (const one of childrenOf(table, patriarch)) {
        if (one.type === GROUP) walk(one.start, one.end, undefined, 1);
      }
    }
    place = drawing.end + 1;
  }
  return found;
}
