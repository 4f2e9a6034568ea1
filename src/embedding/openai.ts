/**
 * Embeds texts through any OpenAI-compatible endpoint: Ollama, llama.cpp, vLLM or a cloud provider.
 */

import { z } from "zod";
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
 * Minimum length for splitting a text. Anything shorter fits any model, so if it's rejected, there
 * must be a different reason.
 */
const MIN_SPLIT_CHARACTERS = 200;

/** Thrown if the endpoint rejects its input. */
class RejectedInputError extends EmbedderError {}

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
  readonly #cache = new QueryCache();
  readonly #abort = new AbortController();
  #model: Promise<EmbeddingModel> | undefined;
  #status: EmbedderStatus = { model: null, runtime: null, fault: null };

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  get configuredModelId(): string {
    return `openai:${this.#endpoint.model}`;
  }

  get status(): EmbedderStatus {
    return this.#status;
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

  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += MAX_REQUEST_TEXTS) {
      vectors.push(...await this.#embedOrSplit(texts.slice(start, start + MAX_REQUEST_TEXTS)));
    }
    return vectors;
  }

  close(): void {
    this.#abort.abort();
  }

  /**
   * Embeds texts, splitting the request if it's rejected. If a single text is rejected, that text
   * is halved. Otherwise, one text too long for the model would block all texts after it.
   */
  async #embedOrSplit(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#embed(texts, PASSAGES_TIMEOUT_MS);
    } catch (error) {
      const isRejected = (error as Error).cause instanceof RejectedInputError;
      const [first = ""] = texts;
      if (!isRejected || (texts.length === 1 && first.length < MIN_SPLIT_CHARACTERS)) throw error;
      if (texts.length === 1) {
        const shorterLength = Math.min(first.length, MAX_TEXT_CHARACTERS) / 2;
        return await this.#embedOrSplit([first.slice(0, shorterLength)]);
      }
      const half = Math.ceil(texts.length / 2);
      return [
        ...await this.#embedOrSplit(texts.slice(0, half)),
        ...await this.#embedOrSplit(texts.slice(half)),
      ];
    }
  }

  async #probe(): Promise<EmbeddingModel> {
    const [vector] = await this.#embed(["dimensions"], QUERY_TIMEOUT_MS);
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
    try {
      const vectors = await this.#request(texts, timeoutMs);
      this.#status = { ...this.#status, fault: null };
      return vectors;
    } catch (error) {
      const fault = `Request to ${this.#endpoint.url} failed: ${(error as Error).message}`;
      this.#status = { ...this.#status, fault };
      throw new EmbedderError(fault, { cause: error });
    }
  }

  async #request(texts: readonly string[], timeoutMs: number): Promise<Float32Array[]> {
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
      signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const isRejected = [400, 413, 422].includes(response.status);
      throw new (isRejected ? RejectedInputError : EmbedderError)(`status ${response.status}`);
    }
    const { data } = embeddingsResponse.parse(await response.json());
    const vectors = texts.map((_, index) => data.find((item) => item.index === index)?.embedding);
    const dims = vectors[0]?.length;
    return vectors.map((vector) => {
      if (vector === undefined || vector.length !== dims) {
        throw new EmbedderError(
          "the response must have one vector of the same length for each text",
        );
      }
      return normalize(Float32Array.from(vector));
    });
  }
}
