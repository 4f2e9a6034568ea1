/** One chat completion over HTTP, with the strictest JSON constraint that the endpoint understands. */
import { z } from "zod";
import { errorForStatus, invalidResponse, ProviderError } from "./errors.ts";

/** Where and how to reach an OpenAI-compatible endpoint. */
export interface ProviderOptions {
  /** Base address up to and including the version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Limit of one call in milliseconds: local models take minutes, not seconds. */
  readonly timeoutMs: number;
  readonly maxTokens: number;
  /** The clock against which a date in `Retry-After` is read. */
  readonly now: () => number;
}

/**
 * Ways to ask for JSON, strictest first. Servers answer 400, 422 or 500 to a form that they don't know;
 * what worked is remembered for the endpoint.
 */
export const RESPONSE_FORMATS = [
  "json_schema",
  "json_object_schema",
  "json_object",
  "prompt",
] as const;
type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** An answer larger than this is no answer to our question. */
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

/** Reads a body up to the limit, so that a runaway server cannot fill the memory. */
async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw invalidResponse("it is too large");
    chunks.push(chunk);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) all.set(chunk, at), at += chunk.byteLength;
  return new TextDecoder().decode(all);
}

function contentOf(body: string): string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw invalidResponse("the body is not JSON");
  }
  const parsed = completionSchema.safeParse(json);
  if (!parsed.success) throw invalidResponse("it is no chat completion");
  const choice = parsed.data.choices[0]!;
  if (choice.message.refusal) throw invalidResponse("the model refused");
  if (choice.finish_reason === "length") throw invalidResponse("it was cut off at the token limit");
  if (choice.finish_reason === "content_filter") throw invalidResponse("it was filtered");
  if (!choice.message.content) throw invalidResponse("it is empty");
  return choice.message.content;
}

/** A client of one endpoint; it remembers the form of constraint that the endpoint knows. */
export class ChatClient {
  readonly #options: ProviderOptions;
  #formatIndex = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /**
   * The text of one completion.
   * @throws {ProviderError} for every failure; nothing of the prompt is in its message.
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
        "No inference provider address or model is configured",
        { retryable: false },
      );
    }
    for (let form = this.#formatIndex;; form++) {
      const response = await this.#post(
        system,
        user,
        responseFormat(RESPONSE_FORMATS[form]!, schema),
        signal,
      );
      if (response.ok) {
        const content = contentOf(response.body);
        this.#formatIndex = form;
        return content;
      }
      const unknownForm = [400, 415, 422, 500, 501].includes(response.status);
      if (!unknownForm || form + 1 >= RESPONSE_FORMATS.length) {
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
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/chat/completions`, {
        method: "POST",
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
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
      const why = limit.aborted ? `gave no answer within ${timeoutMs} ms` : "could not be reached";
      throw new ProviderError("PROVIDER_UNAVAILABLE", `Provider ${why}`, { retryable: true });
    }
  }
}
