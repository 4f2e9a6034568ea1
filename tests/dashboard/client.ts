/** Calls the dashboard the way a browser does, with a cookie and an origin. */

import type { TestServer } from "../../testing/harness.ts";

/** Options for a request. */
export interface DashboardRequest {
  readonly body?: unknown;
  readonly raw?: BodyInit;
  /** Headers to send in place of the dashboard page's own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string | null;
}

/** A response and its body. */
export interface DashboardReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests assert the shape that they read
  readonly json: any;
}

/** A dashboard user. Signed in once `signIn` has succeeded. */
export class DashboardClient {
  #session: string | null = null;

  constructor(readonly server: Pick<TestServer, "url" | "manage">) {}

  /** Returns a client that's signed in with a fresh link. */
  static async signedIn(server: Pick<TestServer, "url" | "manage">): Promise<DashboardClient> {
    const client = new DashboardClient(server);
    await client.signIn({ token: await signInToken(server) });
    return client;
  }

  async signIn(body: unknown): Promise<DashboardReply> {
    const reply = await this.call("POST", "/session", { body });
    const cookie = reply.headers.getSetCookie()[0]?.split(";")[0];
    if (reply.status === 200) this.#session = cookie!.split("=")[1]!;
    return reply;
  }

  /**
   * Returns the session cookie. Its name includes the current port, so it changes after a restart.
   */
  get cookie(): string | null {
    const name = `commonplace_session_${new URL(this.server.url).port}`;
    return this.#session === null ? null : `${name}=${this.#session}`;
  }

  /** Sends a request under `/dashboard/api`, just like the page would. */
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

  /** Returns the id of a project. */
  async project(name = "default"): Promise<string> {
    const { json } = await this.call("GET", "/projects");
    return json.results.find((project: { name: string }) => project.name === name).id;
  }
}

/** Returns the token from a fresh one-time link. */
export async function signInToken(server: Pick<TestServer, "manage">): Promise<string> {
  const { url } = await server.manage("dashboard");
  return new URL(url).hash.replace("#signin=", "");
}
