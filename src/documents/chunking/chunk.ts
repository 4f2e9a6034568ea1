/** Splits the text of a document into chunks: the passages that are searched and cited. */

import { ByteOffsets } from "./byte_offsets.ts";
import { CutCandidates } from "./candidates.ts";
import { skipWhiteSpace } from "./characters.ts";
import { outlineOf } from "./formats.ts";
import { HeadingPath } from "./headings.ts";
import { pack } from "./pack.ts";

/**
 * Goes up whenever the same content may come out cut differently, so that stored chunks can be
 * told from what this code would make. The golden test fails when it was forgotten.
 */
export const CHUNKER_VERSION = 1;

/** One passage of a document. */
export interface Chunk {
  /** Its position among the document's chunks, from 0. */
  readonly index: number;
  /** Its exact text; all chunks of a document, concatenated in order, are the document. */
  readonly content: string;
  /** Where it begins and ends (exclusive) in the document's UTF-8 form. */
  readonly start_byte: number;
  readonly end_byte: number;
  /**
   * The titles of the Markdown or HTML headings in force where its text begins, outermost first;
   * a heading that begins the chunk is among them. Titles are at most 201 UTF-16 units long.
   */
  readonly heading_path: readonly string[];
}

/**
 * Splits `content` along the structure of its media type (parameters are ignored; an unknown type
 * is read as plain text) into chunks of about 1,200 and at most 2,000 UTF-8 bytes. A pure function
 * of its arguments and {@link CHUNKER_VERSION}, in linear time. Empty content has no chunks.
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
