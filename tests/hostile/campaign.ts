/** Everything hostile at one server, which must live, forget it, and keep its data as they were. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { call } from "../../testing/harness.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";
import { ATTACKS, type Target } from "./attacks.ts";
import { hostileRequests } from "./requests.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** File descriptors that may be open more than before: of the database, of a worker, of a check. */
const SPARE_DESCRIPTORS = 16;

/** Memory that may be held more than before, in MB: what a collector has not taken back yet. */
const SPARE_MEMORY_MB = 256;

/** And for each connection held: it stays at this however often an attack is repeated (measured). */
const CONNECTION_MEMORY_MB = 0.3;

/** Runs the campaign; tells a line for each attack. */
export async function runCampaign(size: number, print: (line: string) => void): Promise<void> {
  const directory = makeTempDirSync();
  const server = await ServerProcess.start(directory, { logLevel: "error" });
  try {
    const ask = (method: string, path: string, body?: unknown) =>
      call(server.url, method, path, { key: SERVER_KEY, body });
    await ask("POST", "/v1/memories", { content: "Green tea", infer: false, user_id: "ana" });
    const content = "Steep the tea for three minutes. ".repeat(30_000);
    const added = await ask("POST", "/v1/documents", { content, title: "Tea", user_id: "ana" });
    const document: string = added.json.document.id;
    const exported = await call(server.url, "POST", "/v1/exports", {
      key: SERVER_KEY,
      headers: { "idempotency-key": "export" },
    });
    const operation: string = exported.json.id;
    await waitUntil(
      () => ask("GET", `/v1/operations/${operation}`),
      ({ json }) => json.status === "success",
    );
    const portrait = async () =>
      await Promise.all(
        ["memories?user_id=ana", "documents", "entities", "events", `documents/${document}/content`]
          .map(async (path) => {
            const reply = await ask("GET", `/v1/${path}`);
            strictEqual(reply.status, 200, reply.text);
            return reply.text;
          }),
      );
    const before = await portrait();
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
      deepStrictEqual(await portrait(), before, `${name}: the data changed`);
      const { open } = await waitUntil(
        () => Promise.resolve({ name, open: countDescriptors(server.pid), before: descriptors }),
        ({ open, before }) => open <= before + SPARE_DESCRIPTORS,
      );
      const held = residentMb(server.pid);
      const maxMb = memory + SPARE_MEMORY_MB + size * CONNECTION_MEMORY_MB;
      ok(held <= maxMb, `${name}: ${held} MB held, ${memory} before`);
      const figures = `livez ${slowest.toFixed(0)} ms, ${open} files, ${held} MB`;
      print(`${name}: ${figures} (before: ${descriptors} files, ${memory} MB)`);
      slowest = 0;
    };

    for (let round = 0; round < Math.max(1, size / 100); round++) {
      for (const request of hostileRequests(SERVER_KEY)) {
        using wire = await RawHttpConnection.open(server.url);
        await wire.send(request.bytes);
        if (request.closesEarly) await wire.end();
        const { status } = await wire.reply();
        const answer = Number.isNaN(status) ? 0 : status;
        ok(request.statuses.includes(answer), `${request.name} was answered with ${answer}`);
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

// By programs of the system: Deno reads nothing under /proc without every permission there is.
function countDescriptors(pid: number): number {
  return commandOutput("ls", `/proc/${pid}/fd`).split("\n").length - 1;
}

/** Resident memory in MB. */
function residentMb(pid: number): number {
  const status = commandOutput("cat", `/proc/${pid}/status`);
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024);
}

function commandOutput(program: string, path: string): string {
  const { success, stdout } = new Deno.Command(program, { args: [path] }).outputSync();
  ok(success, `${program} ${path}`);
  return new TextDecoder().decode(stdout);
}
