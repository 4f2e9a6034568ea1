/**
 * Endpoints meant for people and off-limits to API keys: projects, their keys, counts, and health.
 */

import type { Hono } from "hono";
import { z } from "zod";
import type { ActivityService } from "../activity/service.ts";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { listEvents } from "../connections/audit.ts";
import type { ClientRegistry } from "../connections/clients.ts";
import type { ConnectionService } from "../connections/service.ts";
import { readJson } from "../http/body.ts";
import { refuseOtherMethods } from "../http/mount.ts";
import { type RequestContext, type RequestEnv, respond } from "../http/request.ts";
import { parseOrThrow } from "../http/execute_endpoint.ts";
import { parseQuery } from "../http/query.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { OperationService } from "../operations/service.ts";
import type { KeyService } from "../projects/keys.ts";
import { ManagementError, MAX_KEY_NAME_CHARACTERS } from "../projects/schema.ts";
import { NO_PROJECT } from "../tasks/maintenance.ts";
import { createInstructions, listClients } from "./connect_routes.ts";
import { requireProject } from "./guard.ts";
import { type InstanceHealthDeps, readInstanceHealth } from "./instance_health.ts";
import { readOverview } from "./overview.ts";

/** Services called by these routes. */
export interface ManagementDeps extends InstanceHealthDeps {
  readonly keys: KeyService;
  readonly connections: ConnectionService;
  readonly clients: ClientRegistry;
  readonly activity: ActivityService;
  readonly operations: OperationService;
}

const BASE_PATH = "/dashboard/api";
const SNAPSHOT_PATH = "/projects/:project_id/operations/:operation_id/snapshot";
const MAX_AUDIT_ENTRIES = 100;
const JSON_BODY_LIMIT = { bytes: LIMITS.jsonBodyBytes };

const newProjectBody = z.object({ name: z.string() });
const projectSettingsBody = z.object({ derivation: z.boolean() });
const newKeyBody = z.object({
  name: z.string().trim().max(MAX_KEY_NAME_CHARACTERS).default(""),
  permissions: z.array(z.enum(Object.keys(PERMISSIONS) as Permission[])).min(1).optional(),
});
const overviewQuery = z.object({ days: z.coerce.number().int().min(1).max(90).default(1) });

type Method = "GET" | "POST" | "PUT" | "DELETE";
type RouteHandler = (c: RequestContext) => Promise<unknown>;

export function managementRoutes(app: Hono<RequestEnv>, deps: ManagementDeps): void {
  app.get(`${BASE_PATH}${SNAPSHOT_PATH}`, snapshotHandler(deps));
  refuseOtherMethods(app, `${BASE_PATH}${SNAPSHOT_PATH}`, ["GET"]);
  for (const [path, methods] of Object.entries(routeTable(deps))) {
    for (const [method, handler] of Object.entries(methods)) {
      app.on(method, `${BASE_PATH}${path}`, async (c) => {
        c.set("route", `${BASE_PATH}${path}`);
        return respond(c, { status: 200, body: await handler(c) });
      });
    }
    refuseOtherMethods(app, `${BASE_PATH}${path}`, Object.keys(methods));
  }
}

function routeTable(deps: ManagementDeps): Record<string, Partial<Record<Method, RouteHandler>>> {
  const { appContext: { store, clock }, projects, keys } = deps;
  return {
    "/projects": {
      GET: async () => ({ results: await store.read((db) => projects.list(db)) }),
      POST: async (c) => {
        const { name } = parseOrThrow(newProjectBody, await readJson(c.req.raw, JSON_BODY_LIMIT));
        const { number: _, ...created } = await withFieldErrors(
          store.write("projects", (tx) => projects.create(tx, name)),
        );
        return created;
      },
    },
    "/projects/:project_id": {
      GET: async (c) => {
        const { number: _, derivation, ...project } = await requireProject(c, projects);
        return { ...project, derivation: derivation === 1 };
      },
      PUT: async (c) => {
        const { derivation } = parseOrThrow(
          projectSettingsBody,
          await readJson(c.req.raw, JSON_BODY_LIMIT),
        );
        const { number, id, name, created_at } = await requireProject(c, projects);
        await store.write(number, (tx) => projects.setDerivation(tx, name, derivation));
        return { id, name, created_at, derivation };
      },
      DELETE: async (c) => {
        const project = await requireProject(c, projects);
        await store.write(project.number, (tx) => projects.delete(tx, project));
        return { id: project.id, name: project.name, deleted: true };
      },
    },
    "/projects/:project_id/keys": {
      GET: async (c) => {
        const project = await requireProject(c, projects);
        return { results: await store.read((db) => keys.list(db, project)) };
      },
      POST: async (c) => {
        const { name, permissions } = parseOrThrow(
          newKeyBody,
          await readJson(c.req.raw, JSON_BODY_LIMIT),
        );
        const project = await requireProject(c, projects);
        const options = { name, ...(permissions === undefined ? {} : { permissions }) };
        return await store.write(project.number, (tx) => keys.create(tx, project, options));
      },
    },
    "/projects/:project_id/keys/:key_id": {
      DELETE: async (c) => {
        const [project, id] = [await requireProject(c, projects), c.req.param("key_id")!];
        await store.write(project.number, async (tx) => {
          const projectKeys = await keys.list(tx, project);
          if (!projectKeys.some((key) => key.id === id)) {
            throw new ApiError("NOT_FOUND", `No API key "${id}"`);
          }
          await keys.revoke(tx, id);
        });
        return { id, revoked: true };
      },
    },
    "/projects/:project_id/connections": {
      GET: async (c) => {
        const project = await requireProject(c, projects);
        // The owner could be about to add one.
        await deps.clients.openRegistration();
        return await store.read(async (db) => ({
          results: await deps.connections.list(db, project),
          // Anyone can cause entries of the service, so these have a limit of their own.
          audit_log: [
            ...await listEvents(db, MAX_AUDIT_ENTRIES, project.number),
            ...await listEvents(db, MAX_AUDIT_ENTRIES, NO_PROJECT),
          ].sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0),
        }));
      },
    },
    "/projects/:project_id/connections/:connection_id": {
      DELETE: async (c) => {
        const [project, id] = [await requireProject(c, projects), c.req.param("connection_id")!];
        // The client, or another tab, can have ended it since it was listed.
        await withNotFound(
          store.write(project.number, (tx) => deps.connections.revoke(tx, id, project)),
        );
        return { id, revoked: true };
      },
    },
    "/projects/:project_id/connect": {
      GET: async (c) => {
        await requireProject(c, projects);
        return { results: listClients() };
      },
      POST: (c) => createInstructions(c, deps),
    },
    "/projects/:project_id/overview": {
      GET: async (c) => {
        const { days } = parseQuery(overviewQuery, c);
        const { number } = await requireProject(c, projects);
        return await readOverview(deps, number, days, clock.now());
      },
    },
    "/health": {
      GET: () => readInstanceHealth(deps),
    },
  };
}

/** Returns a handler that serves a finished export's snapshot as a download. */
function snapshotHandler({ projects, operations }: ManagementDeps) {
  return async function serveSnapshot(c: RequestContext): Promise<Response> {
    c.set("route", `${BASE_PATH}${SNAPSHOT_PATH}`);
    const id = c.req.param("operation_id")!;
    const project = await requireProject(c, projects);
    const stream = await operations.resultFile(project.number, id);
    if (stream === null) {
      throw new ApiError("OPERATION_FILE_NOT_FOUND", `Operation "${id}" has no file`);
    }
    return respond(c, { status: 200, stream, filename: `${project.name}-${id}.json` });
  };
}

/** Reports a `ManagementError` as an error in the `name` field, with the original message. */
async function withFieldErrors<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof ManagementError ? invalidField("name", error.message) : error;
  }
}

/** Reports a `ManagementError` about an unknown record, with the original message. */
async function withNotFound<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof ManagementError ? new ApiError("NOT_FOUND", error.message) : error;
  }
}
