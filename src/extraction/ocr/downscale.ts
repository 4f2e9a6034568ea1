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
  const narrowed = new Float32Array(width);
  const sums = new Float32Array(width);
  const edges = edgesOf(width, stepX);
  for (let y = 0, row = -1; y < height; y++) {
    const [top, bottom] = [y * stepY, Math.min(image.height, (y + 1) * stepY)];
    sums.fill(0);
    for (let at = Math.floor(top); at < bottom; at++) {
      // The last row of a pixel is often the first one of the next.
      if (at !== row) {
        row = at;
        narrow(image.pixels.subarray(at * image.width, (at + 1) * image.width), edges, narrowed);
      }
      const share = Math.min(at + 1, bottom) - Math.max(at, top);
      for (let x = 0; x < width; x++) sums[x]! += share * narrowed[x]!;
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = sums[x]! / (stepX * stepY) + 0.5;
  }
  return { width, height, pixels };
}

/** The right edges of the pixels in a row: the column that each is in, and its share of it. */
interface Edges {
  readonly columns: Int32Array;
  readonly shares: Float32Array;
}

function edgesOf(width: number, step: number): Edges {
  const columns = new Int32Array(width);
  const shares = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    columns[x] = Math.floor((x + 1) * step);
    shares[x] = (x + 1) * step - columns[x]!;
  }
  return { columns, shares };
}

/** Writes the sums of a row's values between edges. */
function narrow(row: Uint8Array, { columns, shares }: Edges, sums: Float32Array): void {
  let rest = 0;
  for (let x = 0, column = 0; x < sums.length; x++) {
    let sum = rest;
    for (const end = columns[x]!; column < end; column++) sum += row[column]!;
    // The last edge is at the end of the row, or beyond it by a rounding error.
    const value = column < row.length ? row[column++]! : 0;
    sums[x] = sum + shares[x]! * value;
    rest = value - shares[x]! * value;
  }
}
