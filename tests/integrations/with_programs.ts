/** Runs the programs of an integration, each in a process of its own, against one server. */

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../docs/page.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { command, compilePrograms, installIntegration, packClient } from "./npm.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Runs a program with the server's address and key, and returns what it prints. */
export type RunProgram = (name: string, ...args: readonly string[]) => Promise<string>;

/** Where programs and their runtime come from. */
export interface ProgramOptions {
  /** A page of the documentation. Its blocks with a file name are programs too. */
  readonly page: string;
  /** Path of Node inside the folder. The system's by default. */
  readonly node?: string;
}

/**
 * Installs an integration, checks and compiles its programs, starts a server, prints what the
 * integration adds to calls of the client, and calls `work`.
 */
export async function withPrograms(
  name: string,
  work: (run: RunProgram, server: TestServer) => Promise<void>,
  { page, node }: ProgramOptions,
): Promise<void> {
  const folder = await installIntegration(name, await packClient());
  const shared = "measure_overhead.ts";
  copyFileSync(join(import.meta.dirname!, shared), join(folder, "programs", shared));
  await compilePrograms(folder);
  for (const { note, text } of blocksOf(readFileSync(join(ROOT, page), "utf8"))) {
    if (note !== "") writeFileSync(join(folder, "programs", note), text);
  }
  await withServer(async (server) => {
    const env = { COMMONPLACE_URL: server.url, COMMONPLACE_API_KEY: server.key };
    const program = node === undefined ? "node" : join(folder, node);
    const run: RunProgram = (file, ...args) =>
      command(program, [join("programs", file), ...args], { cwd: folder, env });
    report((await run("overhead.js")).trim());
    await work(run, server);
  });
}

/** Waits until the inferred adds so far have been processed, and their facts can be found. */
export async function waitForInference(server: TestServer): Promise<void> {
  await waitUntil(
    () => server.call("GET", "/v1/health"),
    ({ json: { operations, tasks, projections } }) =>
      operations.pending + tasks.pending + projections.derived_pending === 0,
  );
}

/** Prints what an integration has checked. */
export function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
