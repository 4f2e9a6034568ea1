/** Selects the cuts that make for the best chunks overall. */

import type { ByteOffsets } from "./byte_offsets.ts";
import type { CutCandidates } from "./candidates.ts";
import { skipWhiteSpace } from "./characters.ts";
import { CutCost, MAX_CHUNK_BYTES, sizeCost } from "./sizes.ts";

/**
 * Returns the start of each chunk. Minimizes the total cost of sizes and cuts, using the classic
 * dynamic programming approach to break points (Knuth and Plass, "Breaking paragraphs into lines",
 * 1981). Unlike a greedy packer, it doesn't leave tiny chunks before headings and at the end. A
 * window of {@link MAX_CHUNK_BYTES} contains a limited number of candidates, so it takes linear
 * time.
 */
export function pack(content: string, bytes: ByteOffsets, candidates: CutCandidates): number[] {
  const { at, cost } = candidates;
  const textStartAfter = textStarts(content, at);
  const minCost = new Float64Array(at.length);
  const previous = new Int32Array(at.length);
  for (let end = 1; end < at.length; end++) {
    let best = Infinity;
    let chosen = end - 1;
    const endByte = bytes.at(at[end]!);
    for (let start = end - 1; start >= 0; start--) {
      const size = endByte - bytes.at(at[start]!);
      if (size > MAX_CHUNK_BYTES) break;
      let total = minCost[start]! + sizeCost(size);
      if (textStartAfter[start]! >= at[end]!) total += CutCost.blankChunk;
      if (total < best) {
        best = total;
        chosen = start;
      }
    }
    minCost[end] = best + cost[end]!;
    previous[end] = chosen;
  }
  const starts: number[] = [];
  for (let end = at.length - 1; end > 0; end = previous[end]!) starts.push(at[previous[end]!]!);
  return starts.reverse();
}

/** Returns the first non-white-space position at or after each candidate. */
function textStarts(content: string, at: readonly number[]): Float64Array {
  const starts = new Float64Array(at.length).fill(content.length);
  for (let index = at.length - 2; index >= 0; index--) {
    const next = at[index + 1]!;
    const textStart = skipWhiteSpace(content, at[index]!, next);
    starts[index] = textStart < next ? textStart : starts[index + 1]!;
  }
  return starts;
}
