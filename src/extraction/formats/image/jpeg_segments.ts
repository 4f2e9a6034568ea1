/** Reads the headers of the segments that a JPEG file consists of. */

/** A segment in front of the picture's data. */
export interface JpegSegment {
  readonly marker: number;
  /** Position of the content. */
  readonly start: number;
  /** Whether the segment is the frame, which has the size of the picture. */
  readonly isFrame: boolean;
}

/** Markers in the range of the frames' that have other meanings: tables and a reserved one. */
const OTHER_MARKERS = [0xc4, 0xc8, 0xcc];

/**
 * Yields a JPEG's segments up to the first one that's damaged or truncated. At least the first 6
 * bytes of each segment's content are there.
 */
export function* jpegSegments(view: DataView): Generator<JpegSegment> {
  for (let at = 2; at + 10 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // A marker can be padded with any number of these bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !OTHER_MARKERS.includes(marker);
    yield { marker, start: at + 4, isFrame };
    at += 2 + view.getUint16(at + 2);
  }
}
