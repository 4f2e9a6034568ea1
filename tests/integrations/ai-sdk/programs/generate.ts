/** One turn without a stream: `node generate.js MESSAGE`. */

import { Commonplace } from "@commonplace/client";
import { memoryMiddleware, memoryTools } from "@commonplace/client/ai-sdk";
import { generateText, type ToolSet, wrapLanguageModel } from "ai";
import { model } from "./model.mjs";

const client = new Commonplace({ userId: "ana" });
export const tools: ToolSet = memoryTools(client);

const middleware = memoryMiddleware(client, {
  onError: (error) => process.stderr.write(`memory: ${error}\n`),
});
const { text } = await generateText({
  model: wrapLanguageModel({ model, middleware }),
  instructions: "You are a helpful assistant.",
  prompt: process.argv[2] ?? "",
});
process.stdout.write(text);
await middleware.settled();
