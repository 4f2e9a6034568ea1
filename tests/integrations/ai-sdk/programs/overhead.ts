/** Prints what the middleware and a tool of the AI SDK add to the calls of the client. */

import { memoryMiddleware, memoryTools } from "@commonplace/client/ai-sdk";
import { model } from "./model.mjs";
import { clientWithMemories, printOverhead, QUERY } from "./measure_overhead.ts";

const client = await clientWithMemories();
const { transformParams } = memoryMiddleware(client);
const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: QUERY }] }];
await printOverhead(
  "memoryMiddleware",
  () => client.context(QUERY),
  async () => await transformParams!({ type: "generate", params: { prompt }, model }),
);
const { search_memories } = memoryTools(client);
const options = { toolCallId: "call_1", messages: [], context: undefined };
await printOverhead(
  "memoryTools",
  () => client.memories.search(QUERY, { top_k: 8 }),
  async () => await search_memories!.execute!({ query: QUERY }, options),
);
