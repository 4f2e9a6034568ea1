/** Selections of tools, search and fetch in ChatGPT's shapes, and prompts. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { callMcp, connect } from "../oauth/owner.ts";
import { connectOverHttp } from "./client.ts";

const KEY_PERMISSIONS = ["memory:read", "memory:write", "operations:read"];

Deno.test("?tools= selects the tools, and calling any other is an unknown tool", async () => {
  await withServer(async (server) => {
    const toolsOf = async (query: string) => {
      const peer = await connectOverHttp(server.url, server.key, "auto", query);
      const tools = await peer.client.listTools();
      await peer.close();
      return tools.tools;
    };
    const core = await toolsOf("");
    deepStrictEqual(await toolsOf("?tools=core"), core);
    const names = core.map(({ name }) => name);
    const chatgpt = await toolsOf("?tools=chatgpt");
    deepStrictEqual(chatgpt.map(({ name }) => name), [...names, "search", "fetch"]);
    for (const name of ["search", "fetch"]) {
      const tool = chatgpt.find((each) => each.name === name)!;
      strictEqual(tool.annotations!.readOnlyHint, true);
      strictEqual(Object.keys(tool.inputSchema.properties!).length, 1);
    }
    const read = await toolsOf("?tools=read");
    ok(read.every(({ annotations }) => annotations!.readOnlyHint));
    ok(read.length > 5 && read.length < core.length);

    const peer = await connectOverHttp(server.url, server.key, "auto", "?tools=read");
    const refused = await peer.client.callTool({ name: "add_memory", arguments: {} })
      .catch((error) => error);
    match(String(refused), /Unknown tool "add_memory"/);
    await peer.close();
    for (const query of ["?tools=all", "?tools=read&tools=core", "?tools=constructor"]) {
      const response = await callMcp(server, server.key, { method: "tools/list" }, query);
      deepStrictEqual([response.status, (await response.json()).code], [400, "INVALID_REQUEST"]);
    }
  });
});

Deno.test("search and fetch return memories and passages with URLs into the dashboard", async () => {
  await withServer(async (server) => {
    const memory = await server.add("Ana keeps bees on the roof");
    await server.call("POST", "/v1/documents", {
      body: {
        content: `# Garden\n\nThe bees live on the roof.\n\n${"Other text. ".repeat(3_000)}`,
        source_key: "garden.md",
        mime_type: "text/markdown",
        user_id: "ana",
      },
    });
    const peer = await connectOverHttp(server.url, server.key, "auto", "?tools=chatgpt");
    const found = await peer.call("search", { query: "bees on the roof" });
    deepStrictEqual(JSON.parse(found.text), found.json, "the text is the result as JSON");
    const { results } = found.json;
    const [first, passage] = [
      results.find(({ id }: { id: string }) => id === memory),
      results.find(({ id }: { id: string }) => id.startsWith("doc_")),
    ];
    deepStrictEqual(first, {
      id: memory,
      title: "Ana keeps bees on the roof",
      text: "Ana keeps bees on the roof",
      url: `${server.url}/#/default/memories/${memory}`,
    });
    match(passage.url, /\/#\/default\/documents\/doc_\w+\?chunk=0$/);
    const fetched = await peer.call("fetch", { id: passage.id });
    deepStrictEqual(Object.keys(fetched.json), ["id", "title", "text", "url", "metadata"]);
    ok(fetched.json.text.startsWith("# Garden"));
    ok(fetched.json.text.length <= 32_768);
    strictEqual((await peer.call("fetch", { id: memory })).json.text, "Ana keeps bees on the roof");
    for (const id of ["mem_unknown", "doc_unknown", "doc_unknown#0-10"]) {
      match((await peer.call("fetch", { id })).json.code, /^(MEMORY|DOCUMENT)_NOT_FOUND$/);
    }
    strictEqual((await peer.call("fetch", { id: "https://x" })).json.code, "INVALID_REQUEST");
    await peer.close();
  });
});

Deno.test("tools shorten long texts between characters, never within one", async () => {
  await withServer(async (server) => {
    // Titles, lists and results each have a maximum length.
    for (const length of [80, 400, 500]) {
      await server.add(`${"bees ".repeat(100).slice(0, length - 1)}🐝 end`);
    }
    const peer = await connectOverHttp(server.url, server.key, "auto", "?tools=chatgpt");
    const replies = [
      await peer.call("search", { query: "bees" }),
      await peer.call("list_memories", { user_id: "ana" }),
    ];
    for (const { text } of replies) {
      ok(text.includes("…"));
      strictEqual(JSON.stringify(text).match(/\\ud[89a-f]../), null);
    }
    await peer.close();
  });
});

Deno.test("search and fetch stay within the scopes fixed for a connection", async () => {
  await withServer(async (server) => {
    const own = await server.add("Ana keeps bees");
    const other = await server.add("Ben keeps bees", { user_id: "ben" });
    const peer = await connectOverHttp(
      server.url,
      server.key,
      "auto",
      "?tools=chatgpt&user_id=ana",
    );
    const found = await peer.call("search", { query: "Who keeps bees?" });
    deepStrictEqual(found.json.results.map(({ id }: { id: string }) => id), [own]);
    const [foreign, unknown] = [
      await peer.call("fetch", { id: other }),
      await peer.call("fetch", { id: "mem_x" }),
    ];
    strictEqual(
      foreign.text.replace(other, "mem_x").replace(/req_\w+/, ""),
      unknown.text.replace(/req_\w+/, ""),
    );
    await peer.close();
  });
});

Deno.test("prompts add what is known to a conversation, or ask to remember something", async () => {
  await withServer(async (server) => {
    await server.add("Ana keeps bees on the roof");
    const peer = await connectOverHttp(server.url, server.key, "auto", "?user_id=ana");
    const { prompts } = await peer.client.listPrompts();
    deepStrictEqual(prompts.map(({ name, arguments: args }) => [name, args!.map((a) => a.name)]), [
      ["recall", ["topic"]],
      ["remember", ["text"]],
    ]);
    const textOf = async (name: string, args: Record<string, string>) => {
      const { messages } = await peer.client.getPrompt({ name, arguments: args });
      return (messages[0]!.content as { text: string }).text;
    };
    match(await textOf("recall", { topic: "bees" }), /Ana keeps bees on the roof/);
    match(await textOf("remember", { text: "The hive moved" }), /add_memory.*\n\nThe hive moved$/s);
    for (const [name, args] of [["recall", {}], ["nothing", {}]] as const) {
      const error = await peer.client.getPrompt({ name, arguments: args }).catch((error) => error);
      ok(error instanceof Error, name);
    }
    await peer.close();
    const reader = await connectOverHttp(
      server.url,
      await server.createKey("default", "memory:read"),
    );
    const readable = await reader.client.listPrompts();
    deepStrictEqual(readable.prompts.map(({ name }) => name), ["recall"]);
    await reader.close();
  });
});

Deno.test("prompts that need a tool of another profile are left out, and keep to the fixed scopes", async () => {
  await withServer(async (server) => {
    const reader = await connectOverHttp(server.url, server.key, "auto", "?tools=read");
    const { prompts } = await reader.client.listPrompts();
    deepStrictEqual(prompts.map(({ name }) => name), ["recall"]);
    const remember = { name: "remember", arguments: { text: "The hive moved", user_id: "ben" } };
    await rejects(reader.client.getPrompt(remember), /Unknown prompt "remember"/);
    await reader.close();
    const ana = await connectOverHttp(server.url, server.key, "auto", "?user_id=ana");
    await rejects(ana.client.getPrompt(remember), /user_id.*fixed for this connection/);
    await ana.close();
  });
});

Deno.test("a connection reaches only what the owner allowed", async () => {
  await withServer(async (server) => {
    await server.add("Ben keeps bees", { user_id: "ben" });
    const { accessToken } = await connect(server, {
      permissions: ["memory:read"],
      user_id: "ana",
    });
    const peer = await connectOverHttp(server.url, accessToken);
    const tools = await peer.tools();
    ok(tools.includes("search_memories") && !tools.includes("add_memory"));
    deepStrictEqual((await peer.call("search_memories", { query: "bees" })).json.results, []);
    const outside = await peer.call("search_memories", { query: "bees", user_id: "ben" });
    strictEqual(outside.json.code, "INVALID_REQUEST");
    await peer.close();

    const refused = await callMcp(server, accessToken, {
      method: "tools/call",
      params: { name: "add_memory", arguments: { content: "x" } },
    });
    strictEqual(refused.status, 403);
    const challenge = refused.headers.get("www-authenticate")!;
    match(challenge, /error="insufficient_scope", scope="memory:read memory:write"$/);
    strictEqual((await refused.json()).code, "PERMISSION_DENIED");
    // A malformed name is an error of the protocol.
    const malformed = await callMcp(server, accessToken, {
      method: "tools/call",
      params: { name: { toString: 1 } },
    });
    ok(malformed.status < 500, String(malformed.status));
    match(await malformed.text(), /"error"/);
    const conflicting = await callMcp(
      server,
      accessToken,
      { method: "tools/list" },
      "?user_id=ben",
    );
    strictEqual(conflicting.status, 400);
    await conflicting.body?.cancel();
    // A key without the permission gets the error as the result of the call, as before.
    const key = await server.createKey("default", ...KEY_PERMISSIONS.slice(0, 1));
    const byKey = await callMcp(server, key, {
      method: "tools/call",
      params: { name: "add_memory", arguments: { content: "x" } },
    });
    strictEqual(byKey.status, 200);
    match(await byKey.text(), /PERMISSION_DENIED/);
  });
});
