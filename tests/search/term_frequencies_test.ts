/** Checks counting with caches against counting term by term. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { countTerms, packTermCounts, TermCounts } from "../../src/search/lexical/term_counts.ts";
import { TermCounter, type TermFrequencies } from "../../src/search/lexical/term_frequencies.ts";
import { hashedTermsOf, termHash } from "../../src/search/query/terms.ts";
import { fc } from "../../testing/fast_check.ts";

type Row = [term: string, hash: number, inText: number, inHeading: number];

function expectedRows(text: string, headings: string): Row[] {
  const rows = new Map<number, Row>();
  for (const [part, column] of [[text, 2], [headings, 3]] as const) {
    for (const { term, hash } of hashedTermsOf(part)) {
      const row = rows.get(hash) ?? [term, hash, 0, 0];
      row[column]++;
      rows.set(hash, row);
    }
  }
  return [...rows.values()].sort((a, b) => a[1] - b[1]);
}

function rowsOf({ size, terms, hashes, inText, inHeading }: TermFrequencies): Row[] {
  return Array.from({ length: size }, (_, index): Row => [
    terms[index]!,
    hashes[index]!,
    inText[index]!,
    inHeading[index]!,
  ]);
}

const piece = fc.oneof(
  fc.constantFrom("running", "Runs", "RUN", "a1", "2024", "x".repeat(39), "x".repeat(41)),
  fc.constantFrom(" ", "\n", "-", "_", "'", "\0", "\x7f", "\u2019", "\u2013", "\u00a0", "\ufeff"),
  fc.constantFrom("Café", "e\u0301", "東京都", "Οδυσσεύς", "\u212a", "ﬁne", "½", "ไทย", "👩‍👧"),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

Deno.test("TermCounter.count() returns the same counts regardless of earlier chunks", () => {
  const counter = new TermCounter();
  fc.assert(fc.property(text, text, (chunk, headings) => {
    const frequencies = counter.count(chunk, headings);
    deepStrictEqual(rowsOf(frequencies), expectedRows(chunk, headings));
    strictEqual(frequencies.length, hashedTermsOf(chunk).length + hashedTermsOf(headings).length);
  }));
});

Deno.test("TermCounter.count() is correct for more words than fit into the cache", () => {
  const counter = new TermCounter();
  const chunk = Array.from({ length: 51_000 }, (_, index) => `w${index}x`).join(" ");
  const expected = expectedRows(chunk, "w7x").join();
  for (let turn = 0; turn < 2; turn++) {
    strictEqual(rowsOf(counter.count(chunk, "w7x")).join(), expected);
  }
  deepStrictEqual(rowsOf(counter.count("w7x w8x", "")), expectedRows("w7x w8x", ""));
});

Deno.test("TermCounter.count() counts two terms with the same hash as the first of them", () => {
  const [first, second] = collidingTerms();
  const counter = new TermCounter();
  deepStrictEqual(rowsOf(counter.count(`${second} ${second}`, first)), [
    [second, termHash(second), 2, 1],
  ]);
  deepStrictEqual(rowsOf(counter.count(first, second)), [[first, termHash(first), 1, 1]]);
});

Deno.test("TermCounts returns the count for each term, up to 255", () => {
  const counter = new TermCounter();
  const packed = packTermCounts(counter.count(`tree ${"oak ".repeat(300)}`, "oak elm"));
  const counts = new TermCounts(packed);
  deepStrictEqual(
    ["tree", "oak", "elm", "ash"].map((term) => {
      const index = counts.indexOf(termHash(term));
      return [counts.textCount(index), counts.headingCount(index)];
    }),
    [[1, 0], [255, 1], [0, 1], [0, 0]],
  );
  strictEqual(countTerms(packed), 258);
});

function collidingTerms(): [string, string] {
  const byHash = new Map<number, string>();
  for (let index = 0;; index++) {
    const word = `t${index}`;
    const first = byHash.get(termHash(word));
    if (first !== undefined) return [first, word];
    byHash.set(termHash(word), word);
  }
}
