/** Files beside the database: whole or not there, and gone when nobody names them. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers";
import { sha256 } from "../../src/kernel/hash.ts";
import { Blobs, linkBlob, unlinkBlobs } from "../../src/store/blobs.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function withBlobs(work: (blobs: Blobs, store: SqliteStore) => Promise<void>) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  try {
    await work(new Blobs(join(directory, "blobs"), Math.random), store);
  } finally {
    await store.close();
    await rm(directory);
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function* pieces() {
  yield bytes("one ");
  await Promise.resolve();
  yield bytes("two");
}

Deno.test("a reader that goes away in the midst of a file disturbs nobody", async () => {
  await withBlobs(async (blobs) => {
    const { hash } = await blobs.put([new Uint8Array(1_000_000)]);
    for (let cut = 0; cut < 30; cut++) {
      const reader = blobs.stream(hash).getReader();
      for (let piece = 0; piece <= cut % 5; piece++) await reader.read();
      for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
      // Cancelled while a piece is asked for.
      const asked = reader.read();
      await reader.cancel();
      strictEqual((await asked).done, true);
    }
    const missing = blobs.stream(sha256("missing")).getReader();
    await rejects(missing.read(), { code: "ENOENT" });
  });
});

Deno.test("a file is named by its content and read back as it was", async () => {
  await withBlobs(async (blobs) => {
    const blob = await blobs.put(pieces());
    strictEqual(blob.hash, sha256("one two"));
    strictEqual(blob.size, 7);
    deepStrictEqual(await blobs.read(blob.hash), bytes("one two"));
    strictEqual(await new Response(blobs.stream(blob.hash, 4)).text(), "two");
    strictEqual(await blobs.size(sha256("other")), null);
  });
});

Deno.test("a file that fails half-way leaves nothing", async () => {
  await withBlobs(async (blobs) => {
    async function* broken() {
      yield* pieces();
      throw new Error("gone");
    }
    await rejects(() => blobs.put(broken()), /gone/);
    deepStrictEqual(readdirSync(join(blobs.directory, "unfinished")), []);
    deepStrictEqual(await Array.fromAsync(blobs.hashes()), []);
  });
});

Deno.test("a file goes with its last name, and not while it waits for its first", async () => {
  await withBlobs(async (blobs, store) => {
    const blob = await blobs.put([bytes("shared")]);
    const discard = () => blobs.deleteUnreferenced(store, [blob.hash]);
    await discard();
    strictEqual(await blobs.size(blob.hash), 6);
    for (const owner of ["a", "b"]) await store.write((tx) => linkBlob(tx, 1, owner, blob));
    blob.release();
    deepStrictEqual(await store.write((tx) => unlinkBlobs(tx, 1, "a")), [blob.hash]);
    await discard();
    strictEqual(await blobs.size(blob.hash), 6);
    await store.write((tx) => unlinkBlobs(tx, 1, "b"));
    await discard();
    strictEqual(await blobs.size(blob.hash), null);
  });
});

Deno.test("a sweep removes what is old and nameless, and nothing else", async () => {
  await withBlobs(async (blobs, store) => {
    const [named, nameless, young] = await Promise.all(
      ["named", "nameless", "young"].map((text) => blobs.put([bytes(text)])),
    );
    const unfinished = await blobs.writer();
    await unfinished.write(bytes("x".repeat(300_000)));
    await store.write((tx) => linkBlob(tx, 1, "a", named!));
    for (const blob of [named!, nameless!, young!]) blob.release();
    for (const blob of [named!, nameless!]) utimesSync(blobs.path(blob.hash), 1, 1);
    for (const name of readdirSync(join(blobs.directory, "unfinished"))) {
      utimesSync(join(blobs.directory, "unfinished", name), 1, 1);
    }
    strictEqual(await blobs.sweep(store, 2_000), 2);
    const left = await Array.fromAsync(blobs.hashes());
    deepStrictEqual(left.sort(), [named!.hash, young!.hash].sort());
    await unfinished.discard();
  });
});
