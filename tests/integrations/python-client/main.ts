/** Installs the wheel of the Python client into an empty environment, and runs its page there. */

import { ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../../../testing/harness.ts";
import { createEmptyEnvironment, install } from "../../../testing/python.ts";
import { rm } from "../../../testing/temp_dir.ts";
import { walk } from "../../docs/walk.ts";

const ROOT = join(import.meta.dirname!, "../../..");
const WORK = join(ROOT, "dist/integrations/python-client");

await rm(WORK);
const python = await createEmptyEnvironment(join(WORK, "environment"));
const wheels = join(WORK, "wheels");
await python.check("python", [
  ...["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels],
  join(ROOT, "clients/python"),
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

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
