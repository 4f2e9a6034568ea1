/** A service on PostgreSQL with its files in S3, as its clients and operators see it. */

import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemRandom } from "../../src/kernel/ids.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { S3Blobs } from "../../src/store/blobs/s3.ts";
import { call, type RequestOptions } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { S3_KEY, startS3 } from "../../testing/s3.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { freshKey } from "../snapshots/snapshots.ts";
import { postgres } from "../store/engines.ts";
import { announce, type ApiCaller, bytesOf, extractFile, put, waitForOperation } from "./files.ts";

const TOOLS = ["initdb", "setpriv"] as const;

/** A page of the largest size that is accepted. */
function largePage(): Uint8Array<ArrayBuffer> {
  const [start, end] = [bytesOf("<h1>Harbour</h1><p>Boats leave at noon.</p><!--"), bytesOf("-->")];
  const page = new Uint8Array(25_000_000).fill(0x20);
  page.set(start);
  page.set(end, page.length - end.length);
  return page;
}

/** Programs that print nothing secret, on a database and its files. */
class Deployment {
  output = "";

  constructor(readonly environment: Record<string, string>) {}

  async command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args, { environment: this.environment });
    this.output += stdout + stderr;
    strictEqual(code, 0, stdout + stderr);
    return stdout;
  }

  async serving(data: string, work: (api: ApiCaller, server: ServeProcess) => Promise<void>) {
    await using server = await ServeProcess.serve(data, ["--log-level", "debug"], {
      environment: this.environment,
    });
    const api = {
      call: (method: string, path: string, options: RequestOptions = {}) =>
        call(server.url, method, path, options),
    };
    await work(api, server);
    const { code, stdout, stderr } = await server.stop();
    this.output += stdout + stderr;
    strictEqual(code, 0, stderr);
  }
}

const download = async ({ call }: ApiCaller, id: string) => {
  const { status, text } = await call("GET", `/v1/operations/${id}/file`);
  strictEqual(status, 200, text);
  return text;
};

testWith(TOOLS, "files in S3 are uploaded, extracted, exported, copied and purged", async () => {
  const [folder, database, s3] = [makeTempDirSync(), await postgres(), await startS3()];
  try {
    const secretFile = join(folder, "secret");
    writeFileSync(secretFile, `${S3_KEY.secretAccessKey}\n`);
    const common = {
      COMMONPLACE_API_KEY: "cpl_test-key-of-the-default-project",
      COMMONPLACE_DATABASE_URL: `${database.url}?schema=files`,
    };
    const deployment = new Deployment({
      ...common,
      COMMONPLACE_BLOB_URL: s3.url("instance/one"),
      COMMONPLACE_S3_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      COMMONPLACE_S3_SECRET_ACCESS_KEY_FILE: secretFile,
    });
    const data = join(folder, "data");
    let exported = "";
    let archive = "";
    await deployment.serving(data, async (api) => {
      const fields = { filename: "harbour.html", content_type: "text/html" };
      const { operation } = await extractFile(api, { bytes: largePage(), fields });
      strictEqual(operation.status, "success", JSON.stringify(operation.error));
      const body = { query: "When do boats leave?", user_id: "ana" };
      const found = await api.call("POST", "/v1/documents/search", { body });
      match(found.text, /Boats leave at noon/);

      for (const path of ["/v1/exports", "/v1/exports/markdown"]) {
        const queued = await api.call("POST", path, { headers: freshKey() });
        strictEqual((await waitForOperation(api, queued.json.id)).status, "success");
        exported = queued.json.id;
      }
      archive = await download(api, exported);

      const small = { bytes: bytesOf("A note") };
      const { source_asset: { id } } = await announce(api, small);
      s3.takeAway();
      const refused = await put(api, id, small);
      deepStrictEqual([refused.status, refused.json.code], [503, "STORAGE_UNAVAILABLE"]);
      match(
        refused.json.message,
        /^The storage of the files can't be reached; nothing was changed$/,
      );
      ok(Number(refused.headers.get("retry-after")) > 0);
      strictEqual((await api.call("GET", `/v1/operations/${exported}/file`)).status, 503);
      s3.bringBack();
      strictEqual((await put(api, id, small)).status, 204);
    });
    deepStrictEqual(readdirSync(join(data, "transfers")), []);
    ok(!readdirSync(data).includes("blobs"));

    // Nothing of it is on the machine: another one with the same settings has all files.
    await deployment.serving(join(folder, "another"), async (api) => {
      strictEqual(await download(api, exported), archive);
    });
    match(await deployment.command("doctor", "--data", data), /blobs +true/);
    match(await deployment.command("config"), /s3-secret-access-key +\(hidden\) +file/);

    const shared = join(folder, "shared");
    mkdirSync(shared);
    const copy = join(folder, "copy");
    const onFolder = new Deployment({
      ...common,
      COMMONPLACE_DATABASE_URL: `${database.url}?schema=moved`,
      COMMONPLACE_BLOB_URL: `file://${shared}`,
    });
    match(await deployment.command("copy", "--to", copy, "--data", data), /tables +rows +files/);
    await onFolder.command("copy", "--from", copy, "--data", data);
    const bucket = new S3Blobs({
      address: s3.address("instance/one"),
      mark: "",
      workDirectory: folder,
      random: systemRandom(),
    });
    const files = () => Array.fromAsync(bucket.names());
    const onDisk = await Array.fromAsync(new FolderBlobs(shared, systemRandom()).names());
    ok(onDisk.length > 3);
    deepStrictEqual((await files()).sort(), onDisk.sort());
    await deployment.command("projects", "delete", "default", "--yes", "--data", data);
    deepStrictEqual(await waitUntil(files, (names) => names.length === 0), []);
    const output = deployment.output + onFolder.output;
    doesNotMatch(output, new RegExp(`${S3_KEY.secretAccessKey}|Credential=`));
  } finally {
    await s3.close();
    await rm(folder);
  }
});

testWith(TOOLS, "serve refuses a storage of files that it can't use, in one line", async () => {
  const [folder, database, s3] = [makeTempDirSync(), await postgres(), await startS3()];
  const SECRET = "hunter2-secret";
  const refusal = async (environment: Record<string, string>) => {
    const { code, stdout, stderr } = await run(
      ["serve", "--data", join(folder, "data"), "--port", "0"],
      { environment },
    );
    deepStrictEqual([code, stdout], [1, ""], stderr);
    doesNotMatch(stderr, new RegExp(SECRET));
    return stderr;
  };
  try {
    const records = { COMMONPLACE_DATABASE_URL: `${database.url}?schema=refused` };
    const key = {
      COMMONPLACE_S3_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      COMMONPLACE_S3_SECRET_ACCESS_KEY: SECRET,
    };
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ ...records, ...key, COMMONPLACE_BLOB_URL: s3.url("x") }, /: SignatureDoesNotMatch: /],
      [{ ...records, COMMONPLACE_BLOB_URL: "file:///missing/folder" }, /: it doesn't exist; /],
    ];
    for (const [environment, message] of cases) {
      const line = await refusal(environment);
      match(line, message);
      match(line, /^commonplace: [^\n]+\n$/);
    }
  } finally {
    await s3.close();
    await rm(folder);
  }
});
