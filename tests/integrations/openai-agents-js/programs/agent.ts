/** Checks the types of an agent with memory tools. */

import { Commonplace } from "@commonplace/client";
import { memoryTools } from "@commonplace/client/openai-agents";
import { Agent } from "@openai/agents-core";
import { model } from "./model.mjs";

const client = new Commonplace({ userId: "ana" });
export const agent = new Agent({ name: "Assistant", model, tools: memoryTools(client) });
