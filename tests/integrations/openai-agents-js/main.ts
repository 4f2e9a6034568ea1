/** Checks that an agent of the OpenAI Agents SDK remembers across processes, with a fake model. */

import { ok } from "node:assert/strict";
import { report, withPrograms } from "../with_programs.ts";

await withPrograms("openai-agents-js", async (run) => {
  await run("agent.mjs", "Remember: The spare key is with Ben.");
  const reply = await run("agent.mjs", "Who has the spare key?");
  ok(reply.includes("The spare key is with Ben."), reply);
  report("memoryTools: a second process finds what the first one has added");
}, { page: "docs/clients/openai_agents_js.md" });
