/** Kills the server between any two steps, and makes sure that nothing is lost or left behind. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pdf } from "../../testing/extraction_fixtures.ts";
import { call, type RequestOptions } from "../../testing/harness.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import {
  announce,
  bytesOf,
  complete,
  getAsset,
  listFiles,
  put,
  uploadFile,
  waitForOperation,
} from "./files.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Sends requests to a server in a separate process, with the permissions of its task. */
function callerOf(server: ServerProcess) {
  return {
    call: (method: string, path: string, options: RequestOptions = {}) =>
      call(server.url, method, path, { key: SERVER_KEY, ...options }),
  };
}

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  try {
    await work(directory);
  } finally {
    await rm(directory);
  }
}

const FILE = { bytes: bytesOf("The lighthouse at Skerryvore was lit in 1844.") };

Deno.test("An upload continues after a kill at each of its steps, with only the server's permissions", async () => {
  await withDirectory(async (directory) => {
    let server = await ServerProcess.start(directory);
    try {
      const restart = async () => {
        await server.kill();
        server = await ServerProcess.start(directory);
        return callerOf(server);
      };
      const { source_asset: { id, operation_id } } = await announce(callerOf(server), FILE);
      let caller = await restart();
      strictEqual((await getAsset(caller, id)).status, "awaiting_upload");
      strictEqual((await put(caller, id, FILE)).status, 204);
      caller = await restart();
      strictEqual((await getAsset(caller, id)).status, "uploaded");
      strictEqual((await complete(caller, id)).status, 202);
      caller = await restart();
      const operation = await waitForOperation(caller, operation_id);
      ok(["success", "retry"].includes(operation.status), JSON.stringify(operation));
      await waitUntil(() => getAsset(caller, id), ({ status }) => status === "ready");
      caller = await restart();
      const found = await caller.call("POST", "/v1/documents/search", {
        body: { query: "lighthouse", user_id: "ana" },
      });
      strictEqual(found.json.results.length, 1);
      const document = (await getAsset(caller, id)).document_id;
      strictEqual((await caller.call("DELETE", `/v1/documents/${document}`)).status, 200);
      deepStrictEqual(listFiles(directory), []);
      strictEqual(await server.stop(), 0, server.log);
    } finally {
      await server.kill();
    }
  });
});

Deno.test("document_extract continues after a kill during the extraction, and leaves no folder behind", async () => {
  await withDirectory(async (directory) => {
    let server = await ServerProcess.start(directory);
    try {
      // On a busy machine, a book may be complete before the kill.
      for (let books = 1, attempts = 1; attempts === 1; books++) {
        ok(books <= 10, "no extraction was killed");
        const { id, operation } = await uploadFile(callerOf(server), bookOf(books));
        await complete(callerOf(server), id);
        await waitUntil(
          async () => [...foldersIn(directory, id), (await getAsset(callerOf(server), id)).status],
          (names) => names.some((name) => name.startsWith("attempt-") || name === "ready"),
        );
        await server.kill();
        server = await ServerProcess.start(directory);
        const caller = callerOf(server);
        const asset = await waitUntil(
          () => getAsset(caller, id),
          ({ status }) => status === "ready",
        );
        strictEqual(asset.error, null);
        const { json } = await caller.call("GET", `/v1/operations/${operation}`);
        strictEqual(json.status, "success");
        attempts = json.attempts;
        ok(attempts <= 2, `${attempts} attempts`);
        const documents = await caller.call("GET", "/v1/documents");
        strictEqual(documents.json.results.length, books);
        deepStrictEqual(foldersIn(directory, id), []);
      }
      strictEqual(await server.stop(), 0, server.log);
    } finally {
      await server.kill();
    }
  });
});

/** Returns a book that takes long enough to extract for a kill to hit. */
function bookOf(number: number) {
  const letter = (n: number) => String.fromCharCode(97 + n % 26);
  const page = (n: number) => [{
    x: 72,
    y: 300 + n % 40 * 9,
    text: `Keeper ${letter(number)} wrote ${letter(n)}${letter(n / 26)} into the log`,
  }];
  return {
    bytes: pdf(Array.from({ length: 250 }, (_, n) => page(n))) as Uint8Array<ArrayBuffer>,
    fields: { filename: `book-${number}.pdf`, content_type: "application/pdf" },
  };
}

function foldersIn(directory: string, id: string): string[] {
  try {
    return readdirSync(join(directory, "extraction", id));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}
