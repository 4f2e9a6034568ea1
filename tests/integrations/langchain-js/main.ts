/** Checks that a chain of LangChain remembers across processes, with its fake model. */

import { ok } from "node:assert/strict";
import { report, withPrograms } from "../with_programs.ts";

await withPrograms("langchain-js", async (run, server) => {
  const found = await run("tools.js", "The spare key is with Ben.");
  ok(found.includes("The spare key is with Ben."), found);
  report("memoryTools: the tools add a memory and find it");
  const reply = await run("chain.mjs", "Who has the spare key?");
  ok(reply.includes("The spare key is with Ben."), reply);
  report("CommonplaceRetriever: a second process remembers");
  const { json } = await server.call("GET", "/v1/memories?user_id=ana");
  ok(json.results.length === 1);
}, { page: "docs/clients/langchain_js.md" });
