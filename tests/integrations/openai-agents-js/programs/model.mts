/** A fake model: calls a tool, then replies with its result. */

import { type Model, type ModelRequest, type ModelResponse, Usage } from "@openai/agents-core";

class FakeModel implements Model {
  getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const last = typeof input === "string" ? undefined : input.at(-1);
    if (last?.type === "function_call_result") {
      const content = [{ type: "output_text" as const, text: JSON.stringify(last.output) }];
      return reply({ type: "message", role: "assistant", status: "completed", content });
    }
    const message = JSON.stringify(input);
    const fact = /Remember: ([^"]*)/.exec(message)?.[1];
    return reply({
      type: "function_call",
      callId: "call-1",
      status: "completed",
      ...fact === undefined
        ? { name: "search_memories", arguments: JSON.stringify({ query: message }) }
        : { name: "add_memory", arguments: JSON.stringify({ content: fact }) },
    });
  }

  getStreamedResponse(): never {
    throw new Error("Not used");
  }
}

function reply(item: ModelResponse["output"][number]): Promise<ModelResponse> {
  return Promise.resolve({ usage: new Usage(), output: [item] });
}

export const model = new FakeModel();
