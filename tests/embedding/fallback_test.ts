/** Which runtime embeds where the better ones can't be loaded: processes that may do less and less. */

import { ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./which_runtime.ts", import.meta.url));
const GRAPH = fileURLToPath(
  new URL("../../assets/embedding/all-minilm-l6-v2-int8/model.onnx", import.meta.url),
);

async function runtimeWith(...permissions: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", "--allow-env", ...permissions, PROGRAM],
  }).output();
  strictEqual(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("the native library embeds where it can be loaded, and nothing is amiss", async () => {
  const { runtime, fault, dims } = await runtimeWith("--allow-ffi", "--allow-sys");
  strictEqual(`${runtime} ${fault} ${dims}`, "native null 384");
});

Deno.test("without the right to load native code the same model runs as WASM, and says why", async () => {
  const { runtime, fault, dims } = await runtimeWith();
  strictEqual(`${runtime} ${dims}`, "wasm 384");
  ok(fault.startsWith("native: "), fault);
});

Deno.test("where the model can't be read the static table embeds, and says why", async () => {
  const { runtime, fault, dims } = await runtimeWith("--allow-ffi", `--deny-read=${GRAPH}`);
  strictEqual(`${runtime} ${dims}`, "static 128");
  ok(/native: .*; wasm: /s.test(fault), fault);
});
