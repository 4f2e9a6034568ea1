/**
 * Checks that nginx and Caddy, set up as in docs/guides/balancer.md, send each key to one process.
 * They also have to pass over a process that was killed, and to repeat no change. What isn't
 * installed is left out.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { COPY_FOLDER } from "../../../src/copies/copies.ts";
import { readStates } from "../../../src/copies/state.ts";
import { Connection } from "../../../src/store/sqlite/connection.ts";
import { asReader, databasePath } from "../../../src/store/sqlite/store.ts";
import { clusterDirectories } from "../../../testing/cluster.ts";
import { useTestDatabase } from "../../../testing/engine.ts";
import { call } from "../../../testing/harness.ts";
import { startPostgres } from "../../../testing/postgres.ts";
import { addProjects, type EmptyProject } from "../../../testing/projects.ts";
import { ServerProcess } from "../../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../../testing/temp_dir.ts";
import { findProgram, PROGRAMS, startProgram } from "./programs.ts";

/** Number of projects. All of them in one process would be a chance of 1 in 729. */
const PROJECTS = 7;
const SEARCHES = 9;

const postgres = await startPostgres();
const directory = makeTempDirSync();
const { directories, blobs } = clusterDirectories(directory);
const environment = { COMMONPLACE_BLOB_URL: pathToFileURL(blobs).href };
const database = postgres.newSchema();
for (const data of directories) useTestDatabase(data, database);
const services: ServerProcess[] = [];
try {
  for (const data of directories) services.push(await ServerProcess.start(data, { environment }));
  for (const program of PROGRAMS) {
    if (findProgram(program.name) === undefined) {
      print(`${program.name}: not installed, not checked`);
      continue;
    }
    const projects = await addProjects(directories[0]!, PROJECTS, program.name);
    const folder = (name: string) => join(directory, `${program.name}-${name}`);
    {
      await using broken = await startBrokenServices();
      await using balancer = await startProgram(program, broken.urls, folder("broken"));
      await checkChangesAreSentOnce(balancer.url, broken.requests);
    }
    const urls = services.map(({ url }) => url);
    await using balancer = await startProgram(program, urls, folder("services"));
    strictEqual((await call(balancer.url, "GET", "/metrics", { key: null })).status, 404);
    await checkOneProcessForEachKey(balancer.url, projects);
    await checkAfterKill(balancer.url, projects[0]!, program.lost);
    print(`${program.name}: ${PROJECTS} projects are copied once each; no change was repeated`);
  }
} finally {
  for (const service of services) await service.kill();
  await postgres.close();
  await rm(directory);
}

/** Each project is in the copy of exactly one process. */
async function checkOneProcessForEachKey(
  url: string,
  projects: readonly EmptyProject[],
): Promise<void> {
  for (const { key } of projects) {
    const body = { content: "A heron stood in the reeds", user_id: "ana", infer: false };
    strictEqual((await call(url, "POST", "/v1/memories", { key, body })).status, 200);
    for (let n = 0; n < SEARCHES; n++) await search(url, key);
  }
  const copied = await Promise.all(directories.map(copiedProjects));
  const counts = projects.map(({ number }) =>
    copied.filter((list) => list.includes(number)).length
  );
  deepStrictEqual(counts, projects.map(() => 1), "each project has one copy");
  const numbers = projects.map(({ number }) => number);
  const used = copied.filter((list) => list.some((number) => numbers.includes(number)));
  ok(used.length > 1, "projects are divided among the processes");
}

/** Requests with a key are served by another process once its own was killed. */
async function checkAfterKill(
  url: string,
  { number, key }: EmptyProject,
  lost: number,
): Promise<void> {
  const copied = await Promise.all(directories.map(copiedProjects));
  const index = copied.findIndex((list) => list.includes(number));
  await services[index]!.kill();
  for (let failed = 0; (await trySearch(url, key)).status === 502;) ok(++failed <= lost);
  for (let n = 0; n < SEARCHES; n++) {
    await search(url, key);
    strictEqual((await call(url, "GET", "/v1/memories?user_id=ana", { key })).status, 200);
  }
  services[index] = await ServerProcess.start(directories[index]!, {
    environment,
    flags: ["--port", new URL(services[index]!.url).port],
  });
}

async function search(url: string, key: string): Promise<void> {
  const { status, json } = await trySearch(url, key);
  strictEqual(status, 200);
  strictEqual(json.results.length, 1);
}

function trySearch(url: string, key: string) {
  return call(url, "POST", "/v1/memories/search", { key, body: { query: "heron" } });
}

/** Returns the projects that a process has copied. */
async function copiedProjects(data: string): Promise<number[]> {
  const copy = new Connection(databasePath(join(data, COPY_FOLDER)), { readOnly: true });
  try {
    return (await readStates(asReader(copy))).map(([project]) => project);
  } finally {
    copy.close();
  }
}

/** Starts services that end the connection of each request, except for checks of their health. */
async function startBrokenServices() {
  const requests: string[] = [];
  const servers = await Promise.all(directories.map(() => {
    const server = createServer((request, response) => {
      if (request.url?.endsWith("z")) return void response.writeHead(200).end();
      requests.push(`${request.method} ${request.url}`);
      request.socket.destroy();
    });
    return new Promise<typeof server>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(server))
    );
  }));
  return {
    requests,
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A change that may have been done isn't sent to another process. */
async function checkChangesAreSentOnce(url: string, requests: readonly string[]): Promise<void> {
  // Each of them makes the balancer leave out one more process.
  for (const method of ["PUT", "DELETE", "POST"]) {
    const path = `/v1/memories/${method}`;
    const { status } = await call(url, method, path, method === "DELETE" ? {} : { body: {} });
    strictEqual(status, 502);
    deepStrictEqual(requests.filter((line) => line === `${method} ${path}`).length, 1, method);
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
