/**
 * The mem0-compatible API under `/mem0`, for mem0's clients and what is built on them. Its records
 * are those of the API. See docs/mem0.md.
 */

import { Hono, type Next } from "hono";
import type { Mount } from "../../http/app.ts";
import { authenticate, type KeyDeps } from "../../http/authenticate.ts";
import { type ErrorBody, renderErrors } from "../../http/errors.ts";
import { mountEndpoints, refuseOtherMethods } from "../../http/mount.ts";
import { type RequestContext, type RequestEnv, respond } from "../../http/request.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Mem0Deps } from "./calls.ts";
import { ORGANIZATION } from "./format.ts";
import { GENERATIONS, mem0Endpoints, UNSUPPORTED } from "./routes.ts";

const BASE_PATH = "/mem0";

/** Lists that clients before version 3 read without an envelope. */
const LIST_PATH = /^\/mem0\/v[12]\/memories(\/search)?\/?$/;

/** Returns a function that adds the routes under `/mem0`. */
export function mountMem0(deps: Mem0Deps & KeyDeps & { readonly log: Log }): Mount {
  return (app) => {
    const api = new Hono<RequestEnv>();
    api.onError(renderErrors(deps.log, withDetail));
    api.use(`${BASE_PATH}/*`, authenticate(deps, { readKey }));
    api.use(`${BASE_PATH}/*`, listsForOldClients);
    for (const path of [`${BASE_PATH}/v1/ping`, `${BASE_PATH}/v1/ping/`]) {
      api.get(path, ping);
      refuseOtherMethods(api, path, ["GET"]);
    }
    for (const [path, sentence] of UNSUPPORTED) {
      api.all(BASE_PATH + path, refuse(BASE_PATH + path, sentence));
    }
    for (const generation of GENERATIONS) {
      const prefix = BASE_PATH + generation;
      const options = { ...deps.appContext, prefix, trailingSlash: true };
      mountEndpoints(api, mem0Endpoints(deps, generation), options);
    }
    api.all(`${BASE_PATH}/*`, (c) => {
      throw new ApiError("NOT_FOUND", `No endpoint at ${c.req.path}`);
    });
    app.route("/", api);
  };
}

/** Returns a key sent as `Token`, as mem0's clients do, as `Bearer`, or in a header of its own. */
function readKey(headers: Headers): string | undefined {
  const authorization = headers.get("authorization") ?? "";
  if (authorization === "") return headers.get("x-api-key")?.trim();
  return /^(?:Token|Bearer) +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/** Adds the fields in which mem0's clients look for the message. */
function withDetail(body: ErrorBody): object {
  return { detail: body.message, error: body.message, ...body };
}

/** Every client checks its key here first. */
function ping(c: RequestContext): Response {
  c.set("route", `${BASE_PATH}/v1/ping`);
  const project_id = c.get("principal")!.projectId;
  return respond(c, {
    status: 200,
    body: { status: "ok", org_id: ORGANIZATION, project_id, user_email: null },
  });
}

function refuse(route: string, sentence: string) {
  return function refuseUnsupported(c: RequestContext): Response {
    c.set("route", route);
    throw new ApiError("NOT_SUPPORTED", sentence);
  };
}

/**
 * Takes results out of their envelope for clients before version 3, which expect bare lists from
 * the first two versions of the platform. Newer ones name themselves in `X-Mem0-Client`.
 */
async function listsForOldClients(c: RequestContext, next: Next): Promise<void> {
  await next();
  const { headers } = c.req.raw;
  const isOld = headers.has("mem0-user-id") && !headers.has("x-mem0-client");
  const isList = LIST_PATH.test(c.req.path) && ["GET", "POST"].includes(c.req.method);
  if (!isOld || !isList || c.res.status !== 200 || c.req.query("page") !== undefined) return;
  const body = await c.res.json();
  const list = JSON.stringify(body.results ?? [body]);
  c.res = new Response(list, { status: 200, headers: c.res.headers });
}
