/**
 * Reads the text in a PDF page's annotations: form field values, check marks, and free-text notes.
 */
import type { Checkbox } from "./checkboxes.ts";
import type { Box } from "../../layout/geometry.ts";
import type { Glyph, RawLine } from "../../layout/page.ts";
import type { PdfFile } from "./pdfium.ts";

const FREE_TEXT = 3;
const WIDGET = 20;
const MAX_ANNOTATIONS = 2_000;
/** Types of form fields whose values are texts: combo boxes, list boxes and text fields. */
const TEXT_FIELDS = new Set([4, 5, 6]);

/** Returns the lines and checkboxes from the annotations on page `page`, with their positions. */
export function readAnnotations(
  file: PdfFile,
  page: number,
  transform: (x: number, y: number) => readonly [number, number],
): { lines: RawLine[]; checkboxes: Checkbox[] } {
  const lines: RawLine[] = [];
  const checkboxes: Checkbox[] = [];
  const count = Math.min(MAX_ANNOTATIONS, file.call("FPDFPage_GetAnnotCount", page));
  for (let index = 0; index < count; index++) {
    const annotation = file.call("FPDFPage_GetAnnot", page, index);
    if (annotation === 0) continue;
    const type = file.call("FPDFAnnot_GetSubtype", annotation);
    const state = type === WIDGET ? readDictionaryText(file, annotation, "AS") : "";
    const box = state === "" ? undefined : readBox(file, annotation, transform);
    if (box !== undefined) checkboxes.push({ ...box, checked: state !== "Off" });
    const text = type === WIDGET
      ? readFieldValue(file, annotation)
      : type === FREE_TEXT
      ? readDictionaryText(file, annotation, "Contents")
      : "";
    if (text.trim() !== "") lines.push(...textLines(file, annotation, text, transform));
    file.call("FPDFPage_CloseAnnot", annotation);
  }
  return { lines, checkboxes };
}

/** Returns a form field's value, or "" for buttons, whose states are names rather than text. */
function readFieldValue(file: PdfFile, annotation: number): string {
  const value = readDictionaryText(file, annotation, "V");
  if (value === "") return readInheritedValue(file, annotation);
  return /^(?:Off|Yes|On|No|\d+|Choice\d+)$/.test(value) &&
      readDictionaryText(file, annotation, "AS") !== ""
    ? ""
    : value;
}

/** Returns the value of a field that's shown in several places, each of which is an annotation. */
function readInheritedValue(file: PdfFile, annotation: number): string {
  const { form } = file;
  if (form === 0) return "";
  const type = file.call("FPDFAnnot_GetFormFieldType", form, annotation);
  return !TEXT_FIELDS.has(type)
    ? ""
    : file.readText((buffer, size) =>
      file.call("FPDFAnnot_GetFormFieldValue", form, annotation, buffer, size)
    );
}

function readDictionaryText(file: PdfFile, annotation: number, key: string): string {
  new Uint8Array(file.view.buffer).set(new TextEncoder().encode(`${key}\0`), file.scratch);
  return file.readText((buffer, size) =>
    file.call("FPDFAnnot_GetStringValue", annotation, file.scratch, buffer, size)
  );
}

function readBox(
  file: PdfFile,
  annotation: number,
  transform: (x: number, y: number) => readonly [number, number],
): Box | undefined {
  if (file.call("FPDFAnnot_GetRect", annotation, file.scratch) === 0) return undefined;
  const [x0, y0] = transform(file.readFloat(0), file.readFloat(1));
  const [x1, y1] = transform(file.readFloat(2), file.readFloat(3));
  return {
    left: Math.min(x0, x1),
    top: Math.min(y0, y1),
    right: Math.max(x0, x1),
    bottom: Math.max(y0, y1),
  };
}

function textLines(
  file: PdfFile,
  annotation: number,
  text: string,
  transform: (x: number, y: number) => readonly [number, number],
): RawLine[] {
  const box = readBox(file, annotation, transform);
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
