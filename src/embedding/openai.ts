/** Any OpenAI-compatible embeddings endpoint: Ollama, llama.cpp, vLLM, a cloud. */

import { z } from "zod";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
} from "./embedder.ts";
import { normalize } from "./quantize.ts";
import { QueryCache } from "./query_cache.ts";

/** Texts a request; what the smaller servers accept. */
const MAX_REQUEST_TEXTS = 32;

/** A query may not wait longer; search goes on by words alone. */
const QUERY_TIMEOUT_MS = 5_000;
const PASSAGES_TIMEOUT_MS = 60_000;

/** Characters a text; servers refuse what is longer than their model reads (8,191 tokens). */
const MAX_TEXT_CHARACTERS = 8_000;

const embeddingsResponse = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })),
});

/** A text of this length fits any model; when it is refused, something else is wrong. */
const MIN_SPLIT_CHARACTERS = 200;

/** The endpoint doesn't take what it was sent. */
class RejectedInputError extends EmbedderError {}

/** Where to ask. */
export interface Endpoint {
  /** Up to and without `/embeddings`, e.g. `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** Embeds by HTTP. It never tries again by itself: whoever asks knows how long it can wait. */
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

  /** The number of dimensions is learnt from a first answer. */
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
   * What is refused as a whole is asked for piece by piece, and a text that is refused by itself is
   * halved: one text that is too long for the model must not hold up all that come after it.
   */
  async #embedOrSplit(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#embed(texts, PASSAGES_TIMEOUT_MS);
    } catch (error) {
      const refused = (error as Error).cause instanceof RejectedInputError;
      const [first = ""] = texts;
      if (!refused || (texts.length === 1 && first.length < MIN_SPLIT_CHARACTERS)) throw error;
      if (texts.length === 1) {
        const fits = Math.min(first.length, MAX_TEXT_CHARACTERS) / 2;
        return await this.#embedOrSplit([first.slice(0, fits)]);
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
      // Unknown models get the middle of what the measured ones want.
      weight: { memories: 0.7, documents: 0.9 },
      similarity: { none: 0.2, same: 0.8 },
      center: null,
    };
  }

  async #embed(texts: readonly string[], timeoutMs: number): Promise<Float32Array[]> {
    try {
      const vectors = await this.#request(texts, timeoutMs);
      this.#status = { ...this.#status, fault: null };
      return vectors;
    } catch (error) {
      const fault = `${this.#endpoint.url} can't be asked: ${(error as Error).message}`;
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
      const refused = [400, 413, 422].includes(response.status);
      throw new (refused ? RejectedInputError : EmbedderError)(`it answered ${response.status}`);
    }
    const { data } = embeddingsResponse.parse(await response.json());
    const vectors = texts.map((_, index) => data.find((each) => each.index === index)?.embedding);
    const dims = vectors[0]?.length;
    return vectors.map((vector) => {
      if (vector === undefined || vector.length !== dims) {
        throw new EmbedderError("it did not answer one vector for every text");
      }
      return normalize(Float32Array.from(vector));
    });
  }
}
