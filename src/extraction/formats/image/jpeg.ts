/**
 * Decodes JPEG files with PDFium, as the picture of a PDF with one page. It's fast, and scales a
 * fine scan down at the same time.
 */
import { concatBytes } from "../../../kernel/bytes/bytes.ts";
import type { GreyImage } from "../../ocr/grey_image.ts";
import { type PdfEngine, PdfFile } from "../pdf/pdfium.ts";
import type { ImageHeader } from "./image_header.ts";
import { jpegSegments } from "./jpeg_segments.ts";

/** A picture as it's stored in a PDF. */
interface PictureStream {
  /** Its color space and encoding. */
  readonly dictionary: string;
  readonly data: Uint8Array;
}

const MAX_PICTURE_PIXELS = 50_000_000;

/**
 * Returns a JPEG scaled by `scale`, or undefined if PDFium can't read it: if it's damaged, or isn't
 * stored the way that PDFs store pictures.
 */
export function decodeJpeg(
  bytes: Uint8Array,
  { width, height }: ImageHeader,
  scale: number,
  engine: PdfEngine,
): GreyImage | undefined {
  const stream = jpegStream(bytes);
  if (stream === undefined) return undefined;
  const file = PdfFile.open(picturePdf(stream, width, height), engine);
  try {
    const page = file.call("FPDF_LoadPage", file.document, 0);
    const image = file.render(page, 72 * scale, MAX_PICTURE_PIXELS);
    file.call("FPDF_ClosePage", page);
    // PDFium leaves out what it can't decode.
    return image.pixels.every((value) => value === 255) ? undefined : image;
  } finally {
    file.close();
  }
}

/** Returns a JPEG with one or three colors. Those with four have several meanings. */
function jpegStream(bytes: Uint8Array): PictureStream | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frame = jpegSegments(view).find(({ isFrame }) => isFrame);
  if (frame === undefined) return undefined;
  const space = { 1: "/DeviceGray", 3: "/DeviceRGB" }[view.getUint8(frame.start + 5)];
  if (space === undefined || view.getUint8(frame.start) !== 8) return undefined;
  const dictionary = `/ColorSpace ${space}/BitsPerComponent 8/Filter/DCTDecode`;
  return { dictionary, data: bytes };
}

/** Returns a PDF with a page that's as large as the picture, one point per pixel. */
function picturePdf(
  { dictionary, data }: PictureStream,
  width: number,
  height: number,
): Uint8Array {
  const content = `${width} 0 0 ${height} 0 0 cm /I Do`;
  const encoder = new TextEncoder();
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R` +
    "/Resources<</XObject<</I 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}${dictionary}` +
    `/Length ${data.length}>>stream\n`,
  ];
  let text = "%PDF-1.5\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${object}${index === 4 ? "" : "\nendobj\n"}`;
    return offset;
  });
  const end = "\nendstream\nendobj\n";
  const tableAt = text.length + data.length + end.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}` +
    `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${tableAt}\n%%EOF`;
  return concatBytes([encoder.encode(text), data, encoder.encode(end + table)]);
}
