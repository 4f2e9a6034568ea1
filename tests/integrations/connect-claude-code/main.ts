/**
 * Checks that Claude Code reports the server as connected, and that the plugin recalls and learns in
 * a session. The model is a local server that speaks its protocol.
 */

import { match, ok, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ClientProgram, print, withClientProgram } from "../../../testing/client_program.ts";
import { call } from "../../../testing/harness.ts";
import { waitUntil } from "../../../testing/wait_until.ts";
import { ModelServer } from "./model_server.ts";

const CONTRIB = join(import.meta.dirname!, "../../../contrib");

await withClientProgram("connect-claude-code", async (program) => {
  await checkConnect(program);
  await checkPlugin(program);
});

async function checkConnect({ client, commonplace, home, url }: ClientProgram): Promise<void> {
  const claude = (...args: string[]) => client("claude", args);
  print(`claude ${(await claude("--version")).trim()}`);
  match(
    await commonplace("connect", "claude-code", "--user-id", "ana"),
    /^Claude Code is connected/,
  );
  match(await claude("mcp", "list"), new RegExp(`^commonplace: ${url}/mcp.* ✔ Connected`, "m"));
  print("claude mcp list: connected");
  match(await commonplace("connect", "claude-code", "--user-id", "ana"), /has the entry already/);
  await commonplace("connect", "claude-code", "--user-id", "ben");
  match(await claude("mcp", "list"), /user_id=ben .* ✔ Connected/);
  await commonplace("connect", "claude-code", "--remove");
  const { mcpServers } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
  strictEqual(mcpServers?.commonplace, undefined);
  print("connect claude-code --remove: removed");
  await commonplace("connect", "claude-code", "--stdio");
  match(await claude("mcp", "list"), /^commonplace: .*mcp --data .* ✔ Connected/m);
  print("connect claude-code --stdio: connected");
  await commonplace("connect", "claude-code", "--remove");
}

async function checkPlugin({ client, url, key }: ClientProgram): Promise<void> {
  const claude = (args: string[], environment: Record<string, string> = {}) =>
    client("claude", args, environment);
  match(await claude(["plugin", "validate", join(CONTRIB, "claude-code")]), /Validation passed/);
  match(await claude(["plugin", "validate", CONTRIB]), /Validation passed/);
  print("claude plugin validate: passed");
  await claude(["plugin", "marketplace", "add", CONTRIB]);
  const options = [`url=${url}`, `key=${key}`, "user_id=ana"];
  await claude([
    ...["plugin", "install", "commonplace@commonplace"],
    ...options.flatMap((option) => ["--config", option]),
  ]);
  match(await claude(["mcp", "list"]), /^plugin:commonplace:commonplace: .* ✔ Connected/m);
  print("the plugin's server: connected");

  const body = { user_id: "ana", content: "We deploy on Thursdays.", infer: false };
  strictEqual((await call(url, "POST", "/v1/memories", { key, body })).status, 200);
  await using model = new ModelServer("I live in Porto is what you said.");
  const prompt = "I live in Porto. When do we deploy?";
  await claude(["-p", prompt], { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none" });
  const request = model.requests.find((text) => text.includes(prompt));
  ok(request !== undefined, "the model was asked");
  match(request, /<commonplace-recall>[^]*We deploy on Thursdays/);
  print("UserPromptSubmit: recalled text reaches the model");
  const memories = await waitUntil(
    async () => (await call(url, "GET", "/v1/memories?user_id=ana", { key })).json.results,
    (results: { memory: string }[]) => results.some(({ memory }) => /Porto/.test(memory)),
  );
  const texts: string[] = memories.map(({ memory }: { memory: string }) => memory);
  strictEqual(texts.filter((text) => /Thursdays/.test(text)).length, 1, texts.join("\n"));
  print("SessionEnd: what was said is learned, what was recalled is not learned again");
}
