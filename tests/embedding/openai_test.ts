/**
 * Tests the client for OpenAI-compatible endpoints against a local server that speaks the protocol.
 */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { OpenAiEmbedder } from "../../src/embedding/openai.ts";
import type { Timers } from "../../src/kernel/timers.ts";

type Handler = (body: { model: string; input: string[] }, key: string | null) => Response | null;

/** Timers that run out when the endpoint hangs. */
class HangTimers implements Timers {
  readonly #running = new Set<() => void>();

  after(_milliseconds: number, run: () => void): () => void {
    this.#running.add(run);
    return () => this.#running.delete(run);
  }

  runOut(): void {
    for (const run of this.#running) run();
  }
}

/** @param handle returns the response, or null to hang until the client gives up */
async function withEndpoint(
  handle: Handler,
  work: (embedder: OpenAiEmbedder, countRequests: () => number) => Promise<void>,
): Promise<void> {
  let requestCount = 0;
  const timers = new HangTimers();
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    requestCount++;
    strictEqual(new URL(request.url).pathname, "/v1/embeddings");
    const response = handle(await request.json(), request.headers.get("authorization"));
    if (response !== null) return response;
    const hasGivenUp = new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    timers.runOut();
    await hasGivenUp;
    return new Response();
  });
  const url = `http://127.0.0.1:${server.addr.port}/v1/`;
  const embedder = new OpenAiEmbedder({ url, model: "any-model", key: "secret" }, timers);
  try {
    await work(embedder, () => requestCount);
  } finally {
    embedder.close();
    await server.shutdown();
  }
}

/** Returns vectors out of order, which the protocol allows. */
const lengths: Handler = ({ input }) =>
  Response.json({
    data: input.map((text, index) => ({ index, embedding: [text.length, 0, 0] })).reverse(),
  });

Deno.test("OpenAiEmbedder sends the model and the key, and returns vectors in the same order as the texts", async () => {
  const handle: Handler = (body, key) => {
    strictEqual(key, "Bearer secret");
    strictEqual(body.model, "any-model");
    return Response.json({
      data: body.input.map((text, index) => ({ index, embedding: text === "a" ? [2, 0] : [0, 3] }))
        .reverse(),
    });
  };
  await withEndpoint(handle, async (embedder) => {
    deepStrictEqual(await embedder.embedPassages(["a", "b"]), [
      Float32Array.of(1, 0),
      Float32Array.of(0, 1),
    ]);
    const { id, dims } = await embedder.model();
    deepStrictEqual([id, dims], ["openai:any-model", 2]);
  });
});

Deno.test("OpenAiEmbedder splits many texts into several requests and caches query vectors", async () => {
  await withEndpoint(lengths, async (embedder, countRequests) => {
    strictEqual(
      (await embedder.embedPassages(Array.from({ length: 70 }, () => "text"))).length,
      70,
    );
    strictEqual(countRequests(), 3);
    await embedder.embedQuery("the same");
    await embedder.embedQuery("the same");
    strictEqual(countRequests(), 4);
  });
});

Deno.test("OpenAiEmbedder shortens a text that is too long for the model and still embeds the others", async () => {
  const handle: Handler = (body, key) =>
    body.input.some((text) => text.length > 1_000)
      ? new Response("too long", { status: 400 })
      : lengths(body, key);
  await withEndpoint(handle, async (embedder) => {
    const vectors = await embedder.embedPassages(["short", "x".repeat(5_000), "also short"]);
    strictEqual(vectors.length, 3);
  });
});

Deno.test("OpenAiEmbedder returns null for a text that fails although others don't, and sets a fault", async () => {
  const failures: (() => Response)[] = [
    () => new Response("unsupported value: NaN", { status: 500 }),
    () => Response.json({ data: [{ index: 0, embedding: [null, null, null] }] }),
  ];
  for (const fail of failures) {
    const handle: Handler = (body, key) => body.input.includes("odd") ? fail() : lengths(body, key);
    await withEndpoint(handle, async (embedder) => {
      const vectors = await embedder.embedPassages(["a", "b", "odd", "c"]);
      deepStrictEqual(vectors.map((vector) => vector?.length), [3, 3, undefined, 3]);
      deepStrictEqual(await embedder.embedPassages(["odd"]), [null]);
      await embedder.embedPassages(["a"]);
      ok(
        embedder.status.fault?.endsWith("found by their words only: 2"),
        embedder.status.fault!,
      );
    });
  }
});

Deno.test("OpenAiEmbedder embeds the whole text if the endpoint fails once", async () => {
  for (const length of [20, 500]) {
    const sent: string[] = [];
    const handle: Handler = (body, key) => {
      sent.push(...body.input);
      return sent.length === 1 ? new Response("crashed", { status: 500 }) : lengths(body, key);
    };
    await withEndpoint(handle, async (embedder) => {
      const [vector] = await embedder.embedPassages(["x".repeat(length)]);
      ok(vector !== null);
      strictEqual(sent.at(-1)!.length, length);
      strictEqual(embedder.status.fault, null);
    });
  }
});

Deno.test("OpenAiEmbedder sends fewer texts per request to an endpoint that is too slow for more", async () => {
  const sent: number[] = [];
  const handle: Handler = (body, key) => {
    sent.push(body.input.length);
    return body.input.length > 8 ? null : lengths(body, key);
  };
  await withEndpoint(handle, async (embedder) => {
    const texts = Array.from({ length: 40 }, () => "text");
    strictEqual((await embedder.embedPassages(texts)).length, 40);
    deepStrictEqual(sent.splice(0), [32, 16, 8, 8, 8, 8, 8]);
    strictEqual((await embedder.embedPassages(texts.slice(0, 10))).length, 10);
    deepStrictEqual(sent, [8, 2]);
    strictEqual(embedder.status.fault, null);
  });
});

Deno.test("OpenAiEmbedder returns null for a text at which the endpoint hangs twice", async () => {
  const sent: string[] = [];
  const handle: Handler = (body, key) => {
    sent.push(body.input.join());
    return body.input.includes("odd") ? null : lengths(body, key);
  };
  await withEndpoint(handle, async (embedder) => {
    const vectors = await embedder.embedPassages(["a", "odd", "b", "c"]);
    deepStrictEqual(vectors.map((vector) => vector?.length), [3, undefined, 3, 3]);
    strictEqual(sent.at(-1), "b,c", "requests aren't smaller because of one text");
  });
});

Deno.test("OpenAiEmbedder throws EmbedderError if the endpoint hangs at every text", async () => {
  const sent: string[][] = [];
  await withEndpoint(({ input }) => {
    sent.push(input);
    return null;
  }, async (embedder) => {
    await rejects(embedder.embedPassages(["a", "b", "c"]), EmbedderError);
    deepStrictEqual(sent.splice(0), [["a", "b", "c"], ["a", "b"], ["a"], ["dimensions"]]);
    ok(embedder.status.fault?.endsWith("no response within 60 seconds"), embedder.status.fault!);
    await rejects(embedder.embedPassages(Array.from({ length: 40 }, () => "text")), EmbedderError);
    strictEqual(sent[0]!.length, 32, "requests aren't smaller because of the endpoint");
  });
});

Deno.test("OpenAiEmbedder throws EmbedderError and sets a fault if the model's dimensions change, then uses the new ones", async () => {
  let dims = 2;
  const handle: Handler = ({ input }) =>
    Response.json({
      data: input.map((_, index) => ({ index, embedding: new Array(dims).fill(1) })),
    });
  await withEndpoint(handle, async (embedder) => {
    strictEqual((await embedder.model()).dims, 2);
    await embedder.embedQuery("a query");
    dims = 3;
    await rejects(embedder.embedPassages(["text"]), EmbedderError);
    ok(embedder.status.fault?.endsWith("of 3 dimensions instead of 2"), embedder.status.fault!);
    strictEqual((await embedder.model()).dims, 3);
    strictEqual((await embedder.embedPassages(["text"]))[0]!.length, 3);
    strictEqual((await embedder.embedQuery("a query")).length, 3);
    strictEqual(embedder.status.fault, null);
  });
});

Deno.test("OpenAiEmbedder throws EmbedderError without splitting the texts if none can be embedded", async () => {
  for (const [status, requests] of [[500, 2], [429, 1], [503, 1]] as const) {
    await withEndpoint(() => new Response("down", { status }), async (embedder, countRequests) => {
      await rejects(embedder.embedPassages(["a", "b", "c"]), EmbedderError);
      strictEqual(countRequests(), requests);
    });
  }
});

Deno.test("OpenAiEmbedder throws EmbedderError and sets a fault if the endpoint fails or its response is invalid", async () => {
  const handlers: Handler[] = [
    () => new Response("busy", { status: 503 }),
    () => new Response("not json"),
    () => Response.json({ data: [] }),
  ];
  for (const handle of handlers) {
    await withEndpoint(handle, async (embedder) => {
      await rejects(embedder.embedPassages(["text"]), EmbedderError);
      ok(embedder.status.fault !== null);
    });
  }
});
