/**
 * Chats with a model that remembers through mem0's provider for the AI SDK: once with the provider's
 * functions around a mock model, and once with the provider's own model in front of a local server
 * that speaks the protocol of OpenAI. Prints what was called.
 */

import { ok, strictEqual } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import {
  addMemories,
  createMem0,
  getMemories,
  retrieveMemories,
  searchMemories,
} from "@mem0/vercel-ai-provider";
import { generateText, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const { COMMONPLACE_URL: url, COMMONPLACE_API_KEY: key } = process.env;
const config = { mem0ApiKey: key, host: `${url}/mem0`, user_id: "ana", app_id: "chat" };

/** Requests a path of the API itself. */
async function v1(path) {
  const response = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  return await response.json();
}

/** Waits until no add is unfinished, and returns the user's memories. */
async function remembered() {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { results } = await v1("/events");
    if (results.every(({ status }) => status === "SUCCEEDED")) break;
    await delay(50);
  }
  return (await v1("/memories?user_id=ana")).results;
}

// The functions around a mock model.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const mock = new MockLanguageModelV4({
  doGenerate: {
    content: [{ type: "text", text: "Enjoy the river" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage,
    warnings: [],
  },
});
const model = wrapLanguageModel({
  model: mock,
  middleware: {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const memories = await retrieveMemories(params.prompt, config);
      const system = { role: "system", content: memories };
      return memories === "" ? params : { ...params, prompt: [system, ...params.prompt] };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await addMemories(params.prompt.filter(({ role }) => role === "user"), config);
      return result;
    },
  },
});
await generateText({ model, prompt: "I live in Lisbon and I play the oboe." });
strictEqual(mock.doGenerateCalls[0].prompt.length, 1, "nothing is remembered yet");
const memories = await remembered();
ok(memories.some(({ memory }) => memory.includes("Lisbon")), JSON.stringify(memories));
ok(memories.every(({ metadata }) => metadata.app_id === "chat"));

await generateText({ model, prompt: "In which city do I live?" });
const [system] = mock.doGenerateCalls[1].prompt;
strictEqual(system.role, "system");
ok(system.content.includes("Lisbon"), system.content);
await remembered();

const found = await getMemories("Lisbon", config);
const searched = await searchMemories("Lisbon", { ...config, top_k: 5, threshold: 0.01 });
strictEqual(searched.results.length > 0, true);
ok(found.every(({ app_id }) => app_id === "chat"));

// The provider's own model, which adds and searches by itself.
const prompts = [];
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString());
  prompts.push(JSON.stringify(messages));
  const message = { role: "assistant", content: "Lisbon" };
  const common = { id: "1", created: 1, model: "test" };
  if (!stream) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const choices = [{ index: 0, delta: message, finish_reason: "stop" }];
  const chunk = { ...common, object: "chat.completion.chunk", choices };
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const mem0 = createMem0({
  provider: "openai",
  mem0ApiKey: key,
  apiKey: "unused",
  config: { baseURL: `http://127.0.0.1:${server.address().port}/v1` },
});
const { mem0ApiKey: _, ...settings } = config;
const own = await generateText({ model: mem0.chat("test", settings), prompt: "Where do I live?" });
strictEqual(own.text, "Lisbon");
ok(prompts[0].includes("Memory: ") && prompts[0].includes("Lisbon"), prompts[0]);
strictEqual(own.sources[0].title, "Mem0 Memories");
await remembered();

const picture = { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) };
const streamed = streamText({
  model: mem0.chat("test", settings),
  messages: [{
    role: "user",
    content: [{ type: "text", text: "My sister is called Rita." }, picture],
  }],
});
strictEqual(await streamed.text, "Lisbon");
ok((await remembered()).some(({ memory }) => memory.includes("Rita")));
server.close();
process.stdout.write(
  "addMemories, getMemories, retrieveMemories, searchMemories, generateText, streamText\n",
);
