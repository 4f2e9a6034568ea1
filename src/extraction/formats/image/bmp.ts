/** BMP of 32 bits a pixel, which the engine of OCR doesn't decode; it does all others. */
import type { GreyImage } from "../pdf/pdfium.ts";

const UNCOMPRESSED = 0;
const BITFIELDS = 3;
/** The usual order of bytes: blue, green, red, and one without meaning. */
const RED_MASK = 0x00ff_0000;

/** The picture in grey, or undefined when it isn't such a BMP. Its size was checked before. */
export function decodeBmp32(bytes: Uint8Array): GreyImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 58 || view.getUint16(28, true) !== 32) return undefined;
  const compression = view.getUint32(30, true);
  const isUsual = compression === UNCOMPRESSED ||
    (compression === BITFIELDS && view.getUint32(54, true) === RED_MASK);
  const start = view.getUint32(10, true);
  const width = view.getInt32(18, true);
  const signed = view.getInt32(22, true);
  const height = Math.abs(signed);
  if (!isUsual || width < 1 || start + 4 * width * height > bytes.length) return undefined;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    // A negative height says that the first row is the upper one.
    const to = (signed < 0 ? y : height - 1 - y) * width;
    for (let x = 0, from = start + y * width * 4; x < width; x++, from += 4) {
      pixels[to + x] = (bytes[from]! * 29 + bytes[from + 1]! * 150 + bytes[from + 2]! * 77) >> 8;
    }
  }
  return { width, height, pixels };
}
