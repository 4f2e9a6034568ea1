/** An OpenAI-compatible embedding endpoint that can keep a process waiting. */

import { waitUntil } from "../../testing/wait_until.ts";

/** The model whose texts wait until the endpoint is released. */
export const HELD_MODEL = "first";

/** What the embedder sends to learn the number of dimensions. */
const PROBE = "dimensions";

/** An endpoint of one process. */
export class EmbeddingEndpoint {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #released = Promise.withResolvers<void>();
  #held = 0;
  /** Number of texts that were embedded. */
  texts = 0;

  constructor() {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
      return this.#embed(request);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/v1`;
  }

  /** Resolves when a request waits. */
  async held(): Promise<void> {
    await waitUntil(() => Promise.resolve(this.#held), (held) => held > 0);
  }

  /** Responds to all requests, waiting and later ones. */
  release(): void {
    this.#released.resolve();
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
  }

  async #embed(request: Request): Promise<Response> {
    const { input, model } = await request.json() as { input: string[]; model: string };
    if (input[0] !== PROBE) {
      this.#held++;
      if (model === HELD_MODEL) await this.#released.promise;
      this.texts += input.length;
    }
    const data = input.map(({ length }, index) => ({ index, embedding: [1, length, 2] }));
    return Response.json({ data });
  }
}
