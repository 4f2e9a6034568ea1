/** A fake model: replies with the system messages that it got, or calls a tool and returns its result. */

import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

type Options = Parameters<MockLanguageModelV4["doGenerate"]>[0];
type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: "stop", raw: "stop" } as const;

export const model = new MockLanguageModelV4({
  doGenerate: (options) => Promise.resolve(generate(options)),
  doStream: ({ prompt }) =>
    Promise.resolve({
      stream: simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          ...systemText(prompt).split(/(?<= )/).map((delta) =>
            ({ type: "text-delta", id: "1", delta }) as const
          ),
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: stop, usage },
        ],
      }),
    }),
});

function generate({ prompt, tools = [] }: Options): Result {
  const last = prompt.at(-1)!;
  if (tools.length === 0 || last.role !== "user") {
    const text = last.role === "tool" ? JSON.stringify(last.content) : systemText(prompt);
    return { content: [{ type: "text", text }], finishReason: stop, usage, warnings: [] };
  }
  const message = last.content.map((part) => part.type === "text" ? part.text : "").join("");
  const call = message.startsWith("Remember: ")
    ? { toolName: "add_memory", input: JSON.stringify({ content: message.slice(10) }) }
    : { toolName: "search_memories", input: JSON.stringify({ query: message }) };
  return {
    content: [{ type: "tool-call", toolCallId: "call-1", ...call }],
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage,
    warnings: [],
  };
}

function systemText(prompt: Options["prompt"]): string {
  return prompt.filter(({ role }) => role === "system").map(({ content }) => content).join("\n");
}
