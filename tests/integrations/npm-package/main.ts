/**
 * Builds the npm package, installs it with Node 20 and 22, and runs the smoke test on it without a
 * network.
 */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram, smokeOffline } from "../../../testing/offline_smoke.ts";
import { rm } from "../../../testing/temp_dir.ts";

/** Exact versions of the npm package `node`, which contains a Node binary. */
const NODE_VERSIONS = ["20.20.2", "22.23.3"] as const;

const ROOT = join(import.meta.dirname!, "../../..");
const WORK = join(ROOT, "dist/integrations/npm-package");

await rm(WORK);
mkdirSync(WORK, { recursive: true });
await runProgram(Deno.execPath(), ["task", "--quiet", "package", "npm", "--out", WORK]);
const tarball = join(WORK, readdirSync(WORK).find((name) => name.endsWith(".tgz"))!);

for (const version of NODE_VERSIONS) {
  const node = join(WORK, `node-${version}`);
  await runProgram("npm", [...npmArgs("install", node), `node@${version}`]);
  const bin = join(node, "node_modules/node/bin");
  const path = { PATH: `${bin}:${Deno.env.get("PATH")}` };
  await runProgram(join(bin, "node"), ["--version"]);
  const folder = join(WORK, `server-${version}`);
  await runProgram("npm", [...npmArgs("install", folder), tarball], path);
  await smokeOffline(join(folder, "node_modules/.bin/commonplace"), bin);
}

function npmArgs(command: string, prefix: string): string[] {
  mkdirSync(prefix, { recursive: true });
  return [command, "--silent", "--no-audit", "--no-fund", "--prefix", prefix];
}
