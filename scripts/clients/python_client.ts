/**
 * `deno task client:python`: generates the parts of the Python client that follow from others: its
 * models from the OpenAPI document, and the synchronous client from the asynchronous one.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../../testing/harness.ts";
import { pythonEnvironment } from "../../testing/python.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const CLIENT = join(import.meta.dirname!, "../../clients/python");

const python = await pythonEnvironment("client", join(CLIENT, "requirements-dev.txt"));
const work = makeTempDirSync();
await withServer(async ({ call }) => {
  const { text } = await call("GET", "/v1/openapi.json", { key: null });
  writeFileSync(join(work, "openapi.json"), text);
});
await python.check("python", ["scripts/generate_models.py", join(work, "openapi.json")], {
  cwd: CLIENT,
});
await python.check("python", ["scripts/generate_sync.py"], { cwd: CLIENT });
await rm(work);
