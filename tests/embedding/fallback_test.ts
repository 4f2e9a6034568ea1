/**
 * Checks which runtime we end up with when better ones can't be loaded, by running processes with
 * fewer and fewer permissions.
 */

import { ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./which_runtime.ts", import.meta.url));
const FOLDER = fileURLToPath(
  new URL("../../assets/embedding/all-minilm-l6-v2-int8/", import.meta.url),
);
const GRAPH = `${FOLDER}model.onnx`;
const QUERY_ENCODER = `${FOLDER}memory_query_encoder.onnx`;

async function runtimeWith(...permissions: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", "--allow-env", ...permissions, PROGRAM],
  }).output();
  strictEqual(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("BuiltinEmbedder uses the native runtime if it can be loaded and reports no fault", async () => {
  const { runtime, fault, dims } = await runtimeWith("--allow-ffi", "--allow-sys");
  strictEqual(`${runtime} ${fault} ${dims}`, "native null 384");
});

Deno.test("BuiltinEmbedder falls back to WASM without permission to load native code and reports the fault", async () => {
  const { runtime, fault, dims } = await runtimeWith();
  strictEqual(`${runtime} ${dims}`, "wasm 384");
  ok(fault.startsWith("native: "), fault);
});

Deno.test("BuiltinEmbedder falls back to the static table if the graph can't be read and reports the fault", async () => {
  const { runtime, fault, dims } = await runtimeWith("--allow-ffi", `--deny-read=${GRAPH}`);
  strictEqual(`${runtime} ${dims}`, "static 128");
  ok(/native: .*; wasm: /s.test(fault), fault);
});

Deno.test("BuiltinEmbedder embeds queries for memories like other ones if their encoder can't be read and reports the fault", async () => {
  const { runtime, fault, dims } = await runtimeWith(
    "--allow-ffi",
    "--allow-sys",
    `--deny-read=${QUERY_ENCODER}`,
  );
  strictEqual(`${runtime} ${dims}`, "native 384");
  ok(fault.includes("memory_query_encoder.onnx"), fault);
});
