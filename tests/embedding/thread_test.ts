/** Passages give way to queries, and their thread goes when there are no more of them. */

import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinEmbedder } from "../../src/embedding/builtin.ts";
import { EmbedderError } from "../../src/embedding/embedder.ts";
import { EmbeddingWorkerClient } from "../../src/embedding/worker_client.ts";
import { countLowPriorityThreads, LOW_PRIORITY } from "../../testing/low_priority_threads.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const TEXT = { text: "The lamp of the lighthouse", purpose: "passage" } as const;

Deno.test("what was stored is embedded at a low priority, and a query isn't", async () => {
  const usual = getPriority();
  // Those of tests before this one may be on their way out.
  const before = await countLowPriorityThreads();
  const embedder = new BuiltinEmbedder("minilm", ["static"]);
  try {
    await embedder.embedQuery("Who keeps the lamp?");
    // The test itself may have been started at such a priority.
    if (usual < LOW_PRIORITY) ok(await countLowPriorityThreads() <= before);
    await embedder.embedPassages([TEXT.text]);
    ok(await countLowPriorityThreads() > 0);
    strictEqual(getPriority(), usual);
  } finally {
    embedder.close();
  }
});

Deno.test("a thread without work lets go of its model, and the next text has it loaded again", async () => {
  const thread = new EmbeddingWorkerClient({ lowPriority: false, idleMs: 1 });
  try {
    const first = thread.open("minilm", ["static"]);
    await first;
    const vector = await thread.embed(TEXT);
    await waitUntil(() => Promise.resolve(thread.loaded), (loaded) => !loaded);
    const second = thread.open("minilm", ["static"]);
    notStrictEqual(second, first);
    await second;
    deepStrictEqual(await thread.embed(TEXT), vector);
  } finally {
    thread.stop(new EmbedderError("The test is over"));
  }
});
