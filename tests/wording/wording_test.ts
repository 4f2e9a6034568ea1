import { deepStrictEqual } from "node:assert/strict";
import { findProblems } from "../../scripts/wording/check_pages.ts";
import plugin from "../../scripts/wording/lint_plugin.ts";
import { avoidedWordsIn } from "../../scripts/wording/words.ts";

function reported(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

Deno.test("avoidedWordsIn() returns each avoided word with its offset", () => {
  const found = avoidedWordsIn("A stale lease tells nobody.").map((
    { offset, word },
  ) => [offset, word]);
  deepStrictEqual(found, [[14, "tells"], [20, "nobody"]]);
});

Deno.test("avoidedWordsIn() accepts standard words that contain an avoided word", () => {
  deepStrictEqual(avoidedWordsIn("The standard is understood. There is no default."), []);
});

Deno.test("commonplace/wording reports comments and strings in the product", () => {
  deepStrictEqual(reported("/src/a.ts", '/** Tells why. */\nexport const a = "mended";\n'), [
    'Avoid "Tells"',
    'Avoid "mended"',
  ]);
});

Deno.test("commonplace/wording reports test names, but not the sample data in tests", () => {
  deepStrictEqual(reported("/tests/a_test.ts", 'Deno.test("it tells", () => ask("Tell me"));\n'), [
    'Avoid "tells"',
  ]);
});

Deno.test("commonplace/wording reports comments in the builtin engine, but not its sentences", () => {
  const source = [
    '/** "Nobody told me" tells nothing. */',
    "const TOLD = /told by (?:no|some)body/;",
    'const answer = "told";',
  ].join("\n");
  deepStrictEqual(reported("/src/inference/builtin/rules/a.ts", source), ['Avoid "tells"']);
});

Deno.test("commonplace/wording reports limits that aren't named MAX_ or MIN_", () => {
  deepStrictEqual(reported("/src/a.ts", "export const LEAST_BYTES = 1;\n"), [
    "Name limits MAX_… or MIN_…, not LEAST_BYTES",
  ]);
});

Deno.test("commonplace/wording reports an exception without a reason", () => {
  const without = "// deno-lint-ignore commonplace/wording\nexport const a = 1;\n";
  deepStrictEqual(reported("/src/a.ts", without), ["Give a reason after ` -- `"]);
  deepStrictEqual(reported("/src/a.ts", without.replace("wording", "wording -- a quote")), []);
});

Deno.test("findProblems() skips code, and the paragraph after an exception", () => {
  const page = [
    "It tells.",
    "```sh",
    "echo tells",
    "```",
    "`tells` is a command.",
    "<!-- wording: a quotation -->",
    "",
    "She tells him,",
    "and nobody else.",
    "",
    "It tells again.",
  ];
  deepStrictEqual(
    findProblems("a.md", page.join("\n")).map((problem) => problem.split(": ")[0]),
    ["a.md:1", "a.md:11"],
  );
});
