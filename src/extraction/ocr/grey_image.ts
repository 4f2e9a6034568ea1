/** A page as a picture. */

/** A page with 8 bits of grey per pixel. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}
