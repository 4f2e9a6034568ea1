/** Tests the functions that prepare responses for display. */

import assert from "node:assert/strict";
import {
  decidingDifference,
  describeMatch,
  explainRank,
  explainScore,
  ordinal,
  type Trace,
} from "../../src/dashboard/client/pages/memories/explain.ts";
import { rankColumns } from "../../src/dashboard/client/pages/memories/ranks.ts";
import { splitBlocks } from "../../src/dashboard/client/parts/text/blocks.ts";
import { excerpt } from "../../src/dashboard/client/parts/text/excerpt.ts";
import { highlight } from "../../src/dashboard/client/parts/text/highlight.ts";
import { axisTicks, timeScale } from "../../src/dashboard/client/parts/data/time_scale.ts";
import { wordDiff } from "../../src/dashboard/client/parts/text/word_diff.ts";

const ITEMS = [
  { id: "a", score: 0.8, parts: { words: 0.7, similarity: 0.5, relevance: 1.1 } },
  { id: "b", score: 0.4, parts: { words: 0.8, similarity: 0.4, relevance: 0.9, ended: 0.5 } },
  { id: "c", score: 0.3, parts: { words: 0.2, similarity: 0.3, relevance: 0.3 } },
];

const TRACE: Trace = {
  strategy: "balanced",
  terms: [{ term: "live", frequency: 2, weight: 4, asked: true }],
  lists: {
    lexical: [{ id: "b", rank: 1, score: 0.8 }, { id: "a", rank: 2, score: 0.7 }],
    vector: [{ id: "a", rank: 1, score: 0.5 }],
  },
  fused: ITEMS,
  selected: ["a", "b", "c"],
  selected_items: ITEMS.map((item, index) => ({ ...item, rank: index + 1 })),
};

Deno.test("explainRank() names the list that found a memory and the difference that decided its rank", () => {
  assert.equal(describeMatch(TRACE, "a"), "Matched by words (2nd) and by meaning (1st)");
  assert.equal(describeMatch(TRACE, "b"), "Matched by words (1st)");
  assert.equal(
    describeMatch(TRACE, "c"),
    "Found because it is next to a matching memory",
  );
  assert.equal(decidingDifference(ITEMS[1]!, ITEMS[0]!), "it is no longer valid");
  assert.equal(decidingDifference(ITEMS[2]!, ITEMS[1]!), "its words match the query less");
  assert.equal(
    explainRank(TRACE, "b", true),
    "Matched by words (1st); −50% because it is no longer valid. Ranked below the 1st because it is no longer valid.",
  );
  assert.match(explainRank(TRACE, "c", false), /Ranked 3rd by relevance\.$/);
});

Deno.test("explainScore() returns steps that add up to the score from the service", () => {
  const total = explainScore(TRACE, ITEMS[1]!).reduce(
    (sum, { added, factor }) => factor === undefined ? sum + added! : sum * factor,
    0,
  );
  assert.equal(total.toFixed(6), (0.9 * 0.5).toFixed(6));
});

Deno.test("rankColumns() returns one column per ranking, and an extra one if the displayed order differs", () => {
  const names = (trace: Trace) => rankColumns(trace).map(({ name }) => name);
  assert.deepEqual(names(TRACE), ["Words", "Meaning", "Combined", "Boosted"]);
  assert.deepEqual(names({ ...TRACE, selected: ["c", "a"] }).at(-1), "Shown");
  assert.deepEqual(
    names({ ...TRACE, lists: { ...TRACE.lists, vector: [] } })[1],
    "Combined",
  );
});

Deno.test("ordinal() returns st, nd, rd and th", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal).join(" "),
    "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th",
  );
});

Deno.test("highlight() and splitBlocks() keep every character of the text", () => {
  const text = "Ana lives in Porto.\n\n| a | b |\n\n# Living there\n```\ncode\n```\nlast";
  assert.equal(highlight(text, "who lives").map((part) => part.text).join(""), text);
  assert.equal(splitBlocks(text).map((block) => block.text).join(""), text);
  assert.deepEqual(
    highlight("Ana lives in Porto", "where does Ana live?").filter(({ isMatch }) => isMatch)
      .map(({ text }) => text),
    ["Ana", "lives"],
  );
  assert.deepEqual(
    splitBlocks(text).map(({ kind }) => kind),
    ["text", "columns", "text", "heading", "columns", "text"],
  );
});

Deno.test("excerpt() cuts where the query words are closest together", () => {
  const filler = "Nothing of note is kept here. ".repeat(40);
  const cut = excerpt(`${filler}The lamp burns oil. ${filler}`, "lamp oil", 200);
  assert.match(cut, /The lamp burns oil/);
  assert.ok(cut.length < 320 && cut.startsWith("…") && cut.endsWith("…"), cut);
  assert.equal(excerpt("short", "x", 200), "short");
  assert.ok(excerpt("w".repeat(3_000), "x", 200).length < 320);
});

Deno.test("wordDiff() compares word by word", () => {
  assert.deepEqual(wordDiff("User lives in Porto", "User lives in Aarhus now"), [
    { kind: "same", text: "User lives in " },
    { kind: "removed", text: "Porto" },
    { kind: "added", text: "Aarhus now" },
  ]);
  assert.deepEqual(wordDiff("", "new"), [{ kind: "added", text: "new" }]);
});

Deno.test("axisTicks() returns at most twice the maximum number of dates, all within the scale", () => {
  const years = (from: string, to: string) => timeScale(Date.parse(from), Date.parse(to), 0, 600);
  for (
    const scale of [
      years("2023-01-10", "2026-11-21"),
      years("1950-01-01", "2026-01-01"),
      years("2026-05-01", "2026-05-09"),
      years("2026-05-01", "2026-05-01"),
      years("0001-01-01", "9999-12-31"),
    ]
  ) {
    const ticks = axisTicks(scale, 6, "en");
    assert.ok(ticks.length <= 12, `${ticks.length}`);
    assert.ok(ticks.every(({ at }) => at >= scale.from && at <= scale.to));
  }
  const scale = years("2024-01-01", "2026-01-01");
  assert.equal(scale.toPixel(scale.from), 0);
  assert.equal(Math.round(scale.toInstant(scale.toPixel(Date.parse("2025-01-01")))), 1735689600000);
});
