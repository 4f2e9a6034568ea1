/** Decodes 32-bit BMP images. The OCR engine decodes all others itself. */
import { type GreyImage, greyOf } from "../../ocr/grey_image.ts";

const UNCOMPRESSED = 0;
const BITFIELDS = 3;
/** The red channel's mask in the default byte order: blue, green, red, unused. */
const RED_MASK = 0x00ff_0000;

/**
 * Returns the image in grayscale, or `undefined` if it's not a supported 32-bit BMP. Callers must
 * check its size first.
 */
export function decodeBmp32(bytes: Uint8Array): GreyImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 58 || view.getUint16(28, true) !== 32) return undefined;
  const compression = view.getUint32(30, true);
  const isSupported = compression === UNCOMPRESSED ||
    (compression === BITFIELDS && view.getUint32(54, true) === RED_MASK);
  const start = view.getUint32(10, true);
  const width = view.getInt32(18, true);
  const signedHeight = view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  if (!isSupported || width < 1 || start + 4 * width * height > bytes.length) return undefined;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    // A negative height means the first row is at the top.
    const to = (signedHeight < 0 ? y : height - 1 - y) * width;
    for (let x = 0, from = start + y * width * 4; x < width; x++, from += 4) {
      pixels[to + x] = greyOf(bytes[from + 2]!, bytes[from + 1]!, bytes[from]!);
    }
  }
  return { width, height, pixels };
}
