/**
 * Checks that blobs are stored completely or not at all, and deleted once no row references them.
 */

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers";
import { sha256 } from "../../src/kernel/hash.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { linkBlob, unlinkBlobs } from "../../src/store/blobs/references.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

async function withBlobs(work: (blobs: FolderBlobs, store: SqliteStore) => Promise<void>) {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  try {
    await work(new FolderBlobs(join(directory, "blobs"), Math.random), store);
  } finally {
    await store.close();
    await rm(directory);
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function* chunks() {
  yield bytes("one ");
  await Promise.resolve();
  yield bytes("two");
}

Deno.test("FolderBlobs.stream() can be cancelled at any point in a file", async () => {
  await withBlobs(async (blobs) => {
    const { name } = await blobs.put([new Uint8Array(1_000_000)]);
    for (let cut = 0; cut < 30; cut++) {
      const reader = blobs.stream(name).getReader();
      for (let chunk = 0; chunk <= cut % 5; chunk++) await reader.read();
      for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
      // Cancelled mid-read.
      const pending = reader.read();
      await reader.cancel();
      strictEqual((await pending).done, true);
    }
    const missing = blobs.stream(sha256("missing")).getReader();
    await rejects(missing.read(), { code: "ENOENT" });
  });
});

Deno.test("FolderBlobs.put() names a file after its content, and read() returns it unchanged", async () => {
  await withBlobs(async (blobs) => {
    const blob = await blobs.put(chunks());
    match(blob.name, new RegExp(`^${sha256("one two")}\\.[0-9a-z]+$`));
    strictEqual(blob.size, 7);
    deepStrictEqual(await blobs.read(blob.name), bytes("one two"));
    strictEqual(await new Response(blobs.stream(blob.name, 4)).text(), "two");
    strictEqual(await blobs.size(sha256("other")), null);
  });
});

Deno.test("FolderBlobs.put() leaves no file behind if its source fails", async () => {
  await withBlobs(async (blobs) => {
    async function* broken() {
      yield* chunks();
      throw new Error("gone");
    }
    await rejects(() => blobs.put(broken()), /gone/);
    deepStrictEqual(readdirSync(join(blobs.directory, "unfinished")), []);
    deepStrictEqual(await Array.fromAsync(blobs.names()), []);
  });
});

Deno.test("FolderBlobs.deleteUnreferenced() deletes a file along with its last reference, but not before release()", async () => {
  await withBlobs(async (blobs, store) => {
    const blob = await blobs.put([bytes("shared")]);
    const deleteFile = () => blobs.deleteUnreferenced(store, [blob.name]);
    await deleteFile();
    strictEqual(await blobs.size(blob.name), 6);
    for (const owner of ["a", "b"]) {
      await store.write("maintenance", (tx) => linkBlob(tx, 1, owner, blob));
    }
    blob.release();
    deepStrictEqual(await store.write("maintenance", (tx) => unlinkBlobs(tx, 1, "a")), [blob.name]);
    await deleteFile();
    strictEqual(await blobs.size(blob.name), 6);
    await store.write("maintenance", (tx) => unlinkBlobs(tx, 1, "b"));
    await deleteFile();
    strictEqual(await blobs.size(blob.name), null);
  });
});

Deno.test("FolderBlobs.sweep() deletes the other files if one can't be deleted, and reports it", async () => {
  await withBlobs(async (blobs, store) => {
    const [stuck, old] = ["stuck", "old"].map((text) => blobs.path(sha256(text)));
    mkdirSync(join(stuck!, "part"), { recursive: true });
    mkdirSync(dirname(old!), { recursive: true });
    writeFileSync(old!, "old");
    const unfinished = ["1-stuck", "2-old"].map((name) =>
      join(blobs.directory, "unfinished", name)
    );
    mkdirSync(join(unfinished[0]!, "part"), { recursive: true });
    writeFileSync(unfinished[1]!, "old");
    const paths = [stuck!, old!, ...unfinished];
    for (const path of paths) utimesSync(path, 1, 1);
    await rejects(
      blobs.sweep(store, 2_000),
      (error) => error instanceof AggregateError && error.errors.length === 2,
    );
    deepStrictEqual(paths.map((path) => existsSync(path)), [true, false, true, false]);
  });
});

Deno.test("FolderBlobs.sweep() deletes only files that are old and unreferenced", async () => {
  await withBlobs(async (blobs, store) => {
    const [referenced, unreferenced, recent] = await Promise.all(
      ["referenced", "unreferenced", "recent"].map((text) => blobs.put([bytes(text)])),
    );
    const unfinished = await blobs.writer();
    await unfinished.write(bytes("x".repeat(300_000)));
    await store.write("maintenance", (tx) => linkBlob(tx, 1, "a", referenced!));
    for (const blob of [referenced!, unreferenced!, recent!]) blob.release();
    for (const blob of [referenced!, unreferenced!]) utimesSync(blobs.path(blob.name), 1, 1);
    for (const name of readdirSync(join(blobs.directory, "unfinished"))) {
      utimesSync(join(blobs.directory, "unfinished", name), 1, 1);
    }
    strictEqual(await blobs.sweep(store, 2_000), 2);
    const remaining = await Array.fromAsync(blobs.names());
    deepStrictEqual(remaining.sort(), [referenced!.name, recent!.name].sort());
    await unfinished.discard();
  });
});
