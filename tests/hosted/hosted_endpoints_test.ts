/** Tests for the endpoints in the hosted variant. */

import { deepStrictEqual } from "node:assert/strict";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("hostedEndpoints() requires an Idempotency-Key for four more endpoints", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  try {
    const keyed = (variant: "hosted" | "self-hosted") =>
      endpointsOf(services, { variant }).flatMap((endpoint) =>
        "change" in endpoint && endpoint.idempotencyKey === "required"
          ? [`${endpoint.method} ${endpoint.path}`]
          : []
      );
    const everywhere = keyed("self-hosted");
    deepStrictEqual(keyed("hosted").filter((name) => !everywhere.includes(name)).toSorted(), [
      "DELETE /v1/documents/{id}",
      "DELETE /v1/memories/{id}/feedback",
      "POST /v1/documents",
      "POST /v1/memories/{id}/feedback",
    ]);
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});
