/** Runs the Python client's own checks and tests, against a real server. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCasesServer } from "../../testing/client_cases.ts";
import { pythonEnvironment } from "../../testing/python.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

const CLIENT = join(import.meta.dirname!, "../../clients/python");
const EXAMPLES = join(import.meta.dirname!, "../../examples/python");

/** Returns the environment with the client's dependencies and the tools that check it. */
function environment() {
  return pythonEnvironment("client", join(CLIENT, "requirements-dev.txt"));
}

testWith(["python3"], "the Python client passes its tests, sync and async", async () => {
  const python = await environment();
  const work = makeTempDirSync();
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
        PYTHONPATH: join(CLIENT, "src"),
        COMMONPLACE_CASES: runs,
        COMMONPLACE_OPENAPI: openapi,
        COMMONPLACE_URL: server.url,
        COMMONPLACE_API_KEY: await server.createKey("python"),
      };
      const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
      await python.check("python", args, { cwd: CLIENT, env });
      await checkCoverage();
    });
  } finally {
    await rm(work);
  }
});

testWith(["python3"], "the Python client is typed, formatted and generated", async () => {
  const python = await environment();
  const options = { cwd: CLIENT };
  const config = ["--config", "pyproject.toml"];
  await python.check("ruff", ["format", "--check", ...config, ".", EXAMPLES], options);
  await python.check("ruff", ["check", ...config, ".", EXAMPLES], options);
  await python.check("python", ["scripts/generate_sync.py", "--check"], options);
  await python.check("mypy", ["src", "scripts", "tests", EXAMPLES], options);
});
