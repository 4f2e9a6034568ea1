/** Text that lies on a PDF page beside its content: values and ticks of form fields, and typed-in notes. */
import type { Checkbox } from "./checkboxes.ts";
import type { Box } from "./geometry.ts";
import type { Glyph, RawLine } from "./page.ts";
import type { PdfFile } from "./pdfium.ts";

const FREE_TEXT = 3;
const WIDGET = 20;
const MOST_ANNOTATIONS = 2_000;
const MOST_BYTES = 3_500;

/** Lines and checkboxes of the annotations of page `page`, each where it stands. */
export function readAnnotations(
  file: PdfFile,
  page: number,
  turn: (x: number, y: number) => readonly [number, number],
): { lines: RawLine[]; checkboxes: Checkbox[] } {
  const lines: RawLine[] = [];
  const checkboxes: Checkbox[] = [];
  const count = Math.min(MOST_ANNOTATIONS, file.call("FPDFPage_GetAnnotCount", page));
  for (let index = 0; index < count; index++) {
    const annotation = file.call("FPDFPage_GetAnnot", page, index);
    if (annotation === 0) continue;
    const type = file.call("FPDFAnnot_GetSubtype", annotation);
    const state = type === WIDGET ? dictionaryText(file, annotation, "AS") : "";
    const box = state === "" ? undefined : boxOf(file, annotation, turn);
    if (box !== undefined) checkboxes.push({ ...box, checked: state !== "Off" });
    const text = type === WIDGET
      ? fieldValue(file, annotation)
      : type === FREE_TEXT
      ? dictionaryText(file, annotation, "Contents")
      : "";
    if (text.trim() !== "") lines.push(...place(file, annotation, text, turn));
    file.call("FPDFPage_CloseAnnot", annotation);
  }
  return { lines, checkboxes };
}

/** A field's value; the states of buttons are names, not text. */
function fieldValue(file: PdfFile, annotation: number): string {
  const value = dictionaryText(file, annotation, "V");
  return /^(?:Off|Yes|On|No|\d+|Choice\d+)$/.test(value) &&
      dictionaryText(file, annotation, "AS") !== ""
    ? ""
    : value;
}

function dictionaryText(file: PdfFile, annotation: number, key: string): string {
  const keyAt = file.scratch + MOST_BYTES + 64;
  new Uint8Array(file.view.buffer).set(new TextEncoder().encode(`${key}\0`), keyAt);
  const length = file.call("FPDFAnnot_GetStringValue", annotation, keyAt, file.scratch, MOST_BYTES);
  if (length <= 2 || length > MOST_BYTES) return "";
  const bytes = new Uint8Array(file.view.buffer, file.scratch, length - 2);
  return new TextDecoder("utf-16le").decode(bytes.slice());
}

function boxOf(
  file: PdfFile,
  annotation: number,
  turn: (x: number, y: number) => readonly [number, number],
): Box | undefined {
  if (file.call("FPDFAnnot_GetRect", annotation, file.scratch) === 0) return undefined;
  const [x0, y0] = turn(file.float(0), file.float(1));
  const [x1, y1] = turn(file.float(2), file.float(3));
  return {
    left: Math.min(x0, x1),
    top: Math.min(y0, y1),
    right: Math.max(x0, x1),
    bottom: Math.max(y0, y1),
  };
}

function place(
  file: PdfFile,
  annotation: number,
  text: string,
  turn: (x: number, y: number) => readonly [number, number],
): RawLine[] {
  const box = boxOf(file, annotation, turn);
  if (box === undefined) return [];
  const { left, top, right, bottom } = box;
  const rows = text.split(/[\r\n]+/).filter((row) => row.trim() !== "");
  const height = (bottom - top) / rows.length;
  const size = Math.max(4, Math.min(11, height * 0.8));
  return rows.map((row, index): Glyph[] => {
    const baseline = top + height * (index + 0.5) + size * 0.35;
    return [{
      text: row,
      left,
      right: Math.max(left + 1, Math.min(right, left + row.length * size * 0.5)),
      top: baseline - 0.8 * size,
      bottom: baseline + 0.22 * size,
      baseline,
      size,
      face: { font: "", bold: false, italic: false, mono: false },
    }];
  });
}
