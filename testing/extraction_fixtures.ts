/** Creates small files for extraction tests: packages, PDFs and images. */
import { PdfFile } from "../src/extraction/formats/pdf/pdfium.ts";
import type { GreyImage } from "../src/extraction/ocr/grey_image.ts";
import { Engines } from "../src/extraction/engines.ts";
import { type QuarterTurns, rotateImage } from "../src/extraction/ocr/orientation.ts";
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync, deflateSync } from "node:zlib";
import { extract, type ExtractedMarkdown } from "../src/extraction/extract.ts";
import { loadAssets } from "../src/extraction/assets.ts";
import { concatBytes } from "../src/kernel/bytes/bytes.ts";

const encoder = new TextEncoder();
const engines = new Engines(loadAssets());

/** Extracts a file in this process, with the product's limits. */
export function read(
  content: Uint8Array | string,
  declaredType: string,
  options: { filename?: string; maxPages?: number; maxOutputBytes?: number } = {},
): Promise<ExtractedMarkdown> {
  return extract({
    bytes: typeof content === "string" ? encoder.encode(content) : content,
    declaredType,
    filename: options.filename ?? "file",
    maxPages: options.maxPages ?? 300,
    maxOutputBytes: options.maxOutputBytes ?? 1_000_000,
    engines,
  });
}

/** Returns a file's Markdown without the final line feed. */
export async function markdownOf(content: Uint8Array | string, type: string): Promise<string> {
  return (await read(content, type)).markdown.trimEnd();
}

/** Creates a zip container. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = typeof content === "string" ? encoder.encode(content) : content;
    const compressed = deflateRawSync(data);
    const path = encoder.encode(name);
    const common = [
      ...u16(20, 0, 8, 0, 0),
      ...u32(crc32(data), compressed.length, data.length),
      ...u16(path.length, 0),
    ];
    const local = Uint8Array.from([...u32(0x04034b50), ...common, ...path]);
    parts.push(local, compressed);
    directory.push(Uint8Array.from([
      ...u32(0x02014b50),
      ...u16(20),
      ...common,
      ...u16(0, 0, 0),
      ...u32(0, offset),
      ...path,
    ]));
    offset += local.length + compressed.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const count = directory.length;
  const end = [...u32(0x06054b50), ...u16(0, 0, count, count), ...u32(size, offset), ...u16(0)];
  return concatBytes([...parts, ...directory, Uint8Array.from(end)]);
}

/** Returns 16-bit numbers as little-endian bytes. */
export function u16(...values: number[]): number[] {
  return values.flatMap((value) => [value & 255, (value >> 8) & 255]);
}

/** Returns 32-bit numbers as little-endian bytes. */
export function u32(...values: number[]): number[] {
  return values.flatMap((value) => [
    value & 255,
    (value >>> 8) & 255,
    (value >>> 16) & 255,
    value >>> 24,
  ]);
}

const CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Returns a list of relationships, id → [type, target]. */
export function relations(entries: Readonly<Record<string, readonly [string, string]>>): string {
  const items = Object.entries(entries).map(([id, [type, target]]) => {
    const mode = /^https?:/.test(target) ? ' TargetMode="External"' : "";
    return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${mode}/>`;
  });
  return `<Relationships xmlns="${RELATIONS}">${items.join("")}</Relationships>`;
}

export function contentTypes(part: string, type: string): string {
  return `<Types xmlns="${CONTENT_TYPES}"><Override PartName="/${part}" ContentType="${type}+xml"/></Types>`;
}

/** Creates a DOCX from `body` and any extra parts under `word/`. */
export function docx(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const more = Object.fromEntries(
    Object.entries(parts).map(([name, content]) => [
      `word/${name}`,
      content.replace(/^<(w:\w+)/, `<$1 xmlns:w="${WORD}"`),
    ]),
  );
  const ownParts = Object.keys(parts).filter((name) => /^\w+\.xml$/.test(name));
  const related = ownParts.map((name) => [name, [name.replace(".xml", ""), name]] as const);
  return zip({
    "[Content_Types].xml": contentTypes(
      "word/document.xml",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main",
    ),
    "_rels/.rels": relations({ r1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml":
      `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations({
      link: ["hyperlink", "https://example.org/"],
      ...Object.fromEntries(related),
    }),
    ...more,
  });
}

/** Returns a DOCX paragraph. */
export function wordParagraph(text: string, properties = "", run = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/**
 * Creates an EPUB from sections (`o/s0.xhtml` …) in reading order, plus any extra files. The
 * manifest and the zip list the sections in reverse.
 */
export function epub(
  sections: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = sections.map((_, index) => `s${index}`);
  const items = names.toReversed().map((name) => `<item id="${name}" href="${name}.xhtml"/>`);
  const spine = names.map((name) => `<itemref idref="${name}"/>`);
  const files = sections.toReversed().map((section, index) => [
    `o/s${sections.length - 1 - index}.xhtml`,
    `<html xmlns="http://www.w3.org/1999/xhtml"><body>${section}</body></html>`,
  ]);
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      `<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>`,
    "o/p.opf": `<package><manifest>${items.join("")}</manifest>` +
      `<spine>${spine.join("")}</spine></package>`,
    ...Object.fromEntries(files),
    ...more,
  });
}

/** A text on a PDF page. `y` is measured from the bottom, in points. */
export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly bold?: boolean;
  /** Red, green and blue, 0 to 1. Defaults to black. */
  readonly color?: readonly [number, number, number];
  /** Id of the marked content that the text is part of. Only for `taggedPdf()`. */
  readonly mark?: number;
}

/**
 * Creates a PDF from the texts on each page. Every page also gets `drawing` (PDF operators, e.g.
 * ruling lines) and `annotations`.
 */
export function pdf(
  pages: readonly (readonly PdfText[])[],
  drawing = "",
  annotations = "",
): Uint8Array {
  return pdfFile(pdfObjects(pages, drawing, annotations));
}

function pdfObjects(
  pages: readonly (readonly PdfText[])[],
  drawing = "",
  annotations = "",
): string[] {
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
  ];
  pages.forEach((texts, index) => {
    const content = texts.map(drawText).join("\n") + `\n${drawing}`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${6 + index * 2} 0 R` +
        `/Annots[${annotations}]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>`,
      pdfStream("", content),
    );
  });
  return objects;
}

function drawText({ x, y, text, size = 11, bold = false, color = [0, 0, 0], mark }: PdfText) {
  const shown = text.replace(/[()\\]/g, "\\$&");
  const drawn = `${color.join(" ")} rg BT /F${
    bold ? 2 : 1
  } ${size} Tf ${x} ${y} Td (${shown}) Tj ET`;
  return mark === undefined ? drawn : `/P <</MCID ${mark}>> BDC ${drawn} EMC`;
}

/**
 * Creates a PDF with one page, drawn by `content` (PDF operators). Each digit in its texts means the
 * character at that position in `digits`, or the characters of a ligature.
 */
export function mappedPdf(content: string, digits: readonly string[]): Uint8Array {
  const utf16 = (text: string) =>
    Array.from(
      { length: text.length },
      (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"),
    ).join("");
  const mapping = digits.map((text, digit) => `<3${digit}> <${utf16(text)}>`).join("\n");
  return pdfFile([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[5 0 R]/Count 1>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 4 0 R>>",
    pdfStream(
      "",
      "begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n" +
        `${digits.length} beginbfchar\n${mapping}\nendbfchar endcmap`,
    ),
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
    pdfStream("", content),
  ]);
}

/** A bookmark: its title, the index of its page, and the bookmarks below it. */
export interface PdfBookmark extends ReadonlyArray<string | number | PdfBookmark> {}

/** Creates a PDF with an outline. */
export function outlinedPdf(
  pages: readonly (readonly PdfText[])[],
  outline: readonly PdfBookmark[],
): Uint8Array {
  const objects = pdfObjects(pages);
  const root = objects.push("");
  objects[0] = `<</Type/Catalog/Pages 2 0 R/Outlines ${root} 0 R>>`;
  const add = (bookmarks: readonly PdfBookmark[], parent: number): string => {
    const numbers = bookmarks.map(() => objects.push(""));
    bookmarks.forEach(([title, page, ...children], index) => {
      const next = numbers[index + 1];
      objects[numbers[index]! - 1] = `<</Title(${title})/Parent ${parent} 0 R` +
        `/Dest[${5 + Number(page) * 2} 0 R/Fit]${next === undefined ? "" : `/Next ${next} 0 R`}` +
        `${add(children as PdfBookmark[], numbers[index]!)}>>`;
    });
    return numbers.length === 0 ? "" : `/First ${numbers[0]} 0 R/Last ${numbers.at(-1)} 0 R`;
  };
  objects[root - 1] = `<</Type/Outlines${add(outline, root)}>>`;
  return pdfFile(objects);
}

/** A structure element: its type, then its children or the ids of its marked content. */
export interface PdfTag extends ReadonlyArray<string | number | PdfTag> {}

/** Creates a tagged PDF with one page. */
export function taggedPdf(texts: readonly PdfText[], tags: readonly PdfTag[]): Uint8Array {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R>>",
    "<</Type/Pages/Kids[5 0 R]/Count 1>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/StructParents 0" +
    "/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>",
    pdfStream("", texts.map(drawText).join("\n")),
    "",
  ];
  const owners: number[] = [];
  const add = ([type, ...rest]: PdfTag, parent: number): number => {
    const number = objects.push("");
    const kids = (rest as (PdfTag | number)[]).map((child) => {
      if (typeof child !== "number") return `${add(child, number)} 0 R`;
      owners[child] = number;
      return child;
    });
    objects[number - 1] = `<</Type/StructElem/S/${type}/P ${parent} 0 R/Pg 5 0 R/K[${
      kids.join(" ")
    }]>>`;
    return number;
  };
  const kids = tags.map((tag) => `${add(tag, 7)} 0 R`);
  const parents = Array.from(owners, (owner) => owner === undefined ? "null" : `${owner} 0 R`);
  objects[6] = `<</Type/StructTreeRoot/K[${kids.join(" ")}]` +
    `/ParentTree<</Nums[0[${parents.join(" ")}]]>>>>`;
  return pdfFile(objects);
}

/** Returns a stream for `pdfFile()`. */
export function pdfStream(entries: string, content: string): string {
  return `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Creates a PDF from numbered objects. The first one is the catalog. */
export function pdfFile(objects: readonly string[]): Uint8Array {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return Uint8Array.from(file, (char) => char.charCodeAt(0));
}

/** Creates a grey PNG. */
export function png(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  const signature = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return concatBytes([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = concatBytes([encoder.encode(type), data]);
  const frame = new Uint8Array(8);
  new DataView(frame.buffer).setUint32(0, data.length);
  new DataView(frame.buffer).setUint32(4, crc32(body));
  return concatBytes([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Creates a 32-bit BMP, bottom row first. */
export function bmp({ width, height, pixels }: GreyImage): Uint8Array {
  const size = 4 * pixels.length;
  const header = [
    ...encoder.encode("BM"),
    ...u32(54 + size, 0, 54, 40, width, height),
    ...u16(1, 32),
    ...u32(0, size, 0, 0, 0, 0),
  ];
  const file = new Uint8Array(54 + size);
  file.set(header);
  pixels.forEach((grey, at) => {
    const row = height - 1 - Math.floor(at / width);
    file.fill(grey, 54 + 4 * (row * width + at % width), 57 + 4 * (row * width + at % width));
  });
  return file;
}

/** Creates a TIFF with a declared resolution. Its pages are grey, or CMYK if `inks` is set. */
export function tiff(pages: readonly GreyImage[], dpi: number, inks = false): Uint8Array {
  const [short, long, rational] = [3, 4, 5];
  const parts: Uint8Array[] = [Uint8Array.from([...encoder.encode("II"), ...u16(42), ...u32(8)])];
  let at = 8;
  pages.forEach(({ width, height, pixels: grey }, index) => {
    const pixels = inks
      ? Uint8Array.from([...grey].flatMap((level) => [0, 0, 0, 255 - level]))
      : grey;
    const entries = [
      [256, long, width],
      [257, long, height],
      [258, short, 8],
      [259, short, 1],
      [262, short, inks ? 5 : 1],
      [273, long, 0],
      [277, short, inks ? 4 : 1],
      [278, long, height],
      [279, long, pixels.length],
      [282, rational, 0],
      [296, short, 2],
    ];
    const resolutionAt = at + 2 + entries.length * 12 + 4;
    const pixelsAt = resolutionAt + 8;
    const next = index + 1 < pages.length ? pixelsAt + pixels.length : 0;
    const encodedEntries = entries.map(([tag = 0, type = 0, value = 0]) => [
      ...u16(tag, type),
      ...u32(1, tag === 273 ? pixelsAt : tag === 282 ? resolutionAt : value),
    ]);
    parts.push(
      Uint8Array.from([...u16(entries.length), ...encodedEntries.flat(), ...u32(next, dpi, 1)]),
      pixels,
    );
    at = pixelsAt + pixels.length;
  });
  return concatBytes(parts);
}

/** Renders lines of text as a scanned page, rotated by `turn`. */
export async function scanned(
  text: string,
  { turn = 0, dpi = 200, size = 14 }: { turn?: QuarterTurns; dpi?: number; size?: number } = {},
): Promise<GreyImage> {
  const pitch = Math.round(1.4 * size);
  const lines = text.split("\n").map((line, at) => ({
    x: 72,
    y: 700 - pitch * at,
    text: line,
    size,
  }));
  return rotateImage(await rendered(pdf([lines]), dpi), turn);
}

/** Renders the first page of a PDF. */
export async function rendered(file: Uint8Array, dpi = 200): Promise<GreyImage> {
  const open = PdfFile.open(file, await engines.pdf());
  const image = open.render(open.call("FPDF_LoadPage", open.document, 0), dpi, 25_000_000);
  open.close();
  return image;
}

/** Creates an image file that contains a scanned page. */
export async function scan(text: string, turn: QuarterTurns = 0): Promise<Uint8Array> {
  const { width, height, pixels } = await scanned(text, { turn });
  return png(width, height, pixels);
}

/**
 * Creates a one-page PDF with nothing but a picture, like the ones scanners produce, and a stamp
 * that another program added as text. The picture shows through the stamp.
 *
 * @param page additional entries of the page
 */
export function picturePdf(
  { width, height, pixels }: GreyImage,
  stamp: readonly PdfText[] = [],
  page = "",
): Uint8Array {
  const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}` +
    "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode";
  return pdfFile([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R${page}` +
    "/Resources<</XObject<</I 5 0 R>>/Font<</F1 6 0 R>>/ExtGState<</M<</BM/Multiply>>>>>>>>",
    pdfStream("", `q 612 0 0 792 0 0 cm /I Do Q /M gs ${stamp.map(drawText).join("\n")}`),
    pdfStream(image, latin1(deflateSync(pixels))),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
  ]);
}

/** Returns lines for a PDF page, one below the other. */
export function linesOf(x: number, top: number, ...texts: string[]): PdfText[] {
  return texts.map((text, index) => ({ x, y: top - index * 14, text }));
}

/** A three-line paragraph. */
export const PROSE: readonly string[] = [
  "The quick brown fox jumps over the lazy dog and runs on",
  "into the wide open field where nobody can find it again",
  "until the evening comes and everybody goes back to bed.",
];
