/** A page as a picture. */

/** A page with 8 bits of grey per pixel. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Returns how light a color is. */
export function greyOf(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8;
}
