/** An OpenAI-compatible endpoint, played by a local server that speaks its protocol. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { OpenAiEmbedder } from "../../src/embedding/openai.ts";

type Answer = (body: { model: string; input: string[] }, key: string | null) => Response;

async function withEndpoint(
  answer: Answer,
  work: (embedder: OpenAiEmbedder, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    asked++;
    strictEqual(new URL(request.url).pathname, "/v1/embeddings");
    return answer(await request.json(), request.headers.get("authorization"));
  });
  const url = `http://127.0.0.1:${server.addr.port}/v1/`;
  const embedder = new OpenAiEmbedder({ url, model: "any-model", key: "secret" });
  try {
    await work(embedder, () => asked);
  } finally {
    embedder.close();
    await server.shutdown();
  }
}

/** Answers out of order, as the protocol allows. */
const lengths: Answer = ({ input }) =>
  Response.json({
    data: input.map((text, index) => ({ index, embedding: [text.length, 0, 0] })).reverse(),
  });

Deno.test("texts are sent with the model and the key, and vectors come back in order", async () => {
  const answer: Answer = (body, key) => {
    strictEqual(key, "Bearer secret");
    strictEqual(body.model, "any-model");
    return Response.json({
      data: body.input.map((text, index) => ({ index, embedding: text === "a" ? [2, 0] : [0, 3] }))
        .reverse(),
    });
  };
  await withEndpoint(answer, async (embedder) => {
    deepStrictEqual(await embedder.embedPassages(["a", "b"]), [
      Float32Array.of(1, 0),
      Float32Array.of(0, 1),
    ]);
    const { id, dims } = await embedder.model();
    deepStrictEqual([id, dims], ["openai:any-model", 2]);
  });
});

Deno.test("many texts go in several requests, a query asked again in none", async () => {
  await withEndpoint(lengths, async (embedder, asked) => {
    strictEqual(
      (await embedder.embedPassages(Array.from({ length: 70 }, () => "text"))).length,
      70,
    );
    strictEqual(asked(), 3);
    await embedder.embedQuery("the same");
    await embedder.embedQuery("the same");
    strictEqual(asked(), 4);
  });
});

Deno.test("a text that is too long for the model is cut, and holds up no other", async () => {
  const answer: Answer = (body, key) =>
    body.input.some((text) => text.length > 1_000)
      ? new Response("too long", { status: 400 })
      : lengths(body, key);
  await withEndpoint(answer, async (embedder) => {
    const vectors = await embedder.embedPassages(["short", "x".repeat(5_000), "also short"]);
    strictEqual(vectors.length, 3);
  });
});

Deno.test("an endpoint that fails or answers nonsense is an error that health can tell", async () => {
  const answers: Answer[] = [
    () => new Response("busy", { status: 503 }),
    () => new Response("not json"),
    () => Response.json({ data: [] }),
  ];
  for (const answer of answers) {
    await withEndpoint(answer, async (embedder) => {
      await rejects(embedder.embedPassages(["text"]), EmbedderError);
      ok(embedder.status.fault !== null);
    });
  }
});
