/** Scales finely scanned pages down to the resolution OCR needs. */
import type { GreyImage } from "./grey_image.ts";

/**
 * Returns the image scaled by `scale`. Each pixel is the mean of the area it covers.
 *
 * @param scale less than 1
 */
export function downscale(image: GreyImage, scale: number): GreyImage {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const [stepX, stepY] = [image.width / width, image.height / height];
  const pixels = new Uint8Array(width * height);
  const rowSums = new Float32Array(image.width);
  for (let y = 0; y < height; y++) {
    rowSums.fill(0);
    const bottom = Math.min(image.height, (y + 1) * stepY);
    for (let row = Math.floor(y * stepY); row < bottom; row++) {
      const share = Math.min(row + 1, bottom) - Math.max(row, y * stepY);
      const rowStart = row * image.width;
      for (let x = 0; x < image.width; x++) rowSums[x]! += share * image.pixels[rowStart + x]!;
    }
    for (let x = 0; x < width; x++) {
      const right = Math.min(image.width, (x + 1) * stepX);
      let sum = 0;
      for (let column = Math.floor(x * stepX); column < right; column++) {
        sum += (Math.min(column + 1, right) - Math.max(column, x * stepX)) * rowSums[column]!;
      }
      pixels[y * width + x] = Math.round(sum / (stepX * stepY));
    }
  }
  return { width, height, pixels };
}
