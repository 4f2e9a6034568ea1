/** Runs the tests of the Python client, with all cases of clients/cases. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCasesServer } from "./client_cases.ts";
import type { PythonEnvironment } from "./python.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";

/** The folder of the Python client. */
export const PYTHON_CLIENT = join(import.meta.dirname!, "../clients/python");

/**
 * Runs the tests of the Python client against a server of their own. Throws an error with their
 * output if one fails, or if an operation or an error code isn't covered.
 *
 * @param environment more variables, e.g. the PYTHONPATH of the client's sources
 */
export async function runPythonClientTests(
  python: PythonEnvironment,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const work = makeTempDirSync();
  let printed = "";
  try {
    await withCasesServer(async ({ server, prepareRun, checkCoverage }) => {
      const runs = join(work, "runs.json");
      // Each runner has its own projects, because their cases run on the same server.
      const contents = { sync: await prepareRun("sync"), async: await prepareRun("async") };
      writeFileSync(runs, JSON.stringify(contents));
      const openapi = join(work, "openapi.json");
      const { text } = await server.call("GET", "/v1/openapi.json", { key: null });
      writeFileSync(openapi, text);
      const env = {
        ...environment,
        COMMONPLACE_CASES: runs,
        COMMONPLACE_OPENAPI: openapi,
        COMMONPLACE_URL: server.url,
        COMMONPLACE_API_KEY: await server.createKey("python"),
      };
      const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
      printed = await python.check("python", args, { cwd: PYTHON_CLIENT, env });
      await checkCoverage();
    });
  } finally {
    await rm(work);
  }
  return printed;
}
