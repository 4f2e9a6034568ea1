/** Tests the built-in models with each runtime. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { BuiltinEmbedder } from "../../src/embedding/builtin.ts";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { readModelFile } from "../../src/embedding/model_files.ts";
import {
  cosineSimilarity,
  quantize,
  quantizeQuery,
  toSignBits,
} from "../../src/embedding/quantize.ts";

const TEA = "Maria loves green tea.";
const CAR = "The car broke down on the motorway.";
const QUESTION = "What does she like to drink?";

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

async function withEmbedder(
  embedder: BuiltinEmbedder,
  work: (embedder: BuiltinEmbedder) => Promise<void>,
): Promise<void> {
  try {
    await work(embedder);
  } finally {
    embedder.close();
  }
}

for (
  const [name, runtime] of [["minilm", "native"], ["minilm", "wasm"], ["e5", "native"]] as const
) {
  Deno.test(`BuiltinEmbedder with ${name} on ${runtime} ranks the relevant passage first`, async () => {
    await withEmbedder(new BuiltinEmbedder(name, [runtime]), async (embedder) => {
      const [tea, car] = await embedder.embedPassages([TEA, CAR]) as [Float32Array, Float32Array];
      const question = await embedder.embedQuery(QUESTION, "memories");
      ok(cosine(question, tea) > cosine(question, car) + 0.05);
      ok(Math.abs(cosine(tea, tea) - 1) < 1e-5);
      strictEqual(embedder.status.runtime, runtime);
      deepStrictEqual((await embedder.embedPassages([CAR, TEA])).reverse(), [tea, car]);
    });
  });
}

Deno.test("BuiltinEmbedder.embedQuery() brings a question about a memory closer to the text with what is asked", async () => {
  await withEmbedder(new BuiltinEmbedder("minilm", ["native"]), async (embedder) => {
    const [adopted, asked] = await embedder.embedPassages([
      "Nadine: I finally picked the dog up yesterday!",
      "Tom: When did your sister get hers?",
    ]) as [Float32Array, Float32Array];
    const lead = (question: Float32Array) => cosine(question, adopted) - cosine(question, asked);
    const question = "When did Nadine adopt her pet?";
    const [own, published] = [
      await embedder.embedQuery(question, "memories"),
      await embedder.embedQuery(question, "documents"),
    ];
    ok(lead(own) > lead(published) + 0.05, `${lead(own)} ${lead(published)}`);
  });
});

Deno.test("BuiltinEmbedder.embedQuery() embeds a query for documents like a text, and with e5 like one for memories", async () => {
  await withEmbedder(new BuiltinEmbedder("minilm", ["native"]), async (embedder) => {
    const [text] = await embedder.embedPassages([QUESTION]);
    deepStrictEqual(await embedder.embedQuery(QUESTION, "documents"), text);
  });
  await withEmbedder(new BuiltinEmbedder("e5", ["native"]), async (embedder) => {
    deepStrictEqual(
      await embedder.embedQuery(QUESTION, "documents"),
      await embedder.embedQuery(QUESTION, "memories"),
    );
  });
});

Deno.test("BuiltinEmbedder.embedPassages() returns the same vectors in order, however many threads it uses", async () => {
  await withEmbedder(new BuiltinEmbedder("minilm", ["native"]), async (embedder) => {
    const texts = Array.from({ length: 64 }, (_, number) => `Shelf ${number} holds seven boxes`);
    const together = await embedder.embedPassages(texts);
    strictEqual(together.length, texts.length);
    for (const index of [0, 31, 63]) {
      deepStrictEqual(await embedder.embedPassages([texts[index]!]), [together[index]!]);
    }
  });
});

Deno.test("BuiltinEmbedder with e5 compares texts in different languages", async () => {
  await withEmbedder(new BuiltinEmbedder("e5", ["native"]), async (embedder) => {
    const question = await embedder.embedQuery("Was trinkt sie gern?", "memories");
    const [tea, car] = await embedder.embedPassages([TEA, CAR]);
    ok(cosine(question, tea!) > cosine(question, car!));
  });
});

Deno.test("BuiltinEmbedder uses the static table as its only runtime, and fails if the model has none", async () => {
  await withEmbedder(new BuiltinEmbedder("minilm", ["static"]), async (embedder) => {
    strictEqual((await embedder.model()).id, BUILTIN_MODELS.minilm.table.id);
    strictEqual(embedder.status.runtime, "static");
    strictEqual((await embedder.embedQuery(QUESTION, "memories")).length, 128);
  });
  await withEmbedder(new BuiltinEmbedder("e5", ["static"]), async (embedder) => {
    await rejects(embedder.embedQuery(QUESTION, "memories"), EmbedderError);
    ok(embedder.status.fault?.includes("no static table"));
  });
});

Deno.test("readModelFile() throws if a file was changed or is missing", () => {
  const changed = { name: "vocab.txt", sha256: "0".repeat(64) };
  strictEqual(
    thrownErrorName(() => readModelFile(BUILTIN_MODELS.minilm, changed)),
    "EmbedderError",
  );
  const missing = { name: "nothing.bin", sha256: "0".repeat(64) };
  strictEqual(
    thrownErrorName(() => readModelFile(BUILTIN_MODELS.minilm, missing)),
    "EmbedderError",
  );
});

Deno.test("quantize() preserves the direction of a vector, and toSignBits() preserves its signs", () => {
  const vector = Float32Array.from({ length: 40 }, (_, at) => Math.sin(at * 12.9898));
  const length = Math.hypot(...vector);
  const unit = vector.map((component) => component / length);
  ok(Math.abs(cosineSimilarity(quantizeQuery(unit), quantize(vector)) - 1) < 1e-3);
  strictEqual(cosineSimilarity(quantizeQuery(unit), quantize(new Float32Array(40))), 0);
  strictEqual(toSignBits(vector, null).length, 16);
  deepStrictEqual(
    toSignBits(Float32Array.of(1, -1, 0.5, 0.1), Float32Array.of(0, 0, 0, 0.2))[0],
    5,
  );
});

function thrownErrorName(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).name;
  }
  return "";
}
