/**
 * Tests requests during which a worker or maintenance changes the same upload. On PostgreSQL, their
 * units of work don't wait for each other.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import {
  closeServices,
  MANAGEMENT_OPTIONS,
  openServices,
  type Services,
} from "../../src/server/services.ts";
import { findAsset } from "../../src/uploads/repository.ts";
import { createBody, type SourceAsset } from "../../src/uploads/schema.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "../store/engines.ts";
import { bytesOf, description } from "./files.ts";

const PROJECT = 1;
const FILE = { bytes: bytesOf("The harbour opens at six.") };

/** Registers a test with services on PostgreSQL and an upload that has no bytes yet. */
function testRace(name: string, work: (services: Services, asset: SourceAsset) => Promise<void>) {
  testWith(["initdb", "setpriv"], name, async () => {
    const directory = makeTempDirSync();
    const database = (await postgres()).newSchema();
    const services = await openServices(directory, { ...MANAGEMENT_OPTIONS, database });
    try {
      const { appContext: { store }, projects, uploads } = services;
      await store.write("projects", (tx) => projects.create(tx, "default"));
      const actor = { project: PROJECT, projectId: "proj_x", requestId: "req_x" };
      const { source_asset } = await store.write(
        PROJECT,
        (tx) => uploads.create(tx, actor, createBody.parse(description(FILE)), "http://localhost"),
      );
      await work(services, source_asset);
    } finally {
      await closeServices(services);
      await rm(directory);
    }
  });
}

/** Sends the bytes of an upload. Calls `before` in the unit, before its first change. */
async function put(
  { appContext: { store }, uploads }: Services,
  id: string,
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const request = new Request("http://localhost", { method: "PUT", body: FILE.bytes });
  const { body, release } = await uploads.receive(request, PROJECT, id);
  await store.write(PROJECT, async (tx) => {
    const run = tx.run.bind(tx);
    tx.run = async (query) => {
      tx.run = run;
      await before();
      return await run(query);
    };
    await uploads.put(tx, PROJECT, id, body);
  }).finally(release);
}

/** Returns the error code of a rejected request, or null. */
function codeOf(request: Promise<unknown>): Promise<string | null> {
  return request.then(() => null, (error) => error instanceof ApiError ? error.code : error);
}

testRace(
  "DELETE /v1/document-uploads/{id} returns SOURCE_ASSET_BUSY if a worker claims the file meanwhile",
  async (services, { id, operation_id }) => {
    const { appContext: { store }, queue, uploads } = services;
    await put(services, id);
    await store.write(PROJECT, (tx) => uploads.complete(tx, PROJECT, id));
    const cancel = queue.cancel.bind(queue);
    queue.cancel = async (tx, project, task) => {
      await queue.claimOne(project, task);
      return await cancel(tx, project, task);
    };
    const deleted = store.write(PROJECT, (tx) => uploads.delete(tx, PROJECT, id));
    strictEqual(await codeOf(deleted), "SOURCE_ASSET_BUSY");
    const asset = await store.read((db) => findAsset(db, PROJECT, id));
    const operation = await services.operations.get(PROJECT, operation_id);
    deepStrictEqual([asset!.status, operation.status], ["processing", "processing"]);
  },
);

testRace(
  "PUT /v1/document-uploads/{id}/content keeps nothing of an upload that expires meanwhile",
  async (services, { id }) => {
    const { appContext: { store }, uploads: { cleanup } } = services;
    const asset = await store.read((db) => findAsset(db, PROJECT, id));
    const expire = () => store.write("rows", (tx) => cleanup.remove(tx, asset!, "expire"));
    strictEqual(await codeOf(put(services, id, expire)), "DOCUMENT_UPLOAD_NOT_FOUND");
    const links = await store.read((db) => db.all(sql`select hash from blob_names`));
    deepStrictEqual(links, []);
  },
);

testRace(
  "DELETE /v1/document-uploads/{id} leaves nothing if files are removed just before its commit",
  async (services, { id }) => {
    const { appContext: { store }, uploads } = services;
    await put(services, id);
    await store.write(PROJECT, async (tx) => {
      await uploads.delete(tx, PROJECT, id);
      await uploads.cleanUp();
    });
    await uploads.cleanUp();
    strictEqual(await store.read((db) => findAsset(db, PROJECT, id)), undefined);
    deepStrictEqual(await store.read((db) => db.all(sql`select hash from blob_names`)), []);
  },
);
