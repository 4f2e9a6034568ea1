/** Tests what only S3 has: parts, retries, connections that break, and refusals. */

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { blobAddress, type S3Address } from "../../src/store/blobs/address.ts";
import { blobKey } from "../../src/store/blobs/blobs.ts";
import { S3Blobs } from "../../src/store/blobs/s3.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { S3_KEY, type S3Server, startS3 } from "../../testing/s3.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** A bucket and the folder of a test. */
interface Fixture {
  readonly server: S3Server;
  readonly blobs: S3Blobs;
  readonly folder: string;
  readonly store: SqliteStore;
  open(address: S3Address): S3Blobs;
}

async function withBucket(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const [server, folder] = [await startS3(), makeTempDirSync()];
  const store = new SqliteStore(join(folder, "records"));
  const workDirectory = join(folder, "work");
  const open = (address: S3Address) =>
    new S3Blobs({ address, mark: "mark", workDirectory, random: Math.random });
  try {
    const blobs = open(server.address("p"));
    await blobs.claim(store);
    await work({ server, blobs, folder, store, open });
  } finally {
    await store.close();
    await server.close();
    await rm(folder);
  }
}

function noise(length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) {
    crypto.getRandomValues(content.subarray(start, start + 65_536));
  }
  return content;
}

const MEGABYTE = 1024 * 1024;

Deno.test("S3Blobs upload a large file in parts, and leave nothing on this machine", async () => {
  await withBucket(async ({ blobs, folder, store, server }) => {
    const content = noise(33 * MEGABYTE + 5);
    const blob = await blobs.put([content]);
    blob.release();
    deepStrictEqual(readdirSync(join(folder, "work")), []);
    deepStrictEqual(await blobs.read(blob.name), content);
    const tail = await new Response(blobs.stream(blob.name, content.length - 3)).bytes();
    deepStrictEqual(tail, content.subarray(-3));

    server.takeAway();
    await rejects(blobs.put([content]), { code: "STORAGE_UNAVAILABLE" });
    server.bringBack();
    deepStrictEqual(await Array.fromAsync(blobs.names()), [blob.name]);
    deepStrictEqual(readdirSync(join(folder, "work")), []);
    strictEqual(await blobs.sweep(store, Date.now() + DAY_MS), 1);
  });
});

Deno.test("S3Blobs report each part of an upload, and abort the upload if that throws", async () => {
  await withBucket(async ({ blobs, folder, store }) => {
    let [parts, maxParts] = [0, 3];
    const upload = async () => {
      const writer = await blobs.writer();
      await writer.write(noise(33 * MEGABYTE));
      const finishing = writer.finish(() => {
        if (++parts > maxParts) throw new Error("cancelled");
      });
      return await finishing.finally(() => writer.discard());
    };
    const blob = await upload();
    blob.release();
    strictEqual(parts, 3);
    [parts, maxParts] = [0, 1];
    await rejects(upload, /cancelled/);
    strictEqual(parts, 2);
    deepStrictEqual(await Array.fromAsync(blobs.names()), [blob.name]);
    deepStrictEqual(readdirSync(join(folder, "work")), []);
    // The other file is the one that nothing references, and no upload is left.
    strictEqual(await blobs.sweep(store, Date.now() + DAY_MS), 1);
  });
});

Deno.test("S3Blobs retry requests, and continue downloads that break", async () => {
  await withBucket(async ({ blobs, server }) => {
    const content = noise(MEGABYTE);
    server.failNext({ kind: "busy", requests: 2 });
    const blob = await blobs.put([content]);
    blob.release();
    strictEqual(server.faults, 2);
    for (const afterBytes of [10, 100_000, 900_000]) {
      server.failNext({ kind: "cut", afterBytes });
      deepStrictEqual(await blobs.read(blob.name), content);
    }
    strictEqual(server.faults, 5);
    server.failNext({ kind: "busy", requests: 100 });
    await rejects(blobs.size(blob.name), { code: "STORAGE_UNAVAILABLE" });
  });
});

Deno.test("S3Blobs.claim() names what's wrong in one line without the key", async () => {
  await withBucket(async ({ server, open }) => {
    const address = server.address("new");
    const secret = "a-secret-that-is-wrong";
    const cases: readonly (readonly [S3Address, RegExp])[] = [
      [server.address("new", "missing-bucket"), /: NoSuchBucket: [^\n]+$/],
      [{ ...address, secretAccessKey: secret }, /: SignatureDoesNotMatch: [^\n]+$/],
      [{ ...address, accessKeyId: secret }, /: InvalidAccessKeyId: [^\n]+$/],
      [{ ...address, base: "http://127.0.0.1:1/files" }, /at http:\/\/127\.0\.0\.1:1: [^\n]+$/],
    ];
    for (const [wrong, message] of cases) {
      await rejects(open(wrong).claim(undefined), (error: Error) => {
        match(error.message, /^Can't use s3:\/\/[a-z-]+\/new\/ at http:/);
        match(error.message, message);
        strictEqual(Deno.inspect(error).includes(secret), false);
        return true;
      });
    }
  });
});

Deno.test("S3Blobs.names() lists no files of an instance with a longer prefix", async () => {
  await withBucket(async ({ blobs, server, open }) => {
    const nested = open(server.address("p/nested"));
    await nested.claim(undefined);
    const [own, theirs] = [await blobs.put([noise(5)]), await nested.put([noise(6)])];
    deepStrictEqual(await Array.fromAsync(blobs.names()), [own.name]);
    deepStrictEqual(await Array.fromAsync(nested.names()), [theirs.name]);
  });
});

/** Runs a test with a storage that responds as given, for what the one of the other tests can't. */
async function withResponses(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  work: (blobs: S3Blobs, store: SqliteStore) => Promise<void>,
): Promise<void> {
  const storage = createServer(respond);
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  const { port } = storage.address() as { port: number };
  const address = blobAddress(`s3://files/p?endpoint=http://127.0.0.1:${port}`, S3_KEY);
  const folder = makeTempDirSync();
  const store = new SqliteStore(join(folder, "records"));
  try {
    const workDirectory = join(folder, "work");
    await work(
      new S3Blobs({
        address: address as S3Address,
        mark: "mark",
        workDirectory,
        random: Math.random,
      }),
      store,
    );
  } finally {
    await store.close();
    storage.closeAllConnections();
    await new Promise((resolve) => storage.close(resolve));
    await rm(folder);
  }
}

Deno.test("S3Blobs.size() fails if the storage doesn't send the size", async () => {
  const respond = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { "transfer-encoding": "chunked" }).end();
  await withResponses(respond, async (blobs) => {
    const name = sha256("a file");
    await rejects(blobs.size(name), { code: "STORAGE_UNAVAILABLE" });
    strictEqual(await blobs.has(name), true);
  });
});

Deno.test("S3Blobs.sweep() aborts old uploads of its own files, and no others", async () => {
  const key = blobKey(`${sha256("a file")}-1`);
  const keys = [`p/${key}`, `p/nested/${key}`, "p/notes.txt", key];
  const uploads = keys.map((key, index) =>
    `<Upload><Key>${key}</Key><UploadId>${index}</UploadId>` +
    "<Initiated>2026-01-01T00:00:00Z</Initiated></Upload>"
  );
  const aborted: string[] = [];
  await withResponses(({ method, url }, response) => {
    if (method === "DELETE") aborted.push(url!);
    response.end(url!.includes("uploads") ? uploads.join("") : "<ListBucketResult/>");
  }, async (blobs, store) => {
    strictEqual(await blobs.sweep(store, Date.now()), 1);
    deepStrictEqual(aborted, [`/files/p/${key}?uploadId=0`]);
  });
});
