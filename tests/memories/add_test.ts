/** Tests for adding memories verbatim. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";

Deno.test("POST /v1/memories stores content verbatim and responds once it is durable", async () => {
  await withServer(async ({ call, restart }) => {
    const body = { content: "Ana prefers dark mode", user_id: "ana", infer: false };
    const added = await call("POST", "/v1/memories", { body });
    strictEqual(added.status, 200);
    const [result] = added.json.results;
    match(result.id, /^mem_[0-9a-z]{26}$/);
    await restart();
    const found = await call("GET", `/v1/memories/${result.id}`);
    strictEqual(found.json.memory, body.content);
  });
});

Deno.test("POST /v1/memories stores one memory per message, in order, and skips empty messages", async () => {
  await withServer(async ({ call }) => {
    const messages = [
      { role: "user", content: "I moved to Porto" },
      { role: "user", content: "  " },
      { role: "assistant", content: [{ type: "text", text: "In" }, { type: "text", text: "May" }] },
    ];
    const body = { messages, user_id: "ana", infer: false };
    const added = await call("POST", "/v1/memories", { body });
    deepStrictEqual(
      added.json.results.map(({ memory }: { memory: string }) => memory),
      ["I moved to Porto", "In\nMay"],
    );
  });
});
