/** Runs the Python client's own checks and tests, against a real server. */

import { join } from "node:path";
import { pythonEnvironment } from "../../testing/python.ts";
import { PYTHON_CLIENT, runPythonClientTests } from "../../testing/python_client.ts";
import { testWith } from "../../testing/tools.ts";

const EXAMPLES = join(import.meta.dirname!, "../../examples/python");

/** Returns the environment with the client's dependencies and the tools that check it. */
function environment() {
  return pythonEnvironment("client", join(PYTHON_CLIENT, "requirements-dev.txt"));
}

testWith(["python3"], "the Python client passes its tests, sync and async", async () => {
  await runPythonClientTests(await environment(), { PYTHONPATH: join(PYTHON_CLIENT, "src") });
});

testWith(["python3"], "the Python client is typed, formatted and generated", async () => {
  const python = await environment();
  const options = { cwd: PYTHON_CLIENT };
  const config = ["--config", "pyproject.toml"];
  await python.check("ruff", ["format", "--check", ...config, ".", EXAMPLES], options);
  await python.check("ruff", ["check", ...config, ".", EXAMPLES], options);
  await python.check("python", ["scripts/generate_sync.py", "--check"], options);
  await python.check("mypy", ["src", "scripts", "tests", EXAMPLES], options);
});
