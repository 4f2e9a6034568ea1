/** Checks that no expression of the engine can take exponential time. */

import { deepStrictEqual } from "node:assert/strict";
import ts from "typescript";
import { ambiguousRepetitions } from "../../testing/ambiguous_repetitions.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = ["src/inference", "src/kernel/dates"];

function filesIn(folder: URL): URL[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesIn(new URL(`${name}/`, folder))
      : name.endsWith(".ts")
      ? [new URL(name, folder)]
      : []
  );
}

/** Returns the expressions that are written as literals. */
function literalsIn(file: URL): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file.pathname, Deno.readTextFileSync(file), ts.ScriptTarget.Latest));
  return found;
}

/** Returns the expressions that are put together while `work` runs. */
async function constructedBy(work: () => Promise<unknown>): Promise<RegExp[]> {
  const found: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const expression = Reflect.construct(target, args, newTarget) as RegExp;
      found.push(expression);
      return expression;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

Deno.test("ambiguousRepetitions() finds groups that match a text in two ways", () => {
  const isAmbiguous = (expression: RegExp) => ambiguousRepetitions(expression).length > 0;
  deepStrictEqual(
    [
      /(?: today| again| today)*x/,
      /(?:have been |been |have )*x/,
      /(?: to \p{Ll}+(?: with)?| with)*x/u,
      /(?:no,? |(?:no,? )?wrong )+x/,
      /(a+)+$/,
      /(?:strict |An? (?:strict )?)*x/i,
    ].filter((expression) => !isAmbiguous(expression)),
    [],
  );
  deepStrictEqual(
    [/(?: today| again)*x/, /(?:a+ )+x/, /\s+(?:\w+,)*x/, /(?:ab|a|c){0,4}x/, /[^.]*\.x/].filter(
      isAmbiguous,
    ),
    [],
  );
});

Deno.test("the engine's expressions have no groups that match a text in two ways", async () => {
  const expressions = await constructedBy(async () => {
    const { factsOf } = await import("../../src/inference/builtin/engine.ts");
    const date = "2026-03-18T09:00:00.000Z";
    const messages = [{ role: "user", content: "I live in Porto, no, Graz. My wife is Ana." }];
    await factsOf({ messages, eventDate: null, requestTime: date });
  });
  for (const folder of FOLDERS) {
    for (const file of filesIn(new URL(`${folder}/`, ROOT))) expressions.push(...literalsIn(file));
  }
  const distinct = new Map(expressions.map((expression) => [String(expression), expression]));
  const ambiguous = [...distinct.values()].flatMap((expression) =>
    ambiguousRepetitions(expression).map(({ group, text }) => `${JSON.stringify(text)}: ${group}`)
  );
  deepStrictEqual(ambiguous, []);
});
