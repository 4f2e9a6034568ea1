/** Large documents are prepared in slices by a thread. */

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

Deno.test("slices, one after the other, are the chunks of the document", async () => {
  await withPreparer(async (preparer) => {
    for (const count of [0, 1, 450]) {
      const slices = await Array.fromAsync(preparer.batches(guide(count)));
      deepStrictEqual(slices.flat(), prepareChunks(guide(count)));
      strictEqual(slices.length > 2, count === 450);
    }
    deepStrictEqual(await preparer.prepare(guide(450)), prepareChunks(guide(450)));
  });
});

Deno.test("two documents at the same time don't get into each other's way", async () => {
  await withPreparer(async (preparer) => {
    const both = await Promise.all([300, 450].map((count) => preparer.prepare(guide(count))));
    deepStrictEqual(both, [prepareChunks(guide(300)), prepareChunks(guide(450))]);
  });
});

Deno.test("a document that is left in the middle leaves the thread to the next one", async () => {
  await withPreparer(async (preparer) => {
    for await (const slice of preparer.batches(guide(450))) {
      ok(slice.length > 0);
      break;
    }
    deepStrictEqual(await preparer.prepare(guide(300)), prepareChunks(guide(300)));
  });
});

Deno.test("who waits for a slice is told when the thread is stopped", async () => {
  const preparer = new Preparer();
  const slices = preparer.batches(guide(450));
  await slices.next();
  preparer.close();
  await rejects(slices.next(), /stopped/);
});
