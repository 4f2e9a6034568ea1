/** Makes a page that was scanned finely as small as recognition needs it. */
import type { GreyImage } from "../formats/pdf/pdfium.ts";

/**
 * The image at `scale` times its size, which is below 1: each pixel is the mean of the area it
 * covers.
 */
export function downscale(image: GreyImage, scale: number): GreyImage {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const [stepX, stepY] = [image.width / width, image.height / height];
  const pixels = new Uint8Array(width * height);
  const line = new Float32Array(image.width);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    const bottom = Math.min(image.height, (y + 1) * stepY);
    for (let row = Math.floor(y * stepY); row < bottom; row++) {
      const share = Math.min(row + 1, bottom) - Math.max(row, y * stepY);
      const from = row * image.width;
      for (let x = 0; x < image.width; x++) line[x]! += share * image.pixels[from + x]!;
    }
    for (let x = 0; x < width; x++) {
      const right = Math.min(image.width, (x + 1) * stepX);
      let sum = 0;
      for (let at = Math.floor(x * stepX); at < right; at++) {
        sum += (Math.min(at + 1, right) - Math.max(at, x * stepX)) * line[at]!;
      }
      pixels[y * width + x] = Math.round(sum / (stepX * stepY));
    }
  }
  return { width, height, pixels };
}
