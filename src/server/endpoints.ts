/** All endpoints under /v1, in the order they're documented. */

import type { Endpoint } from "../contract/endpoint.ts";
import { contextRoutes } from "../context/routes.ts";
import { derivedRoutes } from "../derived/routes.ts";
import { documentRoutes } from "../documents/routes.ts";
import { entityRoutes } from "../entities/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { healthRoutes } from "../health/routes.ts";
import { hostedEndpoints } from "../hosted/metered_endpoints.ts";
import { requireJson } from "../http/body.ts";
import { exportRoutes } from "../exports/routes.ts";
import { importRoutes } from "../imports/routes.ts";
import { LIMITS } from "../kernel/limits.ts";
import { batchRoutes } from "../memories/batch/routes.ts";
import { inferenceRoutes } from "../inference/routes.ts";
import { memoryRoutes } from "../memories/routes.ts";
import { operationRoutes } from "../operations/routes.ts";
import { snapshotRoutes } from "../snapshots/routes.ts";
import { textOnly } from "../uploads/text_only.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import type { ServerConfig } from "./config.ts";
import type { Services } from "./services.ts";

/** Returns the configured variant's endpoints. */
export function endpointsOf(
  services: Services,
  config: Pick<ServerConfig, "variant" | "importBytes"> = {},
): Endpoint[] {
  const { variant, importBytes = LIMITS.importBodyBytes } = config;
  const { store } = services.appContext;
  const deps = { ...services, store };
  const endpoints = [
    ...batchRoutes(deps),
    ...memoryRoutes(deps),
    ...documentRoutes(deps),
    ...uploadRoutes(deps),
    ...entityRoutes(deps),
    ...operationRoutes(deps),
    ...snapshotRoutes({ ...deps, importBytes, requireJson }),
    ...exportRoutes(deps),
    ...importRoutes({ ...deps, allowInference: variant !== "hosted" }),
    ...eventRoutes(deps),
    ...derivedRoutes(deps),
    ...contextRoutes(deps),
    ...inferenceRoutes(deps),
    ...healthRoutes(deps),
  ];
  if (variant === "hosted") return hostedEndpoints(endpoints, services.ledger, store);
  return variant === "desktop" ? textOnly(endpoints) : endpoints;
}
