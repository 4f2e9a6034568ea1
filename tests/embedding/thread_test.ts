/** Tests the priority of embedding threads, and that they're released when idle. */

import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinEmbedder } from "../../src/embedding/builtin.ts";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { EmbeddingWorkerClient } from "../../src/embedding/worker_client.ts";
import { countLowPriorityThreads, LOW_PRIORITY } from "../../testing/low_priority_threads.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const TEXT = { text: "The lamp of the lighthouse", purpose: "passage" } as const;

testWith(
  ["ps"],
  "BuiltinEmbedder.embedPassages() runs at low priority and embedQuery() at normal priority",
  async () => {
    const ownPriority = getPriority();
    // Threads from earlier tests may not have ended yet.
    const before = await countLowPriorityThreads();
    const embedder = new BuiltinEmbedder("minilm", ["static"]);
    try {
      await embedder.embedQuery("Who keeps the lamp?", "memories");
      // The test process itself may be running at low priority.
      if (ownPriority < LOW_PRIORITY) ok(await countLowPriorityThreads() <= before);
      await embedder.embedPassages([TEXT.text, TEXT.text]);
      ok(await countLowPriorityThreads() > 0);
      strictEqual(getPriority(), ownPriority);
    } finally {
      embedder.close();
    }
  },
);

testWith(
  ["ps"],
  "BuiltinEmbedder.embedPassages() embeds a single text after a query without another thread",
  async () => {
    const before = await countLowPriorityThreads();
    const embedder = new BuiltinEmbedder("minilm", ["static"]);
    try {
      await embedder.embedQuery("Who keeps the lamp?", "memories");
      strictEqual((await embedder.embedPassages([TEXT.text])).length, 1);
      ok(await countLowPriorityThreads() <= before);
    } finally {
      embedder.close();
    }
  },
);

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
