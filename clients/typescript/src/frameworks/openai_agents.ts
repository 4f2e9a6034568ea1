/** `@commonplace/client/openai-agents`: tools for the OpenAI Agents SDK. */

import { type Tool, tool } from "@openai/agents-core";
import type { Commonplace } from "../client.ts";
import { memoryTools as tools } from "../tools.ts";

/**
 * Returns tools to search memories and documents and to remember facts.
 *
 * ```ts
 * const agent = new Agent({ name: "Assistant", tools: memoryTools(client) });
 * ```
 */
export function memoryTools(client: Commonplace): Tool[] {
  return tools(client).map(({ name, description, parameters, run }) =>
    tool({
      name,
      description,
      parameters: { ...parameters, required: [...parameters.required] },
      execute: run,
    })
  );
}
