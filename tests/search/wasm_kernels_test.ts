/** The WebAssembly kernels in cases that a search rarely reaches. */

import { deepStrictEqual } from "node:assert/strict";
import { createScan } from "../../src/search/vectors/wasm_kernels.ts";

Deno.test("createScan() handles rows and results beyond 2 GiB", () => {
  const [page, far, query] = [65_536, 2 ** 31, 8];
  const memory = new WebAssembly.Memory({ initial: far / page + 1 });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set([0xff, 0x0f], query);
  bytes.set([0xff, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0xff], far);
  const [list, out] = [far + 24, far + 48];
  new Int32Array(memory.buffer, list, 3).set([far, far + 8, far + 16]);
  const found = (end: number) => [...new Int32Array(memory.buffer, out, (end - out) / 4)];
  deepStrictEqual(found(createScan(memory, 8, false)(query, far, out, 3, 5)), [0, 0, 2, 4]);
  deepStrictEqual(found(createScan(memory, 8, true)(query, list, out, 3, 13)), [0, 0, 2, 4]);
});
