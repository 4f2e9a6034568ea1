/** Prepares a server for `clients/cases/cases.json`, and checks what its clients have covered. */

import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_STATUS } from "../src/kernel/errors.ts";
import { type FaultProxy, startFaultProxy } from "./fault_proxy.ts";
import { type TestServer, withServer } from "./harness.ts";
import { addProjects } from "./projects.ts";

const CASES = join(import.meta.dirname!, "../clients/cases/cases.json");

/** Error codes of the dashboard, `/mcp` and `/mem0`, which clients don't call. */
const OTHER_CODES: readonly string[] = [
  "NOT_SIGNED_IN",
  "SIGN_IN_FAILED",
  "FOREIGN_ORIGIN",
  "NOT_SUPPORTED",
];

/** Keys of one case. Each opens a project that no other case uses. */
export interface CaseKeys {
  readonly full: string;
  /** For the same project, with `memory:read` only. */
  readonly reader: string;
  /** For another project, without records. */
  readonly empty: string;
  readonly wrong: string;
}

/** What a runner needs to run all cases once. Runners get it as a JSON file. */
export interface CasesRun {
  /** Path of the table. */
  readonly cases: string;
  readonly proxy_url: string;
  readonly unreachable_url: string;
  /** Keys by the name of the case. */
  readonly keys: Readonly<Record<string, CaseKeys>>;
}

/** A server behind a proxy, for clients under test. */
export interface CasesServer {
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  /** Creates projects for another run of all cases. */
  prepareRun(runner: string): Promise<CasesRun>;
  /** Throws unless the runs have covered every operation and every error code. */
  checkCoverage(): Promise<void>;
}

/** Starts a server and a proxy, and stops them after `work`. */
export async function withCasesServer(work: (server: CasesServer) => Promise<void>): Promise<void> {
  await withServer(async (server) => {
    const proxy = await startFaultProxy(server.url);
    try {
      await work({
        server,
        proxy,
        prepareRun: (runner) => prepareRun(server, proxy, runner),
        checkCoverage: () => checkCoverage(server, proxy),
      });
    } finally {
      await proxy.stop();
    }
  });
}

async function prepareRun(
  server: TestServer,
  proxy: FaultProxy,
  runner: string,
): Promise<CasesRun> {
  const { cases } = JSON.parse(readFileSync(CASES, "utf8")) as { cases: { name: string }[] };
  // At once: as commands, they would take longer than most cases.
  const { directory } = server;
  const projects = await addProjects(directory, cases.length, runner);
  const empty = await addProjects(directory, cases.length, `${runner}-empty`);
  const keys = Object.fromEntries(cases.map(({ name }, index): [string, CaseKeys] => [name, {
    full: projects[index]!.key,
    reader: projects[index]!.readerKey,
    empty: empty[index]!.key,
    wrong: "cpl_unknown",
  }]));
  return { cases: CASES, proxy_url: proxy.url, unreachable_url: proxy.unreachableUrl, keys };
}

async function checkCoverage(server: TestServer, proxy: FaultProxy): Promise<void> {
  const { json } = await server.call("GET", "/v1/openapi.json", { key: null });
  const paths: Record<string, Record<string, unknown>> = json.paths;
  const delivered = proxy.exchanges.filter((exchange) => exchange.delivered);
  const missing = Object.entries(paths).flatMap(([template, operations]) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return Object.keys(operations)
      .filter((method) =>
        !delivered.some((exchange) =>
          exchange.status < 300 && exchange.method.toLowerCase() === method &&
          pattern.test(exchange.path)
        )
      )
      .map((method) => `${method.toUpperCase()} ${template}`);
  });
  deepStrictEqual(missing, [], "operations that no case calls with success");
  const codes = new Set(delivered.map(({ code }) => code));
  const unseen = Object.keys(ERROR_STATUS)
    .filter((code) => !codes.has(code) && !OTHER_CODES.includes(code));
  deepStrictEqual(unseen, [], "error codes that no case returns");
}
