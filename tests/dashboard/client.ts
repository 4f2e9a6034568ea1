/** The dashboard as a browser talks to it: a cookie, and where each change comes from. */

import type { TestServer } from "../../testing/harness.ts";

/** What a request may have beside its method and path. */
export interface DashboardRequest {
  readonly body?: unknown;
  readonly raw?: BodyInit;
  /** In place of those that the dashboard's own page would send. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string | null;
}

/** An answer with its body read. */
export interface DashboardReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** Somebody at the dashboard; signed in once `signIn` has succeeded. */
export class DashboardClient {
  #session: string | null = null;

  constructor(readonly server: Pick<TestServer, "url" | "manage">) {}

  /** Signs in with a fresh link. */
  static async signedIn(server: Pick<TestServer, "url" | "manage">): Promise<DashboardClient> {
    const visitor = new DashboardClient(server);
    await visitor.signIn({ token: await signInToken(server) });
    return visitor;
  }

  async signIn(body: unknown): Promise<DashboardReply> {
    const reply = await this.call("POST", "/session", { body });
    const cookie = reply.headers.getSetCookie()[0]?.split(";")[0];
    if (reply.status === 200) this.#session = cookie!.split("=")[1]!;
    return reply;
  }

  /** As the browser would send it: by the name that goes with the port, which restarts change. */
  get cookie(): string | null {
    const name = `commonplace_session_${new URL(this.server.url).port}`;
    return this.#session === null ? null : `${name}=${this.#session}`;
  }

  /** One request under `/dashboard/api`, as the page itself would make it. */
  async call(
    method: string,
    path: string,
    request: DashboardRequest = {},
  ): Promise<DashboardReply> {
    const { body, raw, cookie = this.cookie } = request;
    const response = await fetch(`${this.server.url}/dashboard/api${path}`, {
      method,
      headers: {
        ...(cookie === null ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(request.headers ?? { origin: this.server.url, "sec-fetch-site": "same-origin" }),
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** The id of a project. */
  async project(name = "default"): Promise<string> {
    const { json } = await this.call("GET", "/projects");
    return json.results.find((project: { name: string }) => project.name === name).id;
  }
}

/** The token of a new one-time link. */
export async function signInToken(server: Pick<TestServer, "manage">): Promise<string> {
  const { url } = await server.manage("dashboard");
  return new URL(url).hash.replace("#signin=", "");
}
