/**
 * Runs all attacks against a single server. It must survive, release its resources and keep its
 * data unchanged.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { call } from "../../testing/harness.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";
import { ATTACKS, type Target } from "./attacks.ts";
import { hostileRequests } from "./requests.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/**
 * How many more file descriptors may be open than before the attacks. They belong to the database,
 * a worker or a check.
 */
const SPARE_DESCRIPTORS = 16;

/**
 * How much memory use may grow over its level before the attacks, in MB. This is garbage that
 * hasn't been collected yet.
 */
const SPARE_MEMORY_MB = 256;

/**
 * Extra memory per open connection, in MB. According to measurements, it doesn't grow when an
 * attack is repeated.
 */
const CONNECTION_MEMORY_MB = 0.3;

/** Runs the campaign and prints one line per attack. */
export async function runCampaign(size: number, print: (line: string) => void): Promise<void> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { logLevel: "error" });
  try {
    const send = (method: string, path: string, body?: unknown) =>
      call(server.url, method, path, { key: SERVER_KEY, body });
    await send("POST", "/v1/memories", { content: "Green tea", infer: false, user_id: "ana" });
    const content = "Steep the tea for three minutes. ".repeat(30_000);
    const added = await send("POST", "/v1/documents", { content, title: "Tea", user_id: "ana" });
    const document: string = added.json.document.id;
    const exported = await call(server.url, "POST", "/v1/exports", {
      key: SERVER_KEY,
      headers: { "idempotency-key": "export" },
    });
    const operation: string = exported.json.id;
    await waitUntil(
      () => send("GET", `/v1/operations/${operation}`),
      ({ json }) => json.status === "success",
    );
    const readData = async () =>
      await Promise.all(
        ["memories?user_id=ana", "documents", "entities", "events", `documents/${document}/content`]
          .map(async (path) => {
            const reply = await send("GET", `/v1/${path}`);
            strictEqual(reply.status, 200, reply.text);
            return reply.text;
          }),
      );
    const before = await readData();
    const [descriptors, memory] = [countDescriptors(server.pid), residentMb(server.pid)];

    let slowest = 0;
    const checkServed = async () => {
      const began = performance.now();
      const { status } = await call(server.url, "GET", "/livez", { key: null });
      strictEqual(status, 200);
      slowest = Math.max(slowest, performance.now() - began);
    };
    const check = async (name: string) => {
      await checkServed();
      deepStrictEqual(await readData(), before, `${name}: the data changed`);
      const { open } = await waitUntil(
        () => Promise.resolve({ name, open: countDescriptors(server.pid), before: descriptors }),
        ({ open, before }) => open <= before + SPARE_DESCRIPTORS,
      );
      const used = residentMb(server.pid);
      const maxMb = memory + SPARE_MEMORY_MB + size * CONNECTION_MEMORY_MB;
      ok(used <= maxMb, `${name}: ${used} MB used, ${memory} before`);
      const figures = `livez ${slowest.toFixed(0)} ms, ${open} files, ${used} MB`;
      print(`${name}: ${figures} (before: ${descriptors} files, ${memory} MB)`);
      slowest = 0;
    };

    for (let round = 0; round < Math.max(1, size / 100); round++) {
      for (const request of hostileRequests(SERVER_KEY)) {
        using wire = await RawHttpConnection.open(server.url);
        await wire.send(request.bytes);
        if (request.closesEarly) await wire.end();
        const { status } = await wire.reply();
        const outcome = Number.isNaN(status) ? 0 : status;
        ok(request.statuses.includes(outcome), `${request.name} returned ${outcome}`);
        await checkServed();
      }
    }
    await check("malformed requests");
    const target: Target = {
      url: server.url,
      key: SERVER_KEY,
      document,
      operation,
      size,
      checkServed,
    };
    for (const attack of ATTACKS) {
      await attack.run(target);
      await check(attack.name);
    }
    strictEqual(await server.stop(), 0);
    strictEqual(server.log.includes("request failed"), false, server.log);
  } finally {
    await server.kill();
    await rm(directory);
  }
}

// Calls system programs, since Deno reads nothing under /proc without all permissions.
function countDescriptors(pid: number): number {
  return commandOutput("ls", `/proc/${pid}/fd`).split("\n").length - 1;
}

/** Returns the resident memory in MB. */
function residentMb(pid: number): number {
  const status = commandOutput("cat", `/proc/${pid}/status`);
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024);
}

function commandOutput(program: string, path: string): string {
  const { success, stdout } = new Deno.Command(program, { args: [path] }).outputSync();
  ok(success, `${program} ${path}`);
  return new TextDecoder().decode(stdout);
}
