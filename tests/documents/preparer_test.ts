/** Tests for the thread that prepares large documents in batches. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { prepareChunks } from "../../src/documents/prepare.ts";
import { Preparer } from "../../src/documents/preparer.ts";
import { markdownSections } from "./documents.ts";

async function withPreparer(work: (preparer: Preparer) => Promise<void>): Promise<void> {
  const preparer = new Preparer();
  try {
    await work(preparer);
  } finally {
    preparer.close();
  }
}

function guide(count: number) {
  return {
    project: 1,
    content: markdownSections(count),
    chunkedAs: "text/markdown",
    title: "Guide",
  };
}

Deno.test("batches() yields the document's chunks, in order", async () => {
  await withPreparer(async (preparer) => {
    for (const count of [0, 1, 450]) {
      const batches = await Array.fromAsync(preparer.batches(guide(count)));
      deepStrictEqual(batches.flat(), prepareChunks(guide(count)));
      strictEqual(batches.length > 2, count === 450);
    }
    deepStrictEqual(await preparer.prepare(guide(450)), prepareChunks(guide(450)));
  });
});

Deno.test("prepare() handles two documents at the same time", async () => {
  await withPreparer(async (preparer) => {
    const both = await Promise.all([300, 450].map((count) => preparer.prepare(guide(count))));
    deepStrictEqual(both, [prepareChunks(guide(300)), prepareChunks(guide(450))]);
  });
});

Deno.test("batches() can be abandoned, and the thread then prepares the next document", async () => {
  await withPreparer(async (preparer) => {
    for await (const batch of preparer.batches(guide(450))) {
      ok(batch.length > 0);
      break;
    }
    deepStrictEqual(await preparer.prepare(guide(300)), prepareChunks(guide(300)));
  });
});

Deno.test("batches() throws if the preparer is closed", async () => {
  const preparer = new Preparer();
  const batches = preparer.batches(guide(450));
  await batches.next();
  preparer.close();
  await rejects(batches.next(), /stopped/);
});
