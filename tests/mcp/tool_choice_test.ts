/**
 * What people ask an assistant, and the tool that it should call. A model chooses by the
 * descriptions, so each row names the words in the description that lead from the request to the
 * tool. The table is for review: change it together with the descriptions.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { RESEARCH_TOOLS } from "../../src/mcp/research_tools.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { withServer } from "../../testing/harness.ts";
import { connectOverHttp } from "./client.ts";

/** The request, the tool, and words of its description. */
const REQUESTS: readonly (readonly [request: string, tool: string, ...words: string[]])[] = [
  ["Remember that I'm allergic to peanuts", "add_memory", "asks you to remember", "a fact"],
  ["Note: the key is under the mat", "add_memory", "note something"],
  ["From now on, answer in French", "add_memory", "preference"],
  ["We've decided to use Postgres", "add_memory", "decision"],
  ["I'm flying to Oslo on Friday", "add_memory", "plan"],
  ["What's my sister's name?", "search_memories", "about what the user said"],
  ["What kind of music do I like?", "search_memories", "likes"],
  ["What did we decide about the database?", "search_memories", "decided"],
  ["What did I do last weekend?", "search_memories", "did"],
  ["What are my plans for the summer?", "search_memories", "planned"],
  ["Did I ever mention a dog?", "search_memories", "earlier conversations"],
  ["Suggest a restaurant for tonight", "get_context", "before you reply"],
  ["Help me write a birthday card for Ana", "get_context", "everything relevant", "profile"],
  ["Continue where we stopped yesterday", "get_context", "everything relevant"],
  ["Show me everything you've stored about me", "list_memories", "review", "everything"],
  ["What are the last things you noted?", "list_memories", "the latest memories"],
  ["Export my memories as a list", "list_memories", "export"],
  ["Show me that memory in full", "get_memory", "full text"],
  ["What metadata does mem_01 have?", "get_memory", "metadata"],
  ["No, my sister is called Eva, not Eve. Fix it", "update_memory", "correct a mistake"],
  ["Mark that decision as important", "update_memory", "importance"],
  ["Forget my old address", "delete_memory", "forget"],
  ["Remove what you know about my ex", "delete_memory", "remove"],
  ["Since when do you think I live in Porto?", "memory_history", "when and why"],
  ["What did this memory say before?", "memory_history", "text before and after"],
  ["That memory was really helpful", "rate_memory", "useful"],
  ["What you said about me is wrong, report it", "rate_memory", "wrong"],
  ["Save this report so we can quote it later", "add_document", "report", "cite"],
  ["Keep these meeting notes exactly as they are", "add_document", "notes", "exact text"],
  ["What does the contract say about notice periods?", "search_documents", "question", "content"],
  ["Find the paragraph on warranties and cite it", "search_documents", "passages", "cite"],
  ["Which files do you have?", "list_documents", "which documents and files"],
  ["Summarize the whole handbook", "read_document", "summarize"],
  ["Read on after that passage", "read_document", "read on"],
  ["Where do I live?", "get_state", "where someone lives"],
  ["Where did I work in 2019?", "get_state", "works", "past year"],
  ["What do you know about me?", "get_profile", "what you know about them"],
  ["Introduce yourself to the new user Ben", "get_profile", "beginning of a conversation"],
  ["Did you save that?", "get_event", "has finished"],
  ["What did you learn from what I just told you?", "get_event", "what it stored"],
  ["Research what my notes say about bees", "search", "first for any question", "documents"],
  ["Open the second result", "fetch", "full text of a result"],
];

Deno.test("each request of the table leads to a tool whose description supports it", () => {
  const tools = new Map([...TOOLS, ...RESEARCH_TOOLS].map((tool) => [tool.name, tool]));
  ok(REQUESTS.length >= 40);
  strictEqual(new Set(REQUESTS.map(([request]) => request)).size, REQUESTS.length);
  for (const [request, name, ...words] of REQUESTS) {
    const description = tools.get(name)?.description ?? "";
    const missing = words.filter((word) => !description.includes(word));
    deepStrictEqual(missing, [], `"${request}" -> ${name}: ${description}`);
  }
  const chosen = new Set(REQUESTS.map(([, name]) => name));
  deepStrictEqual([...tools.keys()].filter((name) => !chosen.has(name)), [], "tools without a row");
});

Deno.test("descriptions are short enough for a list that a model reads with every message", () => {
  for (const { name, description } of [...TOOLS, ...RESEARCH_TOOLS]) {
    ok(description.length <= 650, `${name} has ${description.length} characters`);
  }
});

Deno.test("tools/list and the instructions name only tools that the caller has", async () => {
  const names = [...TOOLS, ...RESEARCH_TOOLS].map(({ name }) => name).filter((name) =>
    name.includes("_")
  );
  const subsets = ["memory:read", "memory:write", "operations:read"].reduce<string[][]>(
    (all, permission) => [...all, ...all.map((each) => [...each, permission])],
    [[]],
  ).slice(1);
  await withServer(async (server) => {
    for (const permissions of subsets) {
      const key = await server.createKey("default", permissions.join());
      for (const query of ["", "?tools=read", "?tools=chatgpt"]) {
        const peer = await connectOverHttp(server.url, key, "auto", query);
        const { tools } = await peer.client.listTools();
        const texts = [JSON.stringify(tools), peer.client.getInstructions()!];
        await peer.close();
        const missing = names.filter((name) => !tools.some((tool) => tool.name === name));
        for (const text of texts) {
          deepStrictEqual(missing.filter((name) => text.includes(name)), [], `${key} ${query}`);
        }
      }
    }
  });
});

Deno.test("tools/call add_memory suggests get_event only to keys that have it", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("default", "memory:write");
    const peer = await connectOverHttp(server.url, key);
    const { text } = await peer.call("add_memory", { content: "I live in Porto.", user_id: "ana" });
    match(text, /^Queued for inference as \w+$/);
    await peer.close();
  });
});
