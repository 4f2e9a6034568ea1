/** Rules for the files of an instance, wherever they are stored. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import type { BlobAddress } from "../../src/store/blobs/address.ts";
import type { Blobs } from "../../src/store/blobs/blobs.ts";
import { openBlobs } from "../../src/store/blobs/open.ts";
import { linkBlob, unlinkBlobs } from "../../src/store/blobs/references.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { type S3Server, startS3 } from "../../testing/s3.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const MARK = "the mark of this instance";

/** A store of files with one kind, and the records. */
interface Place {
  readonly blobs: Blobs;
  readonly store: SqliteStore;
  /** Folder of the test. */
  readonly folder: string;
  readonly address: BlobAddress | undefined;
  /** Opens the same files as another process. */
  other(): Promise<Blobs>;
}

interface Kind {
  readonly name: string;
  /** Whether several processes can use it. */
  readonly isShared: boolean;
  address(folder: string): Promise<BlobAddress | undefined>;
}

/** One server for all tests of this file. */
let server: S3Server | undefined;
const s3 = async () => server ??= await startS3();
Deno.test.afterAll(async () => await server?.close());

let prefixes = 0;

const KINDS: readonly Kind[] = [
  { name: "a data directory", isShared: false, address: () => Promise.resolve(undefined) },
  {
    name: "a shared folder",
    isShared: true,
    address(folder) {
      const directory = join(folder, "shared");
      Deno.mkdirSync(directory);
      return Promise.resolve({ kind: "folder", directory });
    },
  },
  { name: "S3", isShared: true, address: async () => (await s3()).address(`test/${++prefixes}`) },
];

function testKinds(
  name: string,
  work: (place: Place) => Promise<void>,
  kinds: readonly Kind[] = KINDS,
): void {
  for (const kind of kinds) {
    Deno.test(`${name}, in ${kind.name}`, async () => {
      const folder = makeTempDirSync();
      const store = new SqliteStore(join(folder, "records"));
      const address = await kind.address(folder);
      const other = (process = "other") =>
        openBlobs({
          directory: join(folder, kind.isShared ? process : "one"),
          address,
          mark: () => Promise.resolve(MARK),
          random: Math.random,
        });
      try {
        const blobs = await other("one");
        await blobs.claim(store);
        await work({ blobs, store, folder, address, other });
      } finally {
        await store.close();
        await rm(folder);
      }
    });
  }
}

const SHARED = KINDS.filter(({ isShared }) => isShared);

const bytes = (text: string) => new TextEncoder().encode(text);

const putText = (blobs: Blobs, text: string) => blobs.put([bytes(text)]);

const namesOf = async (blobs: Blobs) => (await Array.fromAsync(blobs.names())).sort();

/** Returns bytes that don't repeat. */
function noise(length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) {
    crypto.getRandomValues(content.subarray(start, start + 65_536));
  }
  return content;
}

/** A time after which every file is old. */
const afterAll = () => Date.now() + DAY_MS;

testKinds("Blobs return a file from any offset, and its size", async ({ blobs, other }) => {
  const content = noise(300_000);
  const blob = await blobs.put([content.subarray(0, 1), content.subarray(1)]);
  deepStrictEqual([blob.sha256, blob.size], [sha256(content), content.length]);
  for (const reader of [blobs, await other()]) {
    deepStrictEqual(await reader.read(blob.name), content);
    strictEqual(await reader.size(blob.name), content.length);
    for (const start of [0, 1, 299_999, 300_000]) {
      const rest = await new Response(reader.stream(blob.name, start)).bytes();
      deepStrictEqual(rest, content.subarray(start), `from ${start}`);
    }
  }
  const empty = await blobs.put([]);
  deepStrictEqual(await blobs.read(empty.name), new Uint8Array());
  const missing = sha256("missing");
  strictEqual(await blobs.size(missing), null);
  for (const read of [() => blobs.read(missing), () => blobs.local(missing)]) {
    await rejects(read(), { code: "ENOENT" });
  }
});

testKinds("Blobs.stream() can be cancelled at any point", async ({ blobs }) => {
  const { name } = await blobs.put([noise(500_000)]);
  for (let chunks = 0; chunks < 4; chunks++) {
    const reader = blobs.stream(name).getReader();
    for (let chunk = 0; chunk < chunks; chunk++) await reader.read();
    await reader.cancel();
  }
  const reader = blobs.stream(name).getReader();
  await reader.read();
  const pending = reader.read();
  await reader.cancel();
  deepStrictEqual(await pending, { done: true, value: undefined });
  strictEqual((await blobs.read(name)).length, 500_000);
});

testKinds(
  "Blobs.sweep() deletes nothing from a folder that another instance's has replaced",
  async ({ blobs, store, address }) => {
    const { name } = await putText(blobs, "Theirs");
    const { directory } = address as { directory: string };
    Deno.writeTextFileSync(join(directory, "commonplace-instance"), "another\n");
    await rejects(blobs.sweep(store, Date.now() + DAY_MS), { code: "STORAGE_UNAVAILABLE" });
    Deno.writeTextFileSync(join(directory, "commonplace-instance"), `${MARK}\n`);
    strictEqual((await blobs.read(name)).length, 6);
  },
  KINDS.filter(({ name }) => name === "a shared folder"),
);

testKinds("Blobs.local() gives a path until it's released", async ({ blobs, other, address }) => {
  const blob = await putText(blobs, "A file");
  for (const reader of [blobs, await other()]) {
    const [first, second] = await Promise.all([reader.local(blob.name), reader.local(blob.name)]);
    await first.release();
    await first.release();
    strictEqual(readFileSync(second.path, "utf8"), "A file");
    await second.release();
  }
  blob.release();
  const again = await blobs.local(blob.name);
  strictEqual(readFileSync(again.path, "utf8"), "A file");
  await again.release();
  if (address?.kind === "s3") await rejects(Deno.stat(again.path), Deno.errors.NotFound);
});

testKinds("Blobs delete a file with its last reference, and not before", async (place) => {
  const { blobs, store } = place;
  const blob = await putText(blobs, "referenced twice");
  const remove = () => blobs.deleteUnreferenced(store, [blob.name, sha256("missing")]);
  await remove();
  strictEqual(await blobs.size(blob.name), blob.size, "pinned");
  for (const owner of ["a", "b"]) {
    await store.write("maintenance", (tx) => linkBlob(tx, 1, owner, blob));
  }
  blob.release();
  for (const [owner, size] of [["a", blob.size], ["b", null]] as const) {
    deepStrictEqual(
      await store.write("maintenance", (tx) => unlinkBlobs(tx, 1, owner)),
      [blob.name],
    );
    await remove();
    strictEqual(await blobs.size(blob.name), size);
  }
  deepStrictEqual(await namesOf(blobs), []);
});

testKinds("Blobs with the same content are independent of each other", async (place) => {
  const { blobs, store, other } = place;
  const another = await other();
  const first = await putText(another, "twice");
  const second = await putText(blobs, "twice");
  first.release();
  await another.deleteIfUnreferenced(store, first.name);
  deepStrictEqual(await blobs.read(second.name), bytes("twice"));
  await store.write("maintenance", (tx) => linkBlob(tx, 1, "a", second));
  second.release();
  deepStrictEqual(await namesOf(blobs), [second.name]);
});

testKinds("Blobs.put() that fails leaves no file behind", async ({ blobs, store, other }) => {
  async function* broken() {
    yield noise(300_000);
    await Promise.resolve();
    throw new Error("gone");
  }
  await rejects(blobs.put(broken()), /gone/);
  // As if the process were killed.
  const unfinished = await blobs.writer();
  await unfinished.write(noise(300_000));
  deepStrictEqual(await namesOf(await other()), []);
  strictEqual(await blobs.sweep(store, Date.now() - DAY_MS), 0);
  strictEqual(await blobs.sweep(store, afterAll()), 1);
  await unfinished.discard();
});

testKinds("Blobs.writer() keeps a name, and refuses other content", async ({ blobs }) => {
  const name = `${sha256("A copy")}-1`;
  const writer = await blobs.writer(name);
  await writer.write(bytes("A copy"));
  const blob = await writer.finish();
  blob.release();
  strictEqual(blob.name, name);
  deepStrictEqual(await blobs.read(name), bytes("A copy"));
  const wrong = await blobs.writer(`${sha256("A copy")}-2`);
  await wrong.write(bytes("Another one"));
  await rejects(wrong.finish(), /is damaged/);
  await wrong.discard();
  deepStrictEqual(await namesOf(blobs), [name]);
});

testKinds("Blobs.sweep() keeps what another process is about to reference", async (place) => {
  const { blobs, store, other } = place;
  const sweeper = await other();
  const orphan = await putText(blobs, "orphan");
  orphan.release();
  const blob = await putText(blobs, "about to be referenced");
  strictEqual(await sweeper.sweep(store, Date.now() - DAY_MS), 0);
  await sweeper.deleteUnreferenced(store, [(await putText(sweeper, blob.name)).name]);
  await store.write("maintenance", (tx) => linkBlob(tx, 1, "a", blob));
  blob.release();
  strictEqual(await sweeper.sweep(store, afterAll()), 1);
  ok((await namesOf(sweeper)).includes(blob.name));
  strictEqual(await sweeper.size(orphan.name), null);
});

testKinds("Blobs fail with 503 while the store is away, and recover", async (place) => {
  const { blobs, store, folder, address } = place;
  const blob = await putText(blobs, "before");
  await store.write("maintenance", (tx) => linkBlob(tx, 1, "a", blob));
  blob.release();
  const shared = join(folder, "shared");
  const isFolder = address?.kind === "folder";
  if (isFolder) renameSync(shared, `${shared}.away`);
  else (await s3()).takeAway();
  for (
    const use of [
      () => putText(blobs, "while away"),
      () => blobs.size(blob.name),
      () => blobs.read(blob.name),
      () => blobs.local(blob.name),
    ]
  ) {
    await rejects(use(), (error: { code: string; status: number; message: string }) => {
      deepStrictEqual([error.code, error.status], ["STORAGE_UNAVAILABLE", 503]);
      match(error.message, /; nothing was changed$/);
      return true;
    });
  }
  await blobs.deleteIfUnreferenced(store, sha256("other"));
  if (isFolder) renameSync(`${shared}.away`, shared);
  else (await s3()).bringBack();
  deepStrictEqual(await blobs.read(blob.name), bytes("before"));
  deepStrictEqual(await namesOf(blobs), [blob.name]);
  (await putText(blobs, "after")).release();
}, SHARED);

testKinds(
  "Blobs.claim() refuses the files of another instance",
  async ({ store, address, folder }) => {
    const open = (mark: string, place = address) =>
      openBlobs({
        directory: join(folder, "another"),
        address: place,
        mark: () => Promise.resolve(mark),
        random: Math.random,
      });
    const another = await open("another mark");
    await rejects(another.claim(store), /has the files of another instance/);
    await rejects(putText(another, "not here"), { code: "STORAGE_UNAVAILABLE" });
    const blob = { name: `${sha256("elsewhere")}-1`, size: 9 };
    await store.write("maintenance", (tx) => linkBlob(tx, 1, "a", blob));
    await (await open(MARK)).claim(store);
    const elsewhere = address?.kind === "s3"
      ? (await s3()).address("elsewhere")
      : { kind: "folder", directory: makeTempDirSync() } as const;
    await rejects(
      (await open(MARK, elsewhere)).claim(store),
      /doesn't have the files of the database/,
    );
    await (await open(MARK, elsewhere)).claim(undefined);
    if (elsewhere.kind === "folder") await rm(elsewhere.directory);
    const local = await openBlobs({
      directory: folder,
      mark: () => Promise.resolve(MARK),
      random: Math.random,
    });
    await rejects(local.claim(store), /set COMMONPLACE_BLOB_URL to where they are/);
  },
  SHARED,
);

testKinds(
  "Blobs.claim() refuses records with files of a shared store",
  async ({ blobs, store }) => {
    const link = (name: string) =>
      store.write("maintenance", (tx) => linkBlob(tx, 1, name, { name, size: 5 }));
    const { name } = await putText(blobs, "Moved");
    await link(name);
    await link(sha256("missing"));
    await blobs.claim(store);
    // Its hash is greater than those of the others.
    await link(`${"f".repeat(64)}-1`);
    await rejects(blobs.claim(store), /set COMMONPLACE_BLOB_URL to where they are/);
  },
  KINDS.filter(({ isShared }) => !isShared),
);
