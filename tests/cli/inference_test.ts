/** Runs the commands that explain and try inference. */

import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { run } from "../../testing/program.ts";
import { completion, withProvider } from "../inference_service/provider.ts";

Deno.test("explain shows what would be stored of a text and why, and stores nothing", async () => {
  const { code, stdout, stderr } = await run(["explain", "I live in Porto.", "Where are you?"]);
  strictEqual(code, 0, stderr);
  match(stdout, /^I live in Porto\n {2}worth storing: \d+ %\n {2}lives_in: Porto, holds, \d+ %\n/);
  match(stdout, /^Where are you\n {2}stopped: question$/m);
  match(stdout, /^fact: User lives in Porto \[user lives_in Porto\]$/m);
  const nothing = await run(["explain", "--tagger", "none", "Hello!"]);
  strictEqual(nothing.stdout, "Nothing would be stored.\n");
  const json = await run(["explain", "--json", "I live in Porto."]);
  deepStrictEqual(Object.keys(JSON.parse(json.stdout)), ["sentences", "memories"]);
});

Deno.test("explain requires a text and a known tagger", async () => {
  for (const args of [[], ["--tagger", "gpt", "Hi"]]) {
    const ended = await run(["explain", ...args]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: [^\n]+\n$/);
  }
});

Deno.test("inference test reads all texts as expected with the built-in engine", async () => {
  const { code, stdout, stderr } = await run(["inference", "test"]);
  strictEqual(code, 0, stderr);
  match(stdout, /\n20 of 20 as expected\n$/);
});

Deno.test("inference test names the settings that the endpoint needs", async () => {
  const ended = await run(["inference", "test", "--inference", "openai", "--inference-model", "m"]);
  const stderr = "commonplace: No model is configured; set --inference-url\n";
  deepStrictEqual(ended, { code: 1, stdout: "", stderr });
});

Deno.test("inference test prints what came back from an endpoint, and fails if a call did", async () => {
  const facts = { facts: [] };
  await withProvider(() => completion(JSON.stringify(facts)), async ({ url }) => {
    const environment = { COMMONPLACE_INFERENCE_API_KEY: "sk-a-secret" };
    const flags = ["--inference", "openai", "--inference-url", url, "--inference-model", "m"];
    const { code, stdout } = await run(["inference", "test", ...flags], { environment });
    strictEqual(code, 0);
    match(stdout, /^FAIL I live in Porto and love it\. \(\d+ ms\)\n {5}expected: lives_in=Porto\n/);
    match(stdout, /\n6 of 20 as expected\n$/);
    doesNotMatch(stdout, /a-secret/);
  });
  await withProvider(() => ({ status: 401, body: {} }), async ({ url }) => {
    const flags = ["--inference", "openai", "--inference-url", url, "--inference-model", "m"];
    const ended = await run(["inference", "test", ...flags]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: The engine failed on 19 of 20 texts: Provider rejected/);
  });
});
