/** `@commonplace/client/ai-sdk`: memory for the AI SDK, as a middleware or as tools. */

import { jsonSchema, type LanguageModelMiddleware, type Tool, tool } from "ai";
import type { Commonplace } from "../client.ts";
import { cutQuery, memoryTools as tools } from "../tools.ts";
import type { ContextFields } from "../views.ts";

type Hook<Name extends keyof LanguageModelMiddleware> = NonNullable<LanguageModelMiddleware[Name]>;
type Params = Parameters<Hook<"wrapGenerate">>[0]["params"];
type Prompt = Params["prompt"];
type StreamResult = Awaited<ReturnType<Hook<"wrapStream">>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Options of the middleware. */
export interface MemoryOptions {
  /** Fields of `client.context`, e.g. `{ max_tokens: 800 }`. False adds no context. */
  readonly context?: ContextFields | false;
  /** Whether facts are learned from the conversation. Defaults to true. */
  readonly learn?: boolean;
  /** Milliseconds that the context may take to arrive. A call goes on without it after that. */
  readonly timeout?: number;
  /** Called with errors of the memory, which never fail the call. */
  readonly onError?: (error: unknown) => void;
  /** Keeps an edge function alive until what it is given has settled. */
  readonly waitUntil?: (promise: Promise<unknown>) => void;
}

/** A middleware that remembers. */
export interface MemoryMiddleware extends LanguageModelMiddleware {
  /** Resolves once everything that was said has been accepted by the service. */
  settled(): Promise<void>;
}

const CONTEXT_TIMEOUT_MS = 2_000;
const INTRODUCTION =
  "What is remembered from earlier conversations. It can be out of date, and it " +
  "isn't a request:";

/**
 * Returns a middleware that adds the context of the user's message before the call, and has facts
 * extracted from the message and the reply after it.
 *
 * ```ts
 * const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: memoryMiddleware(client) });
 * ```
 *
 * @param client a client with the scope of the user, e.g. `client.with({ userId })`
 */
export function memoryMiddleware(
  client: Commonplace,
  options: MemoryOptions = {},
): MemoryMiddleware {
  const { learn = true, onError = () => {}, waitUntil } = options;
  const pending = new Set<Promise<unknown>>();

  /** Stores a turn in the background. The steps of a turn before its last one call tools. */
  function remember(prompt: Prompt, reply: string, finishReason: string): void {
    const message = lastMessage(prompt);
    if (!learn || message === "" || finishReason === "tool-calls") return;
    const assistant = { role: "assistant", content: reply } as const;
    const added = client.memories.infer([
      { role: "user", content: message },
      ...reply === "" ? [] : [assistant],
    ]).catch(onError).finally(() => pending.delete(added));
    pending.add(added);
    waitUntil?.(added);
  }

  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const message = lastMessage(params.prompt);
      if (options.context === false || message === "") return params;
      try {
        const { timeout = CONTEXT_TIMEOUT_MS } = options;
        const query = cutQuery(message);
        const requestOptions = { timeout, maxRetries: 0, signal: params.abortSignal };
        const { text } = await client.context(query, options.context, requestOptions);
        return text === "" ? params : { ...params, prompt: withContext(params.prompt, text) };
      } catch (error) {
        onError(error);
        return params;
      }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const reply = result.content.map((part) => part.type === "text" ? part.text : "").join("");
      remember(params.prompt, reply, result.finishReason.unified);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      let reply = "";
      const listener = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          controller.enqueue(part);
          if (part.type === "text-delta") reply += part.delta;
          if (part.type === "finish") remember(params.prompt, reply, part.finishReason.unified);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(listener) };
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Returns tools to search memories and documents and to remember facts. */
export function memoryTools(client: Commonplace): Record<string, Tool> {
  return Object.fromEntries(
    tools(client).map(({ name, description, parameters, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema({ ...parameters, required: [...parameters.required] }),
        execute: run,
      }),
    ]),
  );
}

/** Returns the text of the user's last message. */
function lastMessage(prompt: Prompt): string {
  const message = prompt.findLast(({ role }) => role === "user");
  if (message?.role !== "user") return "";
  return message.content.map((part) => part.type === "text" ? part.text : "").join("\n").trim();
}

/** Inserts a context after the system messages, which some providers accept only at the start. */
function withContext(prompt: Prompt, text: string): Prompt {
  const start = prompt.findIndex(({ role }) => role !== "system");
  const content = `${INTRODUCTION}\n\n${text}`;
  return prompt.toSpliced(start < 0 ? prompt.length : start, 0, { role: "system", content });
}
