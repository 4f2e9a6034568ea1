/** Rules of what the dashboard makes of answers before it draws them. */

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

Deno.test("a trace is told in words: which list found a memory, and what decided its place", () => {
  assert.equal(describeMatch(TRACE, "a"), "Found by its words (2nd) and by its meaning (1st)");
  assert.equal(describeMatch(TRACE, "b"), "Found by its words (1st)");
  assert.equal(
    describeMatch(TRACE, "c"),
    "Found because it stands next to a memory that was found",
  );
  assert.equal(decidingDifference(ITEMS[1]!, ITEMS[0]!), "it no longer holds");
  assert.equal(decidingDifference(ITEMS[2]!, ITEMS[1]!), "its words fit the query less");
  assert.equal(
    explainRank(TRACE, "b", true),
    "Found by its words (1st); −50 % because it no longer holds. Below 1: it no longer holds.",
  );
  assert.match(explainRank(TRACE, "c", false), /Ranked 3rd by relevance\.$/);
});

Deno.test("the steps of a score come to what the service has multiplied", () => {
  const total = explainScore(TRACE, ITEMS[1]!).reduce(
    (sum, { added, factor }) => factor === undefined ? sum + added! : sum * factor,
    0,
  );
  assert.equal(total.toFixed(6), (0.9 * 0.5).toFixed(6));
});

Deno.test("the drawing has a column for every ranking, and one more for another order", () => {
  const names = (trace: Trace) => rankColumns(trace).map(({ name }) => name);
  assert.deepEqual(names(TRACE), ["Words", "Meaning", "Together", "Boosted"]);
  assert.deepEqual(names({ ...TRACE, selected: ["c", "a"] }).at(-1), "Shown");
  assert.deepEqual(
    names({ ...TRACE, lists: { ...TRACE.lists, vector: [] } })[1],
    "Together",
  );
});

Deno.test("ordinals", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal).join(" "),
    "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th",
  );
});

Deno.test("what is highlighted, cut or taken apart stays the text, character for character", () => {
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

Deno.test("an excerpt is where the words of the query stand closest together", () => {
  const filler = "Nothing of note is kept here. ".repeat(40);
  const cut = excerpt(`${filler}The lamp burns oil. ${filler}`, "lamp oil", 200);
  assert.match(cut, /The lamp burns oil/);
  assert.ok(cut.length < 320 && cut.startsWith("…") && cut.endsWith("…"), cut);
  assert.equal(excerpt("short", "x", 200), "short");
  assert.ok(excerpt("w".repeat(3_000), "x", 200).length < 320);
});

Deno.test("a change is shown by its words", () => {
  assert.deepEqual(wordDiff("User lives in Porto", "User lives in Aarhus now"), [
    { kind: "same", text: "User lives in " },
    { kind: "removed", text: "Porto" },
    { kind: "added", text: "Aarhus now" },
  ]);
  assert.deepEqual(wordDiff("", "new"), [{ kind: "added", text: "new" }]);
});

Deno.test("a line of time has at most as many dates as fit, within what it shows", () => {
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
