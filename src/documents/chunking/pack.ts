/** Chooses among the places to cut those that make the best chunks together. */

import type { ByteOffsets } from "./byte_offsets.ts";
import type { CutCandidates } from "./candidates.ts";
import { skipWhiteSpace } from "./characters.ts";
import { CutCost, MAX_CHUNK_BYTES, sizeCost } from "./sizes.ts";

/**
 * Where each chunk begins. The choice with the least sum of sizes and cuts, found by the classic
 * dynamic programme over break points (Knuth and Plass, "Breaking paragraphs into lines", 1981):
 * a greedy packer leaves crumbs before headings and at the end, this one doesn't. The window of
 * {@link MAX_CHUNK_BYTES} holds a bounded number of candidates, so the time is linear.
 */
export function pack(content: string, bytes: ByteOffsets, candidates: CutCandidates): number[] {
  const { at, cost } = candidates;
  const inkFrom = firstInks(content, at);
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
      if (inkFrom[start]! >= at[end]!) total += CutCost.blankChunk;
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

/** For each place, the first position from there on that isn't white space. */
function firstInks(content: string, at: readonly number[]): Float64Array {
  const inks = new Float64Array(at.length).fill(content.length);
  for (let index = at.length - 2; index >= 0; index--) {
    const next = at[index + 1]!;
    const ink = skipWhiteSpace(content, at[index]!, next);
    inks[index] = ink < next ? ink : inks[index + 1]!;
  }
  return inks;
}
