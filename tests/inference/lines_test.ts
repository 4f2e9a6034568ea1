/** Checks how long expressions are compiled. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { compile, pattern } from "../../src/inference/builtin/lexicon/lines.ts";

Deno.test("compile() writes an empty lookahead behind groups of alternatives in an anchored expression", () => {
  strictEqual(compile("^(?:a|bc)d", "i").source, "^(?:a|bc)(?=)d");
  strictEqual(compile("^(a|b){1,2}? (?:c(?:d|e))+f").source, "^(a|b){1,2}?(?=) (?:c(?:d|e))+f");
  strictEqual(pattern("u")`^(?<x>a|b)\(`.source, "^(?<x>a|b)(?=)\\(");
  const compiled = compile("^(?:a|bc)d", "i");
  strictEqual(compile(compiled.source, compiled.flags).source, compiled.source);
});

Deno.test("compile() leaves other groups and other expressions as they are", () => {
  for (
    const source of [
      "^(?:abc)d",
      "^(?:(?:a|b)|c)",
      "^(?!a|b)c(?<=d|e)f",
      "^[(a|b)]c\\(a|b\\)",
      "(?:a|b)c",
      "^(?:a|b)c|d",
    ]
  ) strictEqual(compile(source).source, source);
});

Deno.test("compile() returns an expression with the same matches", () => {
  const source = "^(?:so|and|well),? (?:(I|we|[()|]) )?(go|went)(?: to)? (?=(?:the|an?) )";
  for (
    const text of ["so, I went to the sea", "and ( go a", "well went an", "so we go to", "sand"]
  ) {
    deepStrictEqual(compile(source, "i").exec(text), new RegExp(source, "i").exec(text));
  }
});
