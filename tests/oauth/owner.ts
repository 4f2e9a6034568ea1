/** The owner's side of a sign-in: a browser without a screen that decides on requests for access. */

import { strictEqual } from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { TestServer } from "../../testing/harness.ts";
import { DashboardClient, type DashboardReply } from "../dashboard/client.ts";

/** A server, and the command line on its machine. */
export type OwnedServer = Pick<TestServer, "url" | "manage">;

/** The redirect URI of test clients. Nothing listens there; the test reads the address. */
export const CALLBACK = "https://chat.example/callback";

/** What an owner allows. Defaults to what the client asks for, in the project `default`. */
export interface Decision {
  readonly approve?: boolean;
  readonly project?: string;
  readonly permissions?: readonly string[];
  readonly user_id?: string;
}

/** Opens a client's address in a browser that is signed in, and returns where it's sent next. */
export async function decide(
  server: OwnedServer,
  authorizationUrl: URL | string,
  decision: Decision = {},
): Promise<URL> {
  const owner = await DashboardClient.signedIn(server);
  const request = await openRequest(authorizationUrl);
  const { approve = true, project = "default", ...rest } = decision;
  const asked = await owner.call(
    "GET",
    `/authorization?${new URLSearchParams({ request })}`,
  );
  strictEqual(asked.status, 200, asked.text);
  const body = approve
    ? {
      request,
      approve,
      project_id: await owner.project(project),
      permissions: asked.json.permissions,
      ...rest,
    }
    : { request, approve };
  const decided = await owner.call("POST", "/authorization", { body });
  strictEqual(decided.status, 200, decided.text);
  return new URL(decided.json.redirect_to);
}

/** Opens a client's address and returns the request that the consent page gets. */
export async function openRequest(authorizationUrl: URL | string): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: "manual" });
  await response.body?.cancel();
  strictEqual(response.status, 302);
  const [page, request] = response.headers.get("location")!.split(/\?(.*)/s);
  strictEqual(page, "/#/-/authorize");
  return request!;
}

/** A public client written for tests, without any library. */
export interface TestClient {
  readonly id: string;
  /** The address to open in the browser, and the secret that belongs to it. */
  authorizationUrl(overrides?: Readonly<Record<string, string | null>>): {
    readonly url: string;
    readonly verifier: string;
  };
  /** Sends a form to the token endpoint. */
  token(fields: Readonly<Record<string, string>>): Promise<OAuthReply>;
}

/** A response of an OAuth endpoint. */
export interface OAuthReply {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** Registers a client. */
export async function registerClient(
  server: Pick<OwnedServer, "url">,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<TestClient> {
  const { status, json } = await postJson(`${server.url}/oauth/register`, {
    client_name: "Chat",
    redirect_uris: [CALLBACK],
    ...metadata,
  });
  strictEqual(status, 201, JSON.stringify(json));
  const id: string = json.client_id;
  return {
    id,
    authorizationUrl(overrides = {}) {
      const verifier = randomBytes(32).toString("base64url");
      const parameters = {
        response_type: "code",
        client_id: id,
        redirect_uri: json.redirect_uris[0],
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        state: "s-1",
        resource: `${server.url}/mcp`,
        ...overrides,
      };
      const search = new URLSearchParams(
        Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null),
      );
      return { url: `${server.url}/oauth/authorize?${search}`, verifier };
    },
    token: (fields) =>
      postForm(`${server.url}/oauth/token`, { client_id: id, redirect_uri: CALLBACK, ...fields }),
  };
}

/** A connection and its tokens. */
export interface Connected {
  readonly client: TestClient;
  readonly code: string;
  readonly verifier: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Connects a client, as the owner decides. */
export async function connect(server: OwnedServer, decision: Decision = {}): Promise<Connected> {
  const client = await registerClient(server);
  const { url, verifier } = client.authorizationUrl();
  const code = (await decide(server, url, decision)).searchParams.get("code")!;
  const { status, json } = await redeem(client, code, verifier);
  strictEqual(status, 200, JSON.stringify(json));
  return {
    client,
    code,
    verifier,
    accessToken: json.access_token,
    refreshToken: json.refresh_token,
  };
}

/** Redeems a code. */
export function redeem(client: TestClient, code: string, verifier: string): Promise<OAuthReply> {
  return client.token({ grant_type: "authorization_code", code, code_verifier: verifier });
}

/** Exchanges a refresh token. */
export function refresh(client: TestClient, refreshToken: string): Promise<OAuthReply> {
  return client.token({ grant_type: "refresh_token", refresh_token: refreshToken });
}

/** Calls `tools/list` with a token and returns the response. */
export async function listTools(server: OwnedServer, token: string, query = ""): Promise<Response> {
  return await callMcp(server, token, { method: "tools/list" }, query);
}

/** Sends a message to `/mcp`. */
export async function callMcp(
  server: OwnedServer,
  token: string | null,
  message: Readonly<Record<string, unknown>>,
  query = "",
): Promise<Response> {
  return await fetch(`${server.url}/mcp${query}`, {
    method: "POST",
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
}

/** Returns the response's status, after discarding its body. */
export async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

export async function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<OAuthReply> {
  return await toReply(
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
}

export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<OAuthReply> {
  return await toReply(await fetch(url, { method: "POST", body: new URLSearchParams(fields) }));
}

async function toReply(response: Response): Promise<OAuthReply> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

export type { DashboardReply };
