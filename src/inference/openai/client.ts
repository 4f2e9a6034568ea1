/**
 * Requests chat completions over HTTP with the strictest JSON constraint supported by the endpoint.
 */
import { z } from "zod";
import { errorForStatus, invalidResponse, ProviderError } from "./errors.ts";

/** Address of an OpenAI-compatible endpoint, and options. */
export interface ProviderOptions {
  /** Base URL, up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Timeout per call, in milliseconds. Local models take minutes rather than seconds. */
  readonly timeoutMs: number;
  readonly maxTokens: number;
  /** Returns the current time, needed for dates in `Retry-After`. */
  readonly now: () => number;
}

/**
 * Ways to request JSON, strictest first. Servers return 400, 422 or 500 for formats they don't
 * support. The first one that works is used for all subsequent calls, unless a stricter one failed
 * with a 5xx.
 */
const RESPONSE_FORMATS = [
  "json_schema",
  "json_object_schema",
  "json_object",
  "prompt",
] as const;
type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** Maximum response size, in bytes. Anything larger can't be valid. */
const MAX_RESPONSE_BYTES = 1_048_576;

const completionSchema = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
  })).min(1),
});

function responseFormat(
  format: ResponseFormat,
  schema: Record<string, unknown>,
): Record<string, unknown> {
  if (format === "json_schema") {
    return {
      response_format: {
        type: "json_schema",
        json_schema: { name: "facts", strict: true, schema },
      },
    };
  }
  if (format === "json_object_schema") return { response_format: { type: "json_object", schema } };
  return format === "json_object" ? { response_format: { type: "json_object" } } : {};
}

/** Reads a body up to the size limit, so a faulty server can't exhaust memory. */
async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw invalidResponse("the body is too large");
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) bytes.set(chunk, at), at += chunk.byteLength;
  return new TextDecoder().decode(bytes);
}

function contentOf(body: string): string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw invalidResponse("the body is not JSON");
  }
  const parsed = completionSchema.safeParse(json);
  if (!parsed.success) throw invalidResponse("the body is not a chat completion");
  const choice = parsed.data.choices[0]!;
  if (choice.message.refusal) throw invalidResponse("the model refused to respond");
  if (choice.finish_reason === "length") {
    throw invalidResponse("the content was cut off at the token limit");
  }
  if (choice.finish_reason === "content_filter") throw invalidResponse("the content was filtered");
  if (!choice.message.content) throw invalidResponse("the content is empty");
  return choice.message.content;
}

/** Client for one endpoint. Remembers which response format it supports. */
export class ChatClient {
  readonly #options: ProviderOptions;
  #formatIndex = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /**
   * Returns the text of a completion.
   *
   * @throws {ProviderError} on any failure; the message never contains any part of the prompt
   */
  async complete(
    system: string,
    user: string,
    schema: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<string> {
    const { baseUrl, model } = this.#options;
    if (!baseUrl || !model) {
      throw new ProviderError(
        "PROVIDER_NOT_CONFIGURED",
        "No inference URL or model is configured; set --inference-url and --inference-model",
        { retryable: false },
      );
    }
    let isReliable = true;
    for (let index = this.#formatIndex;; index++) {
      const response = await this.#post(
        system,
        user,
        responseFormat(RESPONSE_FORMATS[index]!, schema),
        signal,
      );
      if (response.ok) {
        const content = contentOf(response.body);
        // After a 5xx, the format may be supported after all: the failure may have been a passing one.
        if (isReliable) this.#formatIndex = index;
        return content;
      }
      if (response.status >= 500 && response.status !== 501) isReliable = false;
      const isUnsupported = [400, 415, 422, 500, 501].includes(response.status);
      if (!isUnsupported || index + 1 >= RESPONSE_FORMATS.length) {
        throw errorForStatus(response.status, response.retryAfter, this.#options.now());
      }
    }
  }

  async #post(
    system: string,
    user: string,
    format: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ ok: boolean; status: number; retryAfter: string | null; body: string }> {
    const { baseUrl, model, apiKey, timeoutMs, maxTokens } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/chat/completions`, {
        method: "POST",
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          "content-type": "application/json",
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify({
          model,
          temperature: 0,
          max_tokens: maxTokens,
          stream: false,
          ...format,
          messages: [{ role: "system", content: system }, { role: "user", content: user }],
        }),
      });
      const body = await readLimited(response);
      return {
        ok: response.ok,
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        body,
      };
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      if (signal?.aborted) throw signal.reason;
      const problem = timeout.aborted
        ? `did not respond within ${timeoutMs} ms`
        : "could not be reached";
      throw new ProviderError("PROVIDER_UNAVAILABLE", `Provider ${problem}`, { retryable: true });
    }
  }
}
