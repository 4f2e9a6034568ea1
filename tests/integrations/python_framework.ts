/** Checks the Python client's module for one framework, with the framework's published package. */

import { join } from "node:path";
import { withServer } from "../../testing/harness.ts";
import { pythonEnvironment } from "../../testing/python.ts";
import { walk } from "../docs/walk.ts";

const ROOT = join(import.meta.dirname!, "../..");
const CLIENT = join(ROOT, "clients/python");

/**
 * Checks the types of the module, runs the programs named `test_*.py` and `overhead.py`, and then
 * every block of the framework's page. On a page, each `python` command is a process of its own.
 *
 * @param name folder in `tests/integrations`. The module of the client and the page in
 *   `docs/clients` have the same name, with underscores
 */
export async function checkFramework(name: string): Promise<void> {
  const module = name.replaceAll("-", "_");
  const folder = join(import.meta.dirname!, name);
  const programs = join(folder, "programs");
  const python = await pythonEnvironment(name, join(folder, "requirements.txt"));
  const env = { PYTHONPATH: `${join(CLIENT, "src")}:${programs}:${import.meta.dirname}` };

  const strict = ["--config-file", "pyproject.toml", "--python-version", "3.11"];
  const adapter = join(CLIENT, "src/commonplace_client", `${module}.py`);
  await python.check("mypy", [...strict, adapter], { cwd: CLIENT, env });
  print("mypy --strict: passed");

  await withServer(async (server) => {
    const options = ["-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto"];
    const printed = await python.check("python", ["-m", "pytest", ...options, programs], {
      cwd: folder,
      env: { ...env, COMMONPLACE_URL: server.url, COMMONPLACE_API_KEY: server.key },
    });
    print(`pytest: ${printed.trim().split("\n").at(-1)}`);
    const measured = await python.check("python", [join(programs, "overhead.py")], {
      env: { ...env, COMMONPLACE_URL: server.url, COMMONPLACE_API_KEY: server.key },
    });
    print(measured.trim());
  });

  const page = join("docs/clients", `${module}.md`);
  const variables = { ...env, PYTHON: join(python.bin, "python") };
  await withServer((server) => walk(page, server, variables));
  print(`${page}: every block prints what it shows`);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}
