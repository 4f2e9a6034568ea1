/** Attacks on the sign-in, each refused. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { DashboardClient } from "../dashboard/client.ts";
import {
  CALLBACK,
  connect,
  decide,
  listTools,
  openRequest,
  postForm,
  postJson,
  redeem,
  refresh,
  registerClient,
  statusOf,
} from "./owner.ts";

/** Sends a request of a client to the authorization endpoint, without following redirects. */
async function authorize(url: string, accept = "text/html") {
  const response = await fetch(url, { redirect: "manual", headers: { accept } });
  return {
    status: response.status,
    location: response.headers.get("location"),
    headers: response.headers,
    text: await response.text(),
  };
}

Deno.test("POST /oauth/token with a code that was already used revokes what the code gave", async () => {
  await withServer(async (server) => {
    const { client, code, verifier, accessToken, refreshToken } = await connect(server);
    strictEqual(await statusOf(listTools(server, accessToken)), 200);
    const again = await redeem(client, code, verifier);
    deepStrictEqual([again.status, again.json.error], [400, "invalid_grant"]);
    strictEqual(await statusOf(listTools(server, accessToken)), 401);
    deepStrictEqual((await refresh(client, refreshToken)).json.error, "invalid_grant");
    const [connection] = await server.manage("connections", "list", "--project", "default");
    deepStrictEqual([connection.status, connection.ended_by], ["revoked", "code_reuse"]);
  });
});

Deno.test("POST /oauth/token with one code in several requests at once succeeds at most once", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server);
    const { url, verifier } = client.authorizationUrl();
    const code = (await decide(server, url)).searchParams.get("code")!;
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => redeem(client, code, verifier)),
    );
    deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400]);
    const { json } = replies.find(({ status }) => status === 200)!;
    strictEqual(await statusOf(listTools(server, json.access_token)), 401, "revoked by the others");
  });
});

Deno.test("POST /oauth/token refuses a code with another verifier, client, redirect URI or resource", async () => {
  await withServer(async (server) => {
    const [client, other] = [await registerClient(server), await registerClient(server)];
    const { url, verifier } = client.authorizationUrl();
    const code = (await decide(server, url)).searchParams.get("code")!;
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
    const attempts = [
      { code_verifier: client.authorizationUrl().verifier },
      { code_verifier: "" },
      { redirect_uri: "" },
      { client_id: other.id },
      { redirect_uri: `${CALLBACK}/` },
      { redirect_uri: "https://chat.example:444/callback" },
      { redirect_uri: "https://chat.example./callback" },
    ];
    for (const attempt of attempts) {
      const { status, json, headers } = await client.token({ ...fields, ...attempt });
      strictEqual(status, 400, JSON.stringify(attempt));
      match(json.error, /^invalid_(grant|request)$/);
      strictEqual(headers.get("cache-control"), "no-store");
    }
    const { json } = await client.token({ ...fields, resource: "https://other.example/mcp" });
    strictEqual(json.error, "invalid_target");
    strictEqual((await client.token(fields)).status, 200, "none of the attempts used the code");
  });
});

Deno.test("POST /oauth/token with a refresh token that was already used revokes the connection", async () => {
  await withServer(async (server) => {
    const { client, refreshToken, accessToken } = await connect(server);
    const renewed = await refresh(client, refreshToken);
    strictEqual(renewed.status, 200);
    deepStrictEqual((await refresh(client, refreshToken)).json.error, "invalid_grant");
    for (const token of [accessToken, renewed.json.access_token]) {
      strictEqual(await statusOf(listTools(server, token)), 401);
    }
    strictEqual((await refresh(client, renewed.json.refresh_token)).json.error, "invalid_grant");
    const [connection] = await server.manage("connections", "list", "--project", "default");
    deepStrictEqual([connection.status, connection.ended_by], ["revoked", "refresh_reuse"]);
  });
});

Deno.test("POST /oauth/token refuses a refresh token of another client, and more than was allowed", async () => {
  await withServer(async (server) => {
    const { client, refreshToken } = await connect(server, { permissions: ["memory:read"] });
    const other = await registerClient(server);
    strictEqual((await refresh(other, refreshToken)).json.error, "invalid_grant");
    const more = await client.token({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      scope: "memory:read memory:write",
    });
    strictEqual(more.json.error, "invalid_scope");
    let token = refreshToken;
    // A parameter without a value counts as omitted (RFC 6749, 3.2): the same permissions as before.
    for (const omitted of [{}, { scope: "" }, { scope: " " }, { resource: "" }]) {
      const fields = { grant_type: "refresh_token", refresh_token: token, ...omitted };
      const same = await client.token(fields);
      deepStrictEqual(
        [same.status, same.json.scope],
        [200, "memory:read"],
        JSON.stringify(omitted),
      );
      token = same.json.refresh_token;
    }
  });
});

Deno.test("GET /oauth/authorize never redirects to an address that the client has not registered", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server, {
      redirect_uris: [CALLBACK, "http://127.0.0.1/callback"],
    });
    const attempts = [
      "https://evil.example/callback",
      "https://chat.example:444/callback",
      "https://chat.example./callback",
      "https://chat.example/callback/",
      "https://chat.example/callback?next=https://evil.example",
      "https://chat.example/callback#x",
      "https://chat.example@evil.example/callback",
      "https://CHAT.example/callback",
      "http://chat.example/callback",
      "http://localhost/callback",
      "http://127.0.0.1./callback",
      "http://127.0.0.1:80@evil.example/callback",
      "http://127.0.0.1/callback/..",
      "javascript:alert(1)",
      "//evil.example/callback",
      "",
    ];
    for (const redirect_uri of attempts) {
      const { url } = client.authorizationUrl({ redirect_uri });
      const { status, location } = await authorize(url);
      deepStrictEqual([status, location], [400, null], redirect_uri);
    }
    const anyPort = client.authorizationUrl({ redirect_uri: "http://127.0.0.1:51234/callback" });
    strictEqual((await authorize(anyPort.url)).status, 302);
    const { url } = client.authorizationUrl({ client_id: "client_unknown" });
    deepStrictEqual((await authorize(url)).location, null);
    const repeated = await authorize(
      `${client.authorizationUrl().url}&redirect_uri=https://e.example`,
    );
    deepStrictEqual([repeated.status, repeated.location], [400, null]);
  });
});

Deno.test("GET /oauth/authorize is not an open redirect: errors of a new client stay with the user", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server, { client_name: "<b>Bank</b>" });
    const { url } = client.authorizationUrl({ response_type: "token" });
    const page = await authorize(url);
    deepStrictEqual([page.status, page.location], [400, null]);
    match(
      page.headers.get("content-security-policy")!,
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    strictEqual(page.headers.get("x-frame-options"), "DENY");
    match(page.text, /response_type must be code/);
    const json = await authorize(url, "application/json");
    strictEqual(JSON.parse(json.text).error, "unsupported_response_type");

    // Once the owner has approved the client, it may get its errors without asking.
    await decide(server, client.authorizationUrl().url);
    const back = new URL((await authorize(url)).location!);
    deepStrictEqual(back.origin + back.pathname, CALLBACK);
    deepStrictEqual(
      ["error", "state", "iss"].map((name) => back.searchParams.get(name)),
      ["unsupported_response_type", "s-1", server.url],
    );
  });
});

Deno.test("GET /oauth/authorize refuses requests without PKCE, or for another resource", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server);
    const cases: readonly (readonly [Record<string, string | null>, string])[] = [
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ resource: "https://other.example/mcp" }, "invalid_target"],
      [{ resource: `${server.url}/v1` }, "invalid_target"],
      [{ scope: "admin" }, "invalid_scope"],
      [{ response_type: null }, "invalid_request"],
      [{ state: "x".repeat(5_000) }, "invalid_request"],
    ];
    for (const [overrides, expected] of cases) {
      const { url } = client.authorizationUrl(overrides);
      const { status, text, location } = await authorize(url, "application/json");
      deepStrictEqual([status, JSON.parse(text).error, location], [400, expected, null]);
    }
  });
});

Deno.test("an access token opens /mcp of its own resource, and nothing else", async () => {
  await withServer(async (server) => {
    const { accessToken, refreshToken } = await connect(server);
    for (const path of ["/v1/entities", "/v1/health", "/v1/memories?user_id=ana"]) {
      const reply = await server.call("GET", path, { key: accessToken });
      deepStrictEqual([reply.status, reply.json.code], [401, "INVALID_API_KEY"], path);
    }
    const dashboard = await new DashboardClient(server).call("GET", "/projects", {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    strictEqual(dashboard.status, 401);
    strictEqual(await statusOf(listTools(server, refreshToken)), 401, "a refresh token");
    strictEqual(
      await statusOf(fetch(`${server.url}/mcp?access_token=${accessToken}`, {
        method: "POST",
      })),
      401,
      "a token in the URL",
    );
    await server.stop();
    await server.start({ publicUrl: "https://memory.example" });
    strictEqual(await statusOf(listTools(server, accessToken)), 401, "of another resource");
  });
});

Deno.test("the consent decision is accepted only from the dashboard's own page and session", async () => {
  await withServer(async (server) => {
    const owner = await DashboardClient.signedIn(server);
    const client = await registerClient(server);
    const request = await openRequest(client.authorizationUrl().url);
    const body = {
      request,
      approve: true,
      project_id: await owner.project(),
      permissions: ["memory:read"],
    };
    const foreign: readonly Record<string, string>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: server.url.replace(/\d+$/, "1"), "sec-fetch-site": "same-site" },
      { origin: "null" },
      {},
    ];
    for (const headers of foreign) {
      const { status, json } = await owner.call("POST", "/authorization", { body, headers });
      deepStrictEqual([status, json.code], [403, "FOREIGN_ORIGIN"], JSON.stringify(headers));
    }
    const form = await owner.call("POST", "/authorization", {
      raw: new URLSearchParams({ request, approve: "true" }),
    });
    strictEqual(form.status, 415, "a form, which other sites can send");
    const anonymous = await owner.call("POST", "/authorization", { body, cookie: null });
    deepStrictEqual([anonymous.status, anonymous.json.code], [401, "NOT_SIGNED_IN"]);
    deepStrictEqual(await server.manage("connections", "list", "--project", "default"), []);

    const more = await owner.call("POST", "/authorization", {
      body: {
        ...body,
        request: request.replace("state=s-1", "state=s-1&scope=memory%3Aread"),
        permissions: ["memory:read", "memory:write"],
      },
    });
    deepStrictEqual(more.json.details.issues[0].path, "permissions");
    const { headers } = await fetch(server.url);
    match(headers.get("content-security-policy")!, /frame-ancestors 'none'/);
    strictEqual(headers.get("x-frame-options"), "DENY");
  });
});

Deno.test("the authorization response names the issuer, also when the owner refuses", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server);
    for (const approve of [true, false]) {
      const back = await decide(server, client.authorizationUrl().url, { approve });
      strictEqual(back.searchParams.get("iss"), server.url);
      strictEqual(back.searchParams.get("error"), approve ? null : "access_denied");
      strictEqual(back.searchParams.has("code"), approve);
    }
    const { json } = await (async () => {
      const response = await fetch(`${server.url}/.well-known/oauth-authorization-server`);
      return { json: await response.json() };
    })();
    deepStrictEqual(
      [json.issuer, json.authorization_response_iss_parameter_supported],
      [server.url, true],
    );
  });
});

Deno.test("the owner's refusal leads only to an address that the client has registered", async () => {
  await withServer(async (server) => {
    const owner = await DashboardClient.signedIn(server);
    const client = await registerClient(server);
    const decideOn = async (redirect_uri: string, approve: boolean) => {
      const request = client.authorizationUrl({ redirect_uri }).url.split("?")[1]!;
      const grant = { project_id: await owner.project(), permissions: ["memory:read"] };
      const body = { request, approve, ...(approve ? grant : {}) };
      return await owner.call("POST", "/authorization", { body });
    };
    const foreign = [
      "https://evil.example/callback",
      "https://chat.example./callback",
      "https://chat.example:444/callback",
      "javascript:alert(1)",
    ];
    for (const redirect_uri of foreign) {
      for (const approve of [false, true]) {
        const { status, json } = await decideOn(redirect_uri, approve);
        deepStrictEqual([status, json.details], [400, { error: "invalid_redirect_uri" }]);
      }
    }
    const { json } = await decideOn(CALLBACK, false);
    ok(json.redirect_to.startsWith(`${CALLBACK}?error=access_denied&`), json.redirect_to);
  });
});

Deno.test("POST /oauth/token from an address that strangers have used up still says that a token is refused", async () => {
  await withServer(async (server) => {
    const client = await registerClient(server);
    const exchange = (fields: Record<string, string>) => client.token(fields);
    for (let n = 0; n < 60; n++) strictEqual((await exchange({})).json.error, "invalid_request");
    const limited = await exchange({});
    deepStrictEqual([limited.status, limited.json.error], [429, "temporarily_unavailable"]);
    const refused = { grant_type: "refresh_token", refresh_token: "cpr_revoked" };
    strictEqual((await exchange(refused)).json.error, "invalid_grant");
    const unknown = await exchange({ ...refused, client_id: "client_unknown" });
    strictEqual(unknown.json.error, "invalid_client");
  });
});

Deno.test("POST /oauth/register from an address that strangers have used up works while the owner is on the page Connections", async () => {
  await withServer(async (server) => {
    const register = () => postJson(`${server.url}/oauth/register`, { redirect_uris: [CALLBACK] });
    for (let n = 0; n < 60; n++) strictEqual((await register()).status, 201);
    const { status, json } = await register();
    deepStrictEqual([status, json.error], [429, "temporarily_unavailable"]);
    match(json.error_description, /open the page Connections/);
    // A link always works, and only the owner can get one.
    const owner = await DashboardClient.signedIn(server);
    strictEqual((await register()).status, 429, "a session alone does not open it");
    await owner.call("GET", `/projects/${await owner.project()}/connections`);
    const { client, refreshToken } = await connect(server);
    strictEqual((await refresh(client, refreshToken)).status, 200);
  });
});

Deno.test("POST /oauth/register refuses a flood of registrations, and existing clients keep working", async () => {
  await withServer(async (server) => {
    const { client, refreshToken } = await connect(server);
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(Array.from({ length: 100 }, async () => {
        const response = await fetch(`${server.url}/oauth/register`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ redirect_uris: [CALLBACK] }),
        });
        await response.body?.cancel();
        if (response.status === 429) ok(Number(response.headers.get("retry-after")) > 0);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }));
    }
    deepStrictEqual([...statuses].toSorted(), [[201, 59], [429, 9_941]]);
    strictEqual((await refresh(client, refreshToken)).status, 200);
    strictEqual((await server.call("GET", "/v1/health")).status, 200);
  });
});

Deno.test("POST /oauth/register refuses addresses that could mislead the owner or run code", async () => {
  await withServer(async (server) => {
    const invalid = [
      "http://chat.example/callback",
      "https://chat.example/#fragment",
      "https://user:pw@chat.example/",
      "https://chat.example./callback",
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "blob:https://chat.example/1",
      "file:///etc/passwd",
      "vbscript:msgbox(1)",
      "view-source:https://chat.example/",
      "ms-msdt:/id",
      "about:blank",
      "wss://chat.example/",
      "https://chat.example\\@evil.example/",
      "https://chät.example/",
      "/callback",
      `https://chat.example/${"x".repeat(2_000)}`,
    ];
    for (const uri of invalid) {
      const response = await fetch(`${server.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [uri] }),
      });
      strictEqual(response.status, 400, uri);
      strictEqual((await response.json()).error, "invalid_redirect_uri", uri);
    }
    const client = await registerClient(server, {
      client_name: "Chat\u202egpj.exe\n\u0000",
      redirect_uris: ["cursor://anysphere.cursor/callback"],
    });
    const owner = await DashboardClient.signedIn(server);
    const request = await openRequest(client.authorizationUrl().url);
    const { json } = await owner.call("GET", `/authorization?${new URLSearchParams({ request })}`);
    strictEqual(json.client.name, "Chat gpj.exe");
    deepStrictEqual(json.redirect.kind, "app");
  });
});

Deno.test("POST /oauth/revoke ends the connection, and does not reveal which tokens exist", async () => {
  await withServer(async (server) => {
    const { client, accessToken, refreshToken } = await connect(server);
    const other = await registerClient(server);
    const revoke = (token: string, client_id: string) =>
      postForm(`${server.url}/oauth/revoke`, { token, client_id });
    for (const [token, id] of [["cpr_unknown", client.id], [refreshToken, other.id]] as const) {
      const { status, json } = await revoke(token, id);
      deepStrictEqual([status, json], [200, {}]);
    }
    strictEqual(await statusOf(listTools(server, accessToken)), 200);
    strictEqual((await revoke(accessToken, client.id)).status, 200);
    strictEqual(await statusOf(listTools(server, accessToken)), 401);
    strictEqual((await refresh(client, refreshToken)).json.error, "invalid_grant");
  });
});
