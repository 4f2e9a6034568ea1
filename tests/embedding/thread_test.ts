/** Tests the priority of embedding threads, and that they're released when idle. */

import { deepStrictEqual, notStrictEqual, ok } from "node:assert/strict";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { EmbeddingWorkerClient } from "../../src/embedding/worker_client.ts";
import { threadCountsOf } from "../../testing/low_priority_threads.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const TEXT = { text: "The lamp of the lighthouse", purpose: "passage" } as const;

testWith(["ps"], "BuiltinEmbedder uses a low priority for several passages alone", async () => {
  const counts = await threadCountsOf(new URL("embedding_threads.ts", import.meta.url));
  if (counts === null) return;
  deepStrictEqual([counts["query"], counts["passage"]], [0, 0]);
  ok(counts["passages"]! > 0);
});

Deno.test("EmbeddingWorkerClient releases its model when idle and loads it again when opened", async () => {
  const client = new EmbeddingWorkerClient({ purpose: "memory query", idleMs: 1 });
  try {
    const first = client.open("minilm", ["static"]);
    await first;
    const vector = await client.embed(TEXT);
    await waitUntil(() => Promise.resolve(client.loaded), (loaded) => !loaded);
    const second = client.open("minilm", ["static"]);
    notStrictEqual(second, first);
    await second;
    deepStrictEqual(await client.embed(TEXT), vector);
  } finally {
    client.stop(new EmbedderError("Stopped by the test"));
  }
});
