/** Reads a PDF page's content with PDFium: characters, rules, pictures and links. */
import { readAnnotations } from "./annotations.ts";
import { findDrawnCheckboxes, withCheckboxes } from "./checkboxes.ts";
import type { Box } from "../../layout/geometry.ts";
import type { BlockTag, Face, Glyph, PageContent, RawLine } from "../../layout/page.ts";
import type { QuarterTurns } from "../../ocr/orientation.ts";
import type { PdfFile } from "./pdfium.ts";
import { readDrawing } from "./drawing.ts";
import { readLinks } from "./links.ts";
import { isVerticalWriting, pageTransform, type PointTransform, readPageBox } from "./page_box.ts";
import { readTags } from "./tags.ts";
import { levelLines, type Turned, withoutCopies } from "./overprint.ts";
import { privateUseText, symbolText } from "../../symbol_fonts.ts";

/** A text object's style, shared by all its characters. */
interface TextStyle {
  readonly face: Face;
  readonly size: number;
  /** Text direction, in counter-clockwise quarter turns. */
  readonly quarterTurns: number;
  readonly tag?: BlockTag;
}

interface RawGlyph extends Glyph, Turned {
  readonly quarterTurns: number;
}

/** `BX` and `Medi` indicate bold TeX fonts. */
const BOLD_NAME = /bold|black|heavy|demi|BX\d|Medi$|-Bd\b|\bHvy\b/i;
const FLAG_FIXED = 1;
const FLAG_ITALIC = 64;
const FLAG_BOLD = 1 << 18;
/** Maximum number of characters read from a page. A page with more is a drawing made of letters. */
const MAX_PAGE_CHARACTERS = 200_000;

/**
 * Returns the content of a page.
 *
 * @param page PDFium handle
 * @param turn number of clockwise quarter turns that make the displayed page upright. Defaults to
 *   those that make most of its text upright
 */
export function readPage(file: PdfFile, page: number, turn?: QuarterTurns): PageContent {
  const text = file.call("FPDFText_LoadPage", page);
  // Positions are those before the rotation with which the page is displayed.
  const rotation = file.call("FPDFPage_GetRotation", page);
  const pageBox = readPageBox(file, page);
  const count = Math.min(MAX_PAGE_CHARACTERS, Math.max(0, file.call("FPDFText_CountChars", text)));
  const isTagged = file.call("FPDFCatalog_IsTagged", file.document) !== 0;
  const tags = isTagged ? readTags(file, page) : new Map<number, BlockTag>();
  const styles = readStyles(file, text, count, tags);
  const quarterTurns = turn === undefined ? dominantQuarterTurns(styles) : (turn + rotation) % 4;
  const isVertical = turn === undefined && quarterTurns === 0 &&
    isVerticalWriting(file, text, count);
  const transform = pageTransform(isVertical ? 3 : quarterTurns, pageBox);
  const links = readLinks(file, page, transform);
  const { lines, sides, unmapped } = readLines(
    file,
    text,
    styles,
    transform,
    quarterTurns,
    links,
    isVertical,
  );
  file.call("FPDFText_ClosePage", text);
  const { rules, fills, frames, pictures, dots, figures } = readDrawing(file, page, transform);
  const annotations = readAnnotations(file, page, transform);
  const boxes = [...annotations.checkboxes, ...findDrawnCheckboxes(figures)];
  const isSideways = isVertical || quarterTurns % 2 === 1;
  const [width, height] = [pageBox.right - pageBox.left, pageBox.top - pageBox.bottom];
  return {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    ...withCheckboxes([...lines, ...annotations.lines], boxes, rules),
    sides,
    fills,
    frames,
    pictures,
    dots,
    unmapped: count === 0 ? 0 : unmapped / count,
  };
}

function readStyles(
  file: PdfFile,
  text: number,
  count: number,
  tags: ReadonlyMap<number, BlockTag>,
): (TextStyle | undefined)[] {
  const byObject = new Map<number, TextStyle>();
  const byCharacter: (TextStyle | undefined)[] = new Array(count);
  for (let index = 0; index < count; index++) {
    const object = file.call("FPDFText_GetTextObject", text, index);
    if (object === 0) continue;
    let style = byObject.get(object);
    if (style === undefined) {
      style = readStyle(file, text, index, object, tags);
      byObject.set(object, style);
    }
    byCharacter[index] = style;
  }
  return byCharacter;
}

function readStyle(
  file: PdfFile,
  text: number,
  index: number,
  object: number,
  tags: ReadonlyMap<number, BlockTag>,
): TextStyle {
  const font = file.call("FPDFTextObj_GetFont", object);
  const length = file.call("FPDFFont_GetBaseFontName", font, file.scratch, 256);
  const name = font === 0 ? "" : file.readAscii(length);
  const flags = font === 0 ? 0 : file.call("FPDFFont_GetFlags", font);
  const weight = font === 0 ? 400 : file.call("FPDFFont_GetWeight", font);
  const nominal = file.call("FPDFText_GetFontSize", text, index);
  const hasMatrix = file.call("FPDFText_GetMatrix", text, index, file.scratch) !== 0;
  const [a, b, c, d] = hasMatrix
    ? [file.readFloat(0), file.readFloat(1), file.readFloat(2), file.readFloat(3)]
    : [1, 0, 0, 1];
  const scale = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const tag = tags.size === 0
    ? undefined
    : tags.get(file.call("FPDFPageObj_GetMarkedContentID", object));
  return {
    ...tag === undefined ? {} : { tag },
    face: {
      font: name.replace(/^[A-Z]{6}\+/, ""),
      bold: BOLD_NAME.test(name) || weight >= 600 || (flags & FLAG_BOLD) !== 0,
      italic: /italic|oblique/i.test(name) || (flags & FLAG_ITALIC) !== 0,
      mono: (flags & FLAG_FIXED) !== 0 || /courier|mono|consolas/i.test(name),
      color: readColor(file, text, index),
    },
    size: Math.max(1, Math.abs(nominal * scale)),
    quarterTurns: ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4,
  };
}

function readColor(file: PdfFile, text: number, index: number): number {
  const { scratch } = file;
  const parts = [scratch, scratch + 4, scratch + 8, scratch + 12];
  const isKnown = file.call("FPDFText_GetFillColor", text, index, ...parts) !== 0;
  if (!isKnown) return 0;
  const [red = 0, green = 0, blue = 0] = parts.map((at) => file.view.getUint32(at, true));
  return (red << 16) + (green << 8) + blue;
}

function dominantQuarterTurns(styles: readonly (TextStyle | undefined)[]): number {
  const votes = [0, 0, 0, 0];
  for (const style of styles) {
    if (style !== undefined) votes[style.quarterTurns] = (votes[style.quarterTurns] ?? 0) + 1;
  }
  return votes.indexOf(Math.max(...votes));
}

function readLines(
  file: PdfFile,
  text: number,
  styles: readonly (TextStyle | undefined)[],
  transform: PointTransform,
  quarterTurns: number,
  links: readonly (Box & { href: string })[],
  isVertical: boolean,
): { lines: RawLine[]; sides: RawLine[]; unmapped: number } {
  const [lines, upsideDown, sideways]: [RawLine[], RawLine[], RawGlyph[][]] = [[], [], []];
  let line: RawGlyph[] = [];
  let unmapped = 0;
  const flush = () => {
    const turns = (line[0]?.quarterTurns ?? 0) - quarterTurns;
    const isVisible = line.some((glyph) => glyph.text.trim() !== "");
    if (isVisible) (turns === 0 ? lines : turns % 2 === 0 ? upsideDown : sideways).push(line);
    line = [];
  };
  for (let index = 0; index < styles.length; index++) {
    const code = file.call("FPDFText_GetUnicode", text, index);
    if (code === 10 || code === 13) {
      // PDFium takes each letter of a vertical line for a line.
      if (!isVertical) flush();
      continue;
    }
    const last = line.at(-1);
    const style = styles[index];
    if (isUnmapped(code, style)) unmapped++;
    const read = style === undefined
      ? isVertical ? undefined : spaceAfter(last, code)
      : readGlyph(file, text, index, code, style, transform, links);
    if (read === undefined) continue;
    const turns = (read.quarterTurns - quarterTurns + 4) % 4;
    const glyph: RawGlyph = style === undefined || turns % 2 === 0
      ? read
      : { ...read, turned: turnedBox(file, text, index, transform, turns) };
    if (last !== undefined && startsNewLine(last, glyph, quarterTurns)) flush();
    line.push(glyph);
  }
  flush();
  // Text that's upside down runs from right to left, which isn't a sign of a second copy.
  const { level, sides } = levelLines(withoutCopies(sideways), lines);
  return { lines: [...withoutCopies(lines), ...upsideDown, ...level], sides, unmapped };
}

/** Returns the place of a letter in a line that runs upwards or downwards, as if the line was level. */
function turnedBox(
  file: PdfFile,
  text: number,
  index: number,
  transform: PointTransform,
  quarterTurns: number,
): NonNullable<Turned["turned"]> {
  file.call("FPDFText_GetLooseCharBox", text, index, file.scratch);
  const ys = [0, 2].map((at) => transform(file.readFloat(at), file.readFloat(at + 1))[1]);
  file.call("FPDFText_GetCharOrigin", text, index, file.scratch, file.scratch + 8);
  const [x] = transform(file.readDouble(0), file.readDouble(1));
  const sign = quarterTurns === 1 ? -1 : 1;
  const [left, right] = ys.map((y) => sign * y).sort((a, b) => a - b);
  return { left: left!, right: right!, baseline: -sign * x };
}

/**
 * Returns the glyph for a space inserted by PDFium. Those have no position on the page, so they go
 * at the end of the previous letter.
 */
function spaceAfter(last: RawGlyph | undefined, code: number): RawGlyph | undefined {
  if (last === undefined || code !== 32) return undefined;
  const { turned } = last;
  const space = { ...last, text: " ", left: last.right, right: last.right };
  return turned === undefined ? space : { ...space, turned: { ...turned, left: turned.right } };
}

function startsNewLine(last: RawGlyph, next: RawGlyph, quarterTurns: number): boolean {
  if (next.text.trim() === "") return false;
  // In a line perpendicular to the others, the baseline differs from letter to letter, but all
  // letters stay in one column.
  const isAcross = (next.quarterTurns - quarterTurns) % 2 !== 0;
  const step = Math.abs(isAcross ? last.right - next.right : last.baseline - next.baseline);
  const size = Math.max(last.size, next.size);
  // The lines of columns side by side can differ by less than indexes do.
  const isFar = !isAcross && Math.max(next.left - last.right, last.left - next.right) > 2 * size;
  return step > (isFar ? 0.15 : 0.7) * size || last.quarterTurns !== next.quarterTurns;
}

function readGlyph(
  file: PdfFile,
  text: number,
  index: number,
  code: number,
  style: TextStyle,
  transform: PointTransform,
  links: readonly (Box & { href: string })[],
): RawGlyph | undefined {
  const characters = characterText(code, style.face.font);
  if (characters === "" || file.call("FPDFText_GetLooseCharBox", text, index, file.scratch) === 0) {
    return undefined;
  }
  const [x0, y0] = transform(file.readFloat(0), file.readFloat(1));
  const [x1, y1] = transform(file.readFloat(2), file.readFloat(3));
  file.call("FPDFText_GetCharOrigin", text, index, file.scratch, file.scratch + 8);
  const [, baseline] = transform(file.readDouble(0), file.readDouble(1));
  const box = {
    left: Math.min(x0, x1),
    right: Math.max(x0, x1),
    top: baseline - 0.8 * style.size,
    bottom: baseline + 0.22 * style.size,
  };
  if (Math.abs(y1 - y0) > 6 * style.size) return undefined;
  const { face, size } = style;
  const link = links.length === 0
    ? undefined
    : links.find((area) =>
      (box.left + box.right) / 2 >= area.left && (box.left + box.right) / 2 <= area.right &&
      baseline - 0.3 * size >= area.top && baseline - 0.3 * size <= area.bottom
    );
  return {
    ...box,
    text: characters,
    baseline,
    size,
    face,
    quarterTurns: style.quarterTurns,
    ...(style.tag === undefined ? {} : { tag: style.tag }),
    ...(link === undefined ? {} : { href: link.href }),
  };
}

/** Checks whether a character's font doesn't map it to Unicode. */
function isUnmapped(code: number, style: TextStyle | undefined): boolean {
  if (code === 0 || code === 0xfffd || code === 0xfffe) return true;
  return isPrivateUse(code) && !symbolText(style?.face.font ?? "", code);
}

function isPrivateUse(code: number): boolean {
  return code >= 0xe000 && code <= 0xf8ff;
}

/** Returns a character as text, without ligatures, controls and hints for line breaks (U+200B). */
function characterText(code: number, font: string): string {
  if (code === 2 || code === 0xad) return "\u00ad";
  if (code < 32) return code === 9 ? " " : "";
  if ([0x200b, 0x2060, 0xfeff, 0xfffd, 0xfffe, 0xffff].includes(code)) return "";
  if (isPrivateUse(code)) return privateUseText(font, code);
  const text = String.fromCodePoint(code);
  return (code >= 0xfb00 && code <= 0xfb4f) || (code >= 0xfe70 && code <= 0xfefc)
    ? text.normalize("NFKC")
    : text.replace("\u00a0", " ");
}
