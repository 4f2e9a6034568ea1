/** The models of the TypeScript client are those of the OpenAPI document. */

import { strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { generateModels, MODELS_PATH } from "../../scripts/clients/typescript_models.ts";
import { withServer } from "../../testing/harness.ts";

Deno.test("models.ts is what `deno task docs` generates", () =>
  withServer(async (server) => {
    const { json } = await server.call("GET", "/v1/openapi.json", { key: null });
    strictEqual(readFileSync(MODELS_PATH, "utf8"), await generateModels(json));
  }));
