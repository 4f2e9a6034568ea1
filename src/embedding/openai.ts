/** Any OpenAI-compatible embeddings endpoint: Ollama, llama.cpp, vLLM, a cloud. */

import { z } from "zod";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
} from "./embedder.ts";
import { normalized } from "./quantize.ts";
import { QueryCache } from "./query_cache.ts";

/** Texts a request; what the smaller servers accept. */
const TEXTS_AT_ONCE = 32;

/** A query may not wait longer; search goes on by words alone. */
const QUERY_MS = 5_000;
const PASSAGES_MS = 60_000;

/** Characters a text; servers refuse what is longer than their model reads (8,191 tokens). */
const LONGEST_TEXT = 8_000;

const answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })),
});

/** A text of this length fits any model; when it is refused, something else is wrong. */
const SHORTEST_TEXT = 200;

/** The endpoint doesn't take what it was sent. */
class RefusedError extends EmbedderError {}

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
  readonly #stopped = new AbortController();
  #model: Promise<EmbeddingModel> | undefined;
  #status: EmbedderStatus = { model: null, runtime: null, fault: null };

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  get intended(): string {
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

  query(text: string): Promise<Float32Array> {
    return this.#cache.get(text, async () => (await this.#ask([text], QUERY_MS))[0]!);
  }

  async passages(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      vectors.push(...await this.#fitting(texts.slice(start, start + TEXTS_AT_ONCE)));
    }
    return vectors;
  }

  close(): void {
    this.#stopped.abort();
  }

  /**
   * What is refused as a whole is asked for piece by piece, and a text that is refused by itself is
   * halved: one text that is too long for the model must not hold up all that come after it.
   */
  async #fitting(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#ask(texts, PASSAGES_MS);
    } catch (error) {
      const refused = (error as Error).cause instanceof RefusedError;
      const [first = ""] = texts;
      if (!refused || (texts.length === 1 && first.length < SHORTEST_TEXT)) throw error;
      if (texts.length === 1) {
        const fits = Math.min(first.length, LONGEST_TEXT) / 2;
        return await this.#fitting([first.slice(0, fits)]);
      }
      const half = Math.ceil(texts.length / 2);
      return [
        ...await this.#fitting(texts.slice(0, half)),
        ...await this.#fitting(texts.slice(half)),
      ];
    }
  }

  async #probe(): Promise<EmbeddingModel> {
    const [vector] = await this.#ask(["dimensions"], QUERY_MS);
    const id = this.intended;
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

  async #ask(texts: readonly string[], milliseconds: number): Promise<Float32Array[]> {
    try {
      const vectors = await this.#request(texts, milliseconds);
      this.#status = { ...this.#status, fault: null };
      return vectors;
    } catch (error) {
      const fault = `${this.#endpoint.url} can't be asked: ${(error as Error).message}`;
      this.#status = { ...this.#status, fault };
      throw new EmbedderError(fault, { cause: error });
    }
  }

  async #request(texts: readonly string[], milliseconds: number): Promise<Float32Array[]> {
    const { url, model, key } = this.#endpoint;
    const response = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        input: texts.map((text) => text.slice(0, LONGEST_TEXT).toWellFormed()),
        encoding_format: "float",
      }),
      redirect: "error",
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(milliseconds)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const refused = [400, 413, 422].includes(response.status);
      throw new (refused ? RefusedError : EmbedderError)(`it answered ${response.status}`);
    }
    const { data } = answer.parse(await response.json());
    const vectors = texts.map((_, index) => data.find((each) => each.index === index)?.embedding);
    const dims = vectors[0]?.length;
    return vectors.map((vector) => {
      if (vector === undefined || vector.length !== dims) {
        throw new EmbedderError("it did not answer one vector for every text");
      }
      return normalized(Float32Array.from(vector));
    });
  }
}
