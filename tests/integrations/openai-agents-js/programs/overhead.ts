/** Prints what a tool of the OpenAI Agents SDK adds to the call of the client. */

import { memoryTools } from "@commonplace/client/openai-agents";
import { RunContext } from "@openai/agents-core";
import { clientWithMemories, printOverhead, QUERY } from "./measure_overhead.ts";

const client = await clientWithMemories();
const [search] = memoryTools(client);
if (search?.type !== "function") throw new Error("Expected a function tool");
const context = new RunContext();
const input = JSON.stringify({ query: QUERY });
await printOverhead(
  "memoryTools",
  () => client.memories.search(QUERY, { top_k: 8 }),
  () => search.invoke(context, input),
);
