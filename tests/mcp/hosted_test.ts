/** Tests what tool calls cost in credits. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { connectOverHttp } from "./client.ts";

Deno.test("a tool call costs as many credits as its endpoint and is rejected if there are none left", async () => {
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "3");
    const peer = await connectOverHttp(server.url, server.key);
    const scope = { user_id: "ana" };
    const added = await peer.call("add_memory", { content: "Tea", infer: false, ...scope });
    strictEqual(added.isError, false);
    strictEqual((await peer.call("search_memories", { query: "tea", ...scope })).isError, false);
    strictEqual((await peer.call("add_document", { content: "Tea", ...scope })).isError, false);
    strictEqual((await server.manage("credits", "show", "--project", "default")).balance, 0);

    const refused = await peer.call("add_memory", { content: "Milk", infer: false, ...scope });
    strictEqual(refused.json.code, "INSUFFICIENT_CREDITS");
    deepStrictEqual(refused.json.details, { required: 1, available: 0 });
    strictEqual((await peer.call("list_memories", scope)).json.results.length, 1);
    await peer.close();
  }, { variant: "hosted" });
});

Deno.test("a tool or prompt that runs two searches costs two credits", async () => {
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "6");
    const peer = await connectOverHttp(server.url, server.key, "auto", "?tools=chatgpt");
    strictEqual((await peer.call("search", { query: "tea" })).isError, false);
    const balance = async () =>
      (await server.manage("credits", "show", "--project", "default")).balance;
    strictEqual(await balance(), 4);
    strictEqual((await peer.call("get_context", { query: "tea" })).isError, false);
    strictEqual(await balance(), 2);
    await peer.client.getPrompt({ name: "recall", arguments: { topic: "tea" } });
    strictEqual(await balance(), 0);
    await peer.close();
  }, { variant: "hosted" });
});
