/** Reads the content of one PDF page through PDFium: characters, ruling lines, pictures, links. */
import { readAnnotations } from "./annotations.ts";
import { drawnCheckboxes, withCheckboxes } from "./checkboxes.ts";
import type { Box } from "./geometry.ts";
import type { Face, Glyph, PageContent, RawLine } from "./page.ts";
import type { PdfFile } from "./pdfium.ts";
import { readDrawing } from "./drawing.ts";
import { readLinks } from "./links.ts";

/** A text object's look: shared by all of its characters. */
interface TextLook {
  readonly face: Face;
  readonly size: number;
  /** Direction of the text in quarter turns, counter-clockwise. */
  readonly turn: number;
}

interface RawGlyph extends Glyph {
  readonly turn: number;
}

/** `BX` and `Medi` are how the fonts of TeX say bold. */
const BOLD_NAME = /bold|black|heavy|demi|BX\d|Medi$|-Bd\b|\bHvy\b/i;
const FLAG_FIXED = 1;
const FLAG_ITALIC = 64;
const FLAG_BOLD = 1 << 18;
/** Characters read of one page; more is a drawing made of letters. */
const MOST_CHARACTERS = 200_000;

/** Maps points of the page into a frame where the text runs left to right and y grows down. */
type Turn = (x: number, y: number) => readonly [number, number];

/** Reads page `page` (a PDFium handle). */
export function readPage(file: PdfFile, page: number): PageContent {
  const text = file.call("FPDFText_LoadPage", page);
  const width = file.call("FPDF_GetPageWidthF", page);
  const height = file.call("FPDF_GetPageHeightF", page);
  const count = Math.min(MOST_CHARACTERS, Math.max(0, file.call("FPDFText_CountChars", text)));
  const looks = readLooks(file, text, count);
  const quarter = dominantTurn(looks.byCharacter);
  const turn = turned(quarter, width, height);
  const links = readLinks(file, page, turn);
  const { lines, unmapped } = readLines(file, text, looks.byCharacter, turn, quarter, links);
  file.call("FPDFText_ClosePage", text);
  const { rules, fills, frames, pictures, dots, figures } = readDrawing(file, page, turn);
  const typed = readAnnotations(file, page, turn);
  const boxes = [...typed.checkboxes, ...drawnCheckboxes(figures)];
  const sideways = quarter % 2 === 1;
  return {
    width: sideways ? height : width,
    height: sideways ? width : height,
    ...withCheckboxes([...lines, ...typed.lines], boxes, rules),
    fills,
    frames,
    pictures,
    dots,
    unmapped: count === 0 ? 0 : unmapped / count,
  };
}

function readLooks(file: PdfFile, text: number, count: number) {
  const byObject = new Map<number, TextLook>();
  const byCharacter: (TextLook | undefined)[] = new Array(count);
  for (let index = 0; index < count; index++) {
    const object = file.call("FPDFText_GetTextObject", text, index);
    if (object === 0) continue;
    let look = byObject.get(object);
    if (look === undefined) {
      look = readLook(file, text, index, object);
      byObject.set(object, look);
    }
    byCharacter[index] = look;
  }
  return { byCharacter };
}

function readLook(file: PdfFile, text: number, index: number, object: number): TextLook {
  const font = file.call("FPDFTextObj_GetFont", object);
  const length = file.call("FPDFFont_GetBaseFontName", font, file.scratch, 256);
  const name = font === 0 ? "" : file.ascii(length);
  const flags = font === 0 ? 0 : file.call("FPDFFont_GetFlags", font);
  const weight = font === 0 ? 400 : file.call("FPDFFont_GetWeight", font);
  const nominal = file.call("FPDFText_GetFontSize", text, index);
  const known = file.call("FPDFText_GetMatrix", text, index, file.scratch) !== 0;
  const [a, b, c, d] = known
    ? [file.float(0), file.float(1), file.float(2), file.float(3)]
    : [1, 0, 0, 1];
  const scale = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  return {
    face: {
      font: name.replace(/^[A-Z]{6}\+/, ""),
      bold: BOLD_NAME.test(name) || weight >= 600 ||
        (flags & FLAG_BOLD) !== 0,
      italic: /italic|oblique/i.test(name) || (flags & FLAG_ITALIC) !== 0,
      mono: (flags & FLAG_FIXED) !== 0 || /courier|mono|consolas/i.test(name),
    },
    size: Math.max(1, Math.abs(nominal * scale)),
    turn: ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4,
  };
}

function dominantTurn(looks: readonly (TextLook | undefined)[]): number {
  const votes = [0, 0, 0, 0];
  for (const look of looks) {
    if (look !== undefined) votes[look.turn] = (votes[look.turn] ?? 0) + 1;
  }
  return votes.indexOf(Math.max(...votes));
}

function turned(quarter: number, width: number, height: number): Turn {
  switch (quarter) {
    case 1:
      return (x, y) => [y, x];
    case 2:
      return (x, y) => [width - x, y];
    case 3:
      return (x, y) => [height - y, width - x];
    default:
      return (x, y) => [x, height - y];
  }
}

function readLines(
  file: PdfFile,
  text: number,
  looks: readonly (TextLook | undefined)[],
  turn: Turn,
  quarter: number,
  links: readonly (Box & { href: string })[],
): { lines: RawLine[]; unmapped: number } {
  const lines: RawLine[] = [];
  const aside: RawLine[] = [];
  let line: RawGlyph[] = [];
  let unmapped = 0;
  const flush = () => {
    if (line.some((glyph) => glyph.text.trim() !== "")) {
      (line[0]?.turn === quarter ? lines : aside).push(line);
    }
    line = [];
  };
  for (let index = 0; index < looks.length; index++) {
    const code = file.call("FPDFText_GetUnicode", text, index);
    if (code === 10 || code === 13) {
      flush();
      continue;
    }
    if (code === 0 || code === 0xfffd || code === 0xfffe || (code >= 0xe000 && code <= 0xf8ff)) {
      unmapped++;
    }
    const last = line.at(-1);
    const look = looks[index];
    const glyph = look === undefined
      ? spaceAfter(last, code)
      : readGlyph(file, text, index, code, look, turn, links);
    if (glyph === undefined) continue;
    if (last !== undefined && breaksLine(last, glyph, quarter)) flush();
    line.push(glyph);
  }
  flush();
  return { lines: [...lines, ...aside], unmapped };
}

/** PDFium's own spaces have no place on the page; they take the end of the letter before. */
function spaceAfter(last: RawGlyph | undefined, code: number): RawGlyph | undefined {
  if (last === undefined || code !== 32) return undefined;
  return { ...last, text: " ", left: last.right, right: last.right };
}

function breaksLine(last: RawGlyph, next: RawGlyph, quarter: number): boolean {
  if (next.text.trim() === "") return false;
  // A line across the others advances along their baselines, and stays in its column.
  const isAcross = (next.turn - quarter) % 2 !== 0;
  const step = isAcross ? last.right - next.right : last.baseline - next.baseline;
  return Math.abs(step) > 0.7 * Math.max(last.size, next.size) || last.turn !== next.turn;
}

function readGlyph(
  file: PdfFile,
  text: number,
  index: number,
  code: number,
  look: TextLook,
  turn: Turn,
  links: readonly (Box & { href: string })[],
): RawGlyph | undefined {
  const shown = characterText(code);
  if (shown === "" || file.call("FPDFText_GetLooseCharBox", text, index, file.scratch) === 0) {
    return undefined;
  }
  const [x0, y0] = turn(file.float(0), file.float(1));
  const [x1, y1] = turn(file.float(2), file.float(3));
  file.call("FPDFText_GetCharOrigin", text, index, file.scratch, file.scratch + 8);
  const [, baseline] = turn(file.double(0), file.double(1));
  const box = {
    left: Math.min(x0, x1),
    right: Math.max(x0, x1),
    top: baseline - 0.8 * look.size,
    bottom: baseline + 0.22 * look.size,
  };
  if (Math.abs(y1 - y0) > 6 * look.size) return undefined;
  const { face, size } = look;
  const link = links.length === 0
    ? undefined
    : links.find((one) =>
      (box.left + box.right) / 2 >= one.left && (box.left + box.right) / 2 <= one.right &&
      baseline - 0.3 * size >= one.top && baseline - 0.3 * size <= one.bottom
    );
  return {
    ...box,
    text: shown,
    baseline,
    size,
    face,
    turn: look.turn,
    ...(link === undefined ? {} : { href: link.href }),
  };
}

/** A character as text: ligatures spelled out, control characters dropped. */
function characterText(code: number): string {
  if (code === 2 || code === 0xad) return "\u00ad";
  if (code < 32) return code === 9 ? " " : "";
  if (code === 0xfffe || code === 0xffff || code === 0xfffd) return "";
  if (code >= 0xe000 && code <= 0xf8ff) return privateUse(code);
  const text = String.fromCodePoint(code);
  return (code >= 0xfb00 && code <= 0xfb4f) || (code >= 0xfe70 && code <= 0xfefc)
    ? text.normalize("NFKC")
    : text.replace("\u00a0", " ");
}

/** Symbol fonts put their bullets into the private area. */
function privateUse(code: number): string {
  if (code === 0xf0b7 || code === 0xf0a7 || code === 0xf0d8 || code === 0xf076) return "•";
  if (code === 0xf0fc) return "✓";
  if (code === 0xf0a8) return "☐";
  if (code === 0xf0fe) return "☑";
  if (code === 0xf0fd) return "☒";
  return code >= 0xf021 && code <= 0xf07e ? String.fromCharCode(code - 0xf000) : "";
}
