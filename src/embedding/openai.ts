/**
 * Embeds texts through any OpenAI-compatible endpoint: Ollama, llama.cpp, vLLM or a cloud provider.
 */

import { z } from "zod";
import { HOUR_MS } from "../kernel/clock.ts";
import { systemTimers, type Timers } from "../kernel/timers.ts";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
} from "./embedder.ts";
import { normalize } from "./quantize.ts";
import { QueryCache } from "./query_cache.ts";

/** Maximum number of texts per request. Smaller servers don't accept more. */
const MAX_REQUEST_TEXTS = 32;

/** Query timeout. When it expires, search falls back to words alone. */
const QUERY_TIMEOUT_MS = 5_000;
const PASSAGES_TIMEOUT_MS = 60_000;

/**
 * How long requests have fewer texts after one that took too long, in milliseconds. A model on a CPU
 * can need minutes for 32 texts, but the endpoint can also have been busy for a moment.
 */
const SMALLER_REQUESTS_MS = HOUR_MS;

/** Range of similarities assumed for any model: that of `minilm`. */
const SIMILARITY = { none: 0.2, same: 0.8 };

/**
 * Maximum number of characters per text. Servers reject texts beyond the model's limit, e.g. 8,191
 * tokens for OpenAI.
 */
const MAX_TEXT_CHARACTERS = 8_000;

const embeddingsResponse = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })),
});

/**
 * Minimum length for shortening a text. Anything shorter fits any model, so if it fails, there must
 * be a different reason.
 */
const MIN_SPLIT_CHARACTERS = 200;

/** A text that every model can embed. */
const PROBE = "dimensions";

/** Statuses for which the texts can't be the reason: access, overload, and unreachable servers. */
const ENDPOINT_STATUSES: readonly number[] = [401, 402, 403, 404, 405, 408, 429, 502, 503, 504];

/** Thrown if the endpoint responds with an error that the texts may be the reason for. */
class FailedInputError extends EmbedderError {}

/** Thrown if the endpoint hasn't responded in time. */
class TimeoutError extends EmbedderError {}

/** Address and credentials for an endpoint. */
export interface Endpoint {
  /** Base URL without `/embeddings`, e.g. `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

/**
 * Embeds texts over HTTP. Never retries a failed request, since only the caller knows how long it
 * can wait.
 */
export class OpenAiEmbedder implements Embedder {
  readonly #endpoint: Endpoint;
  readonly #timers: Timers;
  #cache = new QueryCache();
  readonly #abort = new AbortController();
  #model: Promise<EmbeddingModel> | undefined;
  #status: EmbedderStatus = { model: null, runtime: null, fault: null };
  /** Number of texts that failed although others were embedded. */
  #failedTexts = 0;
  #maxRequestTexts = MAX_REQUEST_TEXTS;
  #largerRequestsAt = 0;

  constructor(endpoint: Endpoint, timers: Timers = systemTimers) {
    this.#endpoint = endpoint;
    this.#timers = timers;
  }

  get configuredModelId(): string {
    return `openai:${this.#endpoint.model}`;
  }

  get status(): EmbedderStatus {
    const fault = this.#failedTexts === 0
      ? null
      : `${this.#endpoint.url} failed to embed some texts, found by their words only: ${this.#failedTexts}`;
    return { ...this.#status, fault: this.#status.fault ?? fault };
  }

  /** Returns the model. The number of dimensions comes from the first response. */
  model(): Promise<EmbeddingModel> {
    return this.#model ??= this.#probe().catch((error: unknown) => {
      this.#model = undefined;
      throw error;
    });
  }

  embedQuery(text: string): Promise<Float32Array> {
    return this.#cache.getOrCompute(
      text,
      async () => (await this.#embed([text], QUERY_TIMEOUT_MS))[0]!,
    );
  }

  async embedPassages(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    if (performance.now() >= this.#largerRequestsAt) this.#maxRequestTexts = MAX_REQUEST_TEXTS;
    while (vectors.length < texts.length) {
      const batch = texts.slice(vectors.length, vectors.length + this.#maxRequestTexts);
      try {
        vectors.push(...await this.#embedOrSplit(batch));
      } catch (error) {
        if (batch.length === 1 || !isTimeout(error)) throw error;
        this.#maxRequestTexts = Math.ceil(batch.length / 2);
        this.#largerRequestsAt = performance.now() + SMALLER_REQUESTS_MS;
      }
    }
    await this.#checkDimensions(vectors);
    this.#failedTexts += vectors.filter((vector) => vector === null).length;
    return vectors;
  }

  close(): void {
    this.#abort.abort();
  }

  /**
   * Embeds texts, splitting the request if it fails, and shortening a single text that fails.
   * Otherwise, one text that the model can't embed would block all texts after it. Models fail for
   * texts that are too long, and for a few others: Ollama responds with status 500 if a vector isn't
   * a number. A single text is sent once more first, since the endpoint can have failed for a moment.
   *
   * @throws {EmbedderError} If the texts aren't the reason, or it takes too long for this many.
   */
  async #embedOrSplit(
    texts: readonly string[],
    isRepeated = false,
  ): Promise<(Float32Array | null)[]> {
    let hangs = false;
    try {
      return await this.#embed(texts, PASSAGES_TIMEOUT_MS);
    } catch (error) {
      hangs = texts.length === 1 && isTimeout(error);
      // The reason isn't the number of texts, so larger requests didn't fail because of it.
      if (hangs) this.#maxRequestTexts = MAX_REQUEST_TEXTS;
      if (!hangs && !((error as Error).cause instanceof FailedInputError)) throw error;
      // Fails if the texts aren't the reason.
      await this.#embed([PROBE], PASSAGES_TIMEOUT_MS);
    }
    const half = Math.ceil(texts.length / 2);
    if (texts.length > 1) {
      return [
        ...await this.#embedOrSplit(texts.slice(0, half)),
        ...await this.#embedOrSplit(texts.slice(half)),
      ];
    }
    if (!isRepeated) return await this.#embedOrSplit(texts, true);
    const { length } = texts[0]!;
    if (!hangs && length >= MIN_SPLIT_CHARACTERS) {
      const shortened = texts[0]!.slice(0, Math.min(length, MAX_TEXT_CHARACTERS) / 2);
      return await this.#embedOrSplit([shortened]);
    }
    return [null];
  }

  /**
   * Forgets the model if the endpoint has another one with the same name by now.
   *
   * @throws {EmbedderError} If the vectors don't have the dimensions of the model.
   */
  async #checkDimensions(vectors: readonly (Float32Array | null)[]): Promise<void> {
    const dims = (await this.#model)?.dims;
    const other = vectors.find((vector) => vector !== null && vector.length !== dims);
    if (dims === undefined || !other) return;
    this.#model = undefined;
    this.#cache = new QueryCache();
    const fault =
      `${this.#endpoint.url} returned vectors of ${other.length} dimensions instead of ${dims}`;
    this.#status = { ...this.#status, fault };
    throw new EmbedderError(fault);
  }

  async #probe(): Promise<EmbeddingModel> {
    const [vector] = await this.#embed([PROBE], QUERY_TIMEOUT_MS);
    const id = this.configuredModelId;
    this.#status = { model: id, runtime: "http", fault: null };
    return {
      id,
      dims: vector!.length,
      // An unknown model gets weights in between those measured for the built-in models.
      weight: { memories: 0.7, documents: 0.9 },
      similarity: { memories: SIMILARITY, documents: SIMILARITY },
      center: null,
    };
  }

  async #embed(texts: readonly string[], timeoutMs: number): Promise<Float32Array[]> {
    const timeout = new AbortController();
    const cancelTimeout = this.#timers.after(timeoutMs, () => timeout.abort());
    try {
      const vectors = await this.#request(texts, timeout.signal);
      this.#status = { ...this.#status, fault: null };
      return vectors;
    } catch (error) {
      const cause = timeout.signal.aborted
        ? new TimeoutError(`no response within ${timeoutMs / 1_000} seconds`)
        : error as Error;
      const fault = `Request to ${this.#endpoint.url} failed: ${cause.message}`;
      this.#status = { ...this.#status, fault };
      throw new EmbedderError(fault, { cause });
    } finally {
      cancelTimeout();
    }
  }

  async #request(texts: readonly string[], timeout: AbortSignal): Promise<Float32Array[]> {
    const { url, model, key } = this.#endpoint;
    const response = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        input: texts.map((text) => text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()),
        encoding_format: "float",
      }),
      redirect: "error",
      signal: AbortSignal.any([this.#abort.signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const isEndpointError = ENDPOINT_STATUSES.includes(response.status);
      throw new (isEndpointError ? EmbedderError : FailedInputError)(`status ${response.status}`);
    }
    const data = parseResponse(await response.text());
    const vectors = texts.map((_, index) => data.find((item) => item.index === index)?.embedding);
    const dims = vectors[0]?.length;
    return vectors.map((vector) => {
      if (vector === undefined || vector.length !== dims) {
        throw new FailedInputError(
          "the response must have one vector of the same length for each text",
        );
      }
      return normalize(Float32Array.from(vector));
    });
  }
}

function isTimeout(error: unknown): boolean {
  return (error as Error).cause instanceof TimeoutError;
}

function parseResponse(json: string): z.infer<typeof embeddingsResponse>["data"] {
  try {
    return embeddingsResponse.parse(JSON.parse(json)).data;
  } catch {
    throw new FailedInputError("the response must be JSON with a list of vectors");
  }
}
