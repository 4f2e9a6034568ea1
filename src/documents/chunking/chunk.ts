/** Splits a document's text into chunks, i.e. the passages that are searched and cited. */

import { ByteOffsets } from "./byte_offsets.ts";
import { CutCandidates } from "./candidates.ts";
import { skipWhiteSpace } from "./characters.ts";
import { outlineOf } from "./formats.ts";
import { HeadingPath } from "./headings.ts";
import { pack } from "./pack.ts";

/**
 * The chunker version. Bump this whenever the same content might be cut differently, so that chunks
 * from earlier versions can be recognized. If you forget, the golden test fails.
 */
export const CHUNKER_VERSION = 1;

/** A passage in a document. */
export interface Chunk {
  /** Position among the document's chunks, starting at 0. */
  readonly index: number;
  /** The exact text. Concatenating a document's chunks in order yields the document. */
  readonly content: string;
  /** Start and end (exclusive) in the document's UTF-8 form. */
  readonly start_byte: number;
  readonly end_byte: number;
  /**
   * Titles of the Markdown or HTML headings enclosing the start of the chunk's text, outermost
   * first, including a heading at the start of the chunk. At most 201 UTF-16 code units per title.
   */
  readonly heading_path: readonly string[];
}

/**
 * Splits `content` along its media type's structure into chunks of about 1,200 and at most 2,000
 * UTF-8 bytes. Ignores the type's parameters and treats unknown types as plain text. This is a pure
 * function of its arguments and {@link CHUNKER_VERSION} and runs in linear time.
 *
 * @returns no chunks if the content is empty
 */
export function chunk(content: string, mediaType: string): Chunk[] {
  if (content === "") return [];
  const bytes = new ByteOffsets(content);
  const outline = outlineOf(content, mediaType);
  const starts = pack(content, bytes, new CutCandidates(content, bytes, outline.pieces));
  const headings = new HeadingPath(outline);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? content.length;
    return {
      index,
      content: content.slice(start, end),
      start_byte: bytes.at(start),
      end_byte: bytes.at(end),
      heading_path: headings.pathAt(skipWhiteSpace(content, start, end)),
    };
  });
}
