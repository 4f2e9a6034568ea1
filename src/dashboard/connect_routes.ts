/** Endpoints of the connect page: the clients, and a key with instructions for one of them. */

import { z } from "zod";
import type { Target } from "../connect/clients.ts";
import { CLIENTS } from "../connect/clients.ts";
import { defaultFile, instructionsFor, mcpUrl } from "../connect/instructions.ts";
import { ownProcess } from "../connect/own_process.ts";
import type { AppContext } from "../contract/app_context.ts";
import { type Permission, PERMISSIONS } from "../contract/endpoint.ts";
import { scopeValue } from "../contract/fields.ts";
import { readJson } from "../http/body.ts";
import { parseOrThrow } from "../http/execute_endpoint.ts";
import type { RequestContext } from "../http/request.ts";
import { isLoopbackHost } from "../kernel/http/loopback.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isClone } from "../kernel/process/program_name.ts";
import type { KeyService } from "../projects/keys.ts";
import type { ProjectService } from "../projects/service.ts";
import { requireProject } from "./guard.ts";
import type { ConnectableClient, ConnectInstructions } from "./schema.ts";

/** Services called by these routes. */
export interface ConnectDeps {
  readonly appContext: AppContext;
  readonly projects: ProjectService;
  readonly keys: KeyService;
}

const BODY_LIMIT = { bytes: LIMITS.jsonBodyBytes };
const MAX_URL_CHARACTERS = 2_048;

const connectBody = z.object({
  client: z.enum(CLIENTS.map(({ id }) => id)),
  /** Address of the service as the browser sees it. A proxy can make it another one than ours. */
  url: z.url({ protocol: /^https?$/ }).max(MAX_URL_CHARACTERS),
  user_id: scopeValue.optional(),
  permissions: z.array(z.enum(Object.keys(PERMISSIONS) as Permission[])).min(1).optional(),
});

/** Returns all clients and where their files are. */
export function listClients(): ConnectableClient[] {
  return CLIENTS.map((client) => ({
    id: client.id,
    title: client.title,
    files: {
      linux: defaultFile(client, "linux"),
      darwin: defaultFile(client, "darwin"),
      windows: defaultFile(client, "windows"),
    },
  }));
}

/** Creates a key named after a client. Returns what to paste, run or open. */
export async function createInstructions(
  c: RequestContext,
  { appContext, projects, keys }: ConnectDeps,
): Promise<ConnectInstructions> {
  const body = parseOrThrow(connectBody, await readJson(c.req.raw, BODY_LIMIT));
  const project = await requireProject(c, projects);
  const client = CLIENTS.find(({ id }) => id === body.client)!;
  const created = await appContext.store.write(
    project.number,
    (tx) =>
      keys.create(tx, project, {
        name: client.id,
        ...(body.permissions === undefined ? {} : { permissions: body.permissions }),
      }),
  );
  const target: Target = client.http === undefined
    ? proxyProcess(body.url, body.user_id, created.key)
    : { kind: "http", url: mcpUrl(body.url, { user_id: body.user_id }), key: created.key };
  return { ...instructionsFor(client, target), key_id: created.id, next: client.next };
}

/**
 * Returns a process that forwards to this service. The browser and its clients can be on another
 * machine, or outside of the service's container, where the program has to be installed. A clone
 * isn't, so it's started where it is.
 */
function proxyProcess(url: string, userId: string | undefined, key: string): Target {
  const args = ["mcp", "--url", url, ...userId === undefined ? [] : ["--user-id", userId]];
  const environment = { COMMONPLACE_API_KEY: key };
  return isClone() && isLoopbackHost(new URL(url).hostname)
    ? ownProcess(args, environment)
    : { kind: "process", program: "commonplace", args, environment };
}
