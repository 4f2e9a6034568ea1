/** Tests that Tesseract's faster matrix multiplication returns the numbers of the slower one. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { compileKernels } from "../../scripts/build_wasm.ts";
import { loadAssets } from "../../src/extraction/assets.ts";
import { DOT_PRODUCTS_BASE64 } from "../../src/extraction/ocr/core/dot_products_wasm.ts";
import { withFasterDotProducts } from "../../src/extraction/ocr/core/faster_core.ts";
import { OcrEngine } from "../../src/extraction/ocr/engine.ts";
import { scan } from "../../testing/extraction_fixtures.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";

const MAX = 127;

Deno.test("compileKernels() returns the OCR kernel in the repository", async () => {
  const bytes = (await compileKernels("src/extraction/ocr/core/dot_products")).toBase64();
  assert.ok(bytes === DOT_PRODUCTS_BASE64, "dot_products_wasm.ts is out of date: deno task wasm");
});

Deno.test("multiply() returns the exact products, for every number of inputs and outputs", () => {
  const random = new SeededRandom(1);
  const module = new WebAssembly.Module(Uint8Array.fromBase64(DOT_PRODUCTS_BASE64));
  const { multiply, memory } = new WebAssembly.Instance(module).exports as unknown as {
    multiply(...parameters: number[]): void;
    memory: WebAssembly.Memory;
  };
  const bytes = new Int8Array(memory.buffer);
  // What is around the numbers must not matter.
  for (let at = 65_536; at < bytes.length; at++) bytes[at] = random.below(255) - MAX;
  for (let inputs = 1; inputs <= 70; inputs++) {
    for (const outputs of [1, 3, 4, 9]) {
      const columns = inputs + 1;
      const row = columns + 1 - columns % 2;
      const [weightsAt, inputAt, scalesAt, resultsAt] = [70_003, 90_001, 100_004, 110_004];
      const weights = bytes.subarray(weightsAt, weightsAt + outputs * row);
      for (let at = 0; at < outputs * row; at++) if (at % row === inputs) weights[at] = 0;
      for (let output = 0; output < outputs; output++) {
        weights[output * row + row - 1] = random.below(255) - MAX;
      }
      const input = bytes.slice(inputAt, inputAt + inputs);
      const scales = new Float32Array(memory.buffer, scalesAt, outputs);
      for (let at = 0; at < outputs; at++) scales[at] = random.below(1_000) / 999;
      const expected = Array.from({ length: outputs }, (_, output) => {
        let sum = weights[output * row + row - 1]! * MAX;
        for (let at = 0; at < inputs; at++) sum += weights[output * row + at]! * input[at]!;
        return Math.fround(sum * scales[output]!);
      });
      multiply(outputs, columns, weightsAt, scalesAt, inputAt, resultsAt);
      assert.deepEqual([...new Float32Array(memory.buffer, resultsAt, outputs)], expected);
    }
  }
});

Deno.test("withFasterDotProducts() doesn't change what Tesseract recognizes", async () => {
  const assets = loadAssets();
  const core = await assets.tesseract();
  const image = await scan("The quick brown fox jumps over\nthe lazy dog, 1,234 times a day.");
  const start = (wasm: Uint8Array) =>
    OcrEngine.start(wasm, async (language) => gunzipSync(await assets.ocrData(language)));
  const [before, after] = [await start(core), await start(await withFasterDotProducts(core))];
  assert.deepEqual(after.recognize(image, 200), before.recognize(image, 200));
});

Deno.test("withFasterDotProducts() rejects any other version of Tesseract", async () => {
  const core = (await loadAssets().tesseract()).slice();
  core[2_218_810]! ^= 1;
  await assert.rejects(withFasterDotProducts(core), /not the version/);
});
