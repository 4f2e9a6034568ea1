/**
 * Lint rule `commonplace/wording`: reports words from `words.ts` in comments, strings, JSX text and
 * test names, as well as limit constants that are named after "most" or "least" instead of `MAX_…` or
 * `MIN_…`.
 *
 * An exception has to give a reason: `// deno-lint-ignore commonplace/wording -- a list of stop
 * words`.
 */

import { avoidedWordsIn, withoutQuotes } from "./words.ts";

/** The rules of the builtin engine. Its strings and expressions match people's sentences. */
const ENGINE = /\/src\/inference\/builtin\//;

/** Other files whose strings are mostly sample data. In these, only test names are prose. */
const SAMPLE_DATA = /\/(?:tests|testing|scripts\/bench|scripts\/eval)\//;

const LIMIT_NAME = /^(?:MOST|LEAST)(?:_|$)/;

const plugin: Deno.lint.Plugin = {
  name: "commonplace",
  rules: {
    wording: {
      create(context) {
        const file = context.filename.replaceAll("\\", "/");
        const isEngine = ENGINE.test(file);
        const stringsAreData = isEngine || SAMPLE_DATA.test(file);

        function check(text: string, start: number): void {
          for (const { offset, word, instead } of avoidedWordsIn(text)) {
            context.report({
              range: [start + offset, start + offset + word.length],
              message: `Avoid "${word}"`,
              hint: `Write: ${instead}`,
            });
          }
        }

        function checkNode(node: Deno.lint.Node): void {
          check(context.sourceCode.getText(node), node.range[0]);
        }

        return {
          Program() {
            for (const comment of context.sourceCode.getAllComments()) {
              const text = isEngine ? withoutQuotes(comment.value) : comment.value;
              check(text, comment.range[0] + 2);
              if (/deno-lint-ignore(?:-file)? .*commonplace\/(?!.* -- \S)/.test(comment.value)) {
                context.report({ range: comment.range, message: "Give a reason after ` -- `" });
              }
            }
          },
          Identifier(node) {
            if (!LIMIT_NAME.test(node.name)) return;
            context.report({ node, message: `Name limits MAX_… or MIN_…, not ${node.name}` });
          },
          Literal(node) {
            if (!stringsAreData && typeof node.value === "string") checkNode(node);
          },
          TemplateElement(node) {
            if (!stringsAreData) checkNode(node);
          },
          JSXText(node) {
            checkNode(node);
          },
          CallExpression(node) {
            if (!stringsAreData) return;
            const callee = context.sourceCode.getText(node.callee);
            const [first, second] = node.arguments;
            const name = callee === "testWith"
              ? second
              : /^(?:Deno\.test|\w+\.step)$/.test(callee)
              ? first
              : undefined;
            if (name?.type === "Literal") checkNode(name);
          },
        };
      },
    },
  },
};

export default plugin;
