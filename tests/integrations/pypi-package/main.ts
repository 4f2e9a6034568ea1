/**
 * Builds the wheel for this platform, installs it into a new virtual environment, and runs the smoke
 * test on it without a network.
 */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram, smokeOffline } from "../../../testing/offline_smoke.ts";
import { rm } from "../../../testing/temp_dir.ts";

const ROOT = join(import.meta.dirname!, "../../..");
const WORK = join(ROOT, "dist/integrations/pypi-package");

await rm(WORK);
mkdirSync(WORK, { recursive: true });
await runProgram(Deno.execPath(), ["task", "--quiet", "package", "pypi", "--out", WORK]);
const wheel = join(WORK, readdirSync(WORK).find((name) => name.endsWith(".whl"))!);
const environment = join(WORK, "environment");
await runProgram("python3", ["-m", "venv", environment]);
await runProgram(join(environment, "bin/pip"), ["install", "--quiet", wheel]);
await smokeOffline(join(environment, "bin/commonplace-server"));
