/**
 * Installs the wheel of the Python client into an empty environment, and runs its page there. Runs
 * its tests on every supported version of Python that is on the path.
 */

import { ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../../../testing/harness.ts";
import { createEmptyEnvironment, install } from "../../../testing/python.ts";
import { PYTHON_CLIENT, runPythonClientTests } from "../../../testing/python_client.ts";
import { rm } from "../../../testing/temp_dir.ts";
import { walk } from "../../docs/walk.ts";

const ROOT = join(import.meta.dirname!, "../../..");
const WORK = join(ROOT, "dist/integrations/python-client");

/** Supported versions. Name others of a version manager in PATH, e.g. its `versions/3.10.13/bin`. */
const VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"];

await rm(WORK);
const python = await createEmptyEnvironment(join(WORK, "environment"));
const wheels = join(WORK, "wheels");
await python.check("python", [
  ...["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels],
  PYTHON_CLIENT,
]);
const [wheel, ...others] = readdirSync(wheels);
strictEqual(others.length, 0);
await install(python, [join(wheels, wheel!)]);
const installed = await python.check("python", ["-m", "pip", "freeze"]);
// Nothing but httpx and what it needs.
ok(/^httpx==/m.test(installed) && !/pydantic|langchain|requests/.test(installed), installed);
print(`${wheel}: installed with ${installed.trim().split("\n").length - 1} other packages`);

const variables = { PYTHON: join(python.bin, "python") };
await withServer((server) => walk("docs/clients/python.md", server, variables));
print("docs/clients/python.md: every block prints what it shows");

for (const version of VERSIONS) {
  const command = `python${version}`;
  if (!await isInstalled(command)) {
    print(`Python ${version}: not installed`);
    continue;
  }
  const environment = await createEmptyEnvironment(join(WORK, version), command);
  await install(environment, [
    ...["--requirement", join(PYTHON_CLIENT, "requirements-dev.txt")],
    join(wheels, wheel!),
  ]);
  const printed = await runPythonClientTests(environment);
  print(`Python ${version}: ${printed.trim().split("\n").at(-1)}`);
}

/** Checks whether a command starts. Version managers have commands that only print an error. */
async function isInstalled(command: string): Promise<boolean> {
  try {
    const child = new Deno.Command(command, { args: ["--version"], stderr: "null" });
    return (await child.output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
