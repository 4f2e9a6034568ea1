/** Tests for signing in, sessions, and how they expire. */

import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mountDashboard } from "../../src/dashboard/mount.ts";
import { createSignInToken, type Credentials } from "../../src/dashboard/sessions.ts";
import { createBaseUrl } from "../../src/http/base_url.ts";
import { createApp } from "../../src/http/app.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { testSqlite } from "../../testing/engine.ts";
import { call, KEY, withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { DashboardClient, signInToken } from "./client.ts";

const PASSWORD = { dashboardPassword: "a horse, a battery" };
const PASSWORD_BODY = { password: PASSWORD.dashboardPassword };
const MINUTE = 60_000;

Deno.test("POST /dashboard/api/session accepts a sign-in link only once", async () => {
  await withServer(async (server) => {
    const token = await signInToken(server);
    const first = await new DashboardClient(server).signIn({ token });
    strictEqual(first.status, 200);
    deepStrictEqual(Object.keys(first.json), ["expires_at"]);
    const cookie = first.headers.getSetCookie()[0]!;
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/dashboard/api", "Max-Age=43200"]) {
      ok(cookie.includes(part), `${cookie} lacks ${part}`);
    }
    const second = await new DashboardClient(server).signIn({ token });
    deepStrictEqual([second.status, second.json.code], [401, "SIGN_IN_FAILED"]);
    strictEqual(second.headers.get("www-authenticate"), null);
  });
});

Deno.test("POST /dashboard/api/session accepts a link only once, even if several requests use it at the same time", async () => {
  await withServer(async (server) => {
    const token = await signInToken(server);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => new DashboardClient(server).signIn({ token })),
    );
    deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401]);
  });
});

Deno.test("/dashboard/api/session survives a restart and ends when the user signs out", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const { expires_at } = (await client.call("GET", "/session")).json;
    await server.restart();
    strictEqual((await client.call("GET", "/session")).json.expires_at, expires_at);
    const out = await client.call("DELETE", "/session");
    strictEqual(out.status, 204);
    match(out.headers.getSetCookie()[0]!, /Max-Age=0/);
    const after = await client.call("GET", "/session");
    deepStrictEqual([after.status, after.json.code], [401, "NOT_SIGNED_IN"]);
    strictEqual((await client.call("GET", "/projects")).status, 401);
  });
});

Deno.test("POST /dashboard/api/session accepts a password only if one is configured", async () => {
  const password = PASSWORD.dashboardPassword;
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    deepStrictEqual((await client.call("GET", "/session")).json.details, { password: true });
    strictEqual((await client.signIn({ password: "a horse, a batter" })).status, 401);
    strictEqual((await client.signIn({ password })).status, 200);
    strictEqual((await client.call("GET", "/projects")).status, 200);
  }, PASSWORD);
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    deepStrictEqual((await client.call("GET", "/session")).json.details, { password: false });
    strictEqual((await client.signIn({ password: "" })).status, 400);
    strictEqual((await client.signIn({ password })).status, 401);
  });
});

Deno.test("POST /dashboard/api/session returns 429 to passwords after ten wrong ones from one address", async () => {
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    const guesses = Array.from({ length: 50 }, (_, n) => client.signIn({ password: `guess-${n}` }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    deepStrictEqual(statuses.toSorted(), [...Array(10).fill(401), ...Array(40).fill(429)]);
    const refused = await client.signIn({ password: PASSWORD.dashboardPassword });
    deepStrictEqual([refused.status, refused.json.code], [429, "RATE_LIMITED"]);
    const seconds = Number(refused.headers.get("retry-after"));
    ok(seconds > 14 * 60 && seconds <= 15 * 60, `wait ${seconds} s`);
    deepStrictEqual(
      ["limit", "remaining", "reset"].map((name) => refused.headers.get(`ratelimit-${name}`)),
      ["10", "0", String(seconds)],
    );
    strictEqual((await client.signIn({ token: await signInToken(server) })).status, 200, "a link");
  }, PASSWORD);
});

Deno.test("the audit log has sign-ins and wrong passwords with their address, but no password", async () => {
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    for (let attempt = 0; attempt < 12; attempt++) await client.signIn({ password: "a guess" });
    for (let attempt = 0; attempt < 12; attempt++) await client.signIn({ token: "a guess" });
    await client.signIn({ token: await signInToken(server) });
    const log: readonly { event: string; project: string | null; details: unknown }[] = await server
      .manage("connections", "log");
    const [signedIn, ...failed] = log;
    const address = "127.0.0.1";
    deepStrictEqual(signedIn!.event, "signed_in");
    deepStrictEqual(signedIn!.details, { method: "link", address });
    // Beyond the limit, attempts aren't recorded, and neither are links: anyone could fill the log.
    strictEqual(failed.length, 10);
    for (const entry of failed) {
      deepStrictEqual([entry.event, entry.project], ["sign_in_failed", null]);
      deepStrictEqual(entry.details, { method: "password", address });
    }
    const path = `/projects/${await client.project()}/connections`;
    deepStrictEqual((await client.call("GET", path)).json.audit_log, log, "the dashboard shows it");
  }, PASSWORD);
});

Deno.test("POST /dashboard/api/session never limits sign-in links, however many are wrong", async () => {
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    for (let attempt = 0; attempt < 30; attempt++) {
      strictEqual((await client.signIn({ token: `guess-${attempt}` })).status, 401);
    }
    const password = PASSWORD.dashboardPassword;
    strictEqual((await client.signIn({ password })).status, 200, "the password");
    strictEqual((await client.signIn({ token: await signInToken(server) })).status, 200, "a link");
  }, PASSWORD);
});

Deno.test("POST /dashboard/api/session counts wrong passwords by the client's address behind a trusted proxy", async () => {
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    const signIn = async (password: string, forwardedFor: string) => {
      const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": forwardedFor };
      return (await client.call("POST", "/session", { body: { password }, headers })).status;
    };
    const attacker = "198.51.100.1";
    for (let attempt = 0; attempt < 10; attempt++) {
      // A client can put anything before the address that the proxy adds.
      strictEqual(await signIn("a guess", `192.0.2.${attempt}, ${attacker}`), 401);
    }
    strictEqual(await signIn("a guess", attacker), 429);
    strictEqual(await signIn(PASSWORD.dashboardPassword, `${attacker}, 192.0.2.1`), 200);
  }, { ...PASSWORD, trustedProxies: "127.0.0.0/8" });
});

Deno.test("POST /dashboard/api/session ignores X-Forwarded-For of a proxy that isn't trusted", async () => {
  await withServer(async (server) => {
    const client = new DashboardClient(server);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      const headers = {
        "sec-fetch-site": "same-origin",
        "x-forwarded-for": `192.0.2.${attempt}`,
      };
      const body = { password: "a guess" };
      statuses.push((await client.call("POST", "/session", { body, headers })).status);
    }
    deepStrictEqual(statuses, [...Array(10).fill(401), 429]);
  }, PASSWORD);
});

Deno.test("sign-in links expire after 30 minutes, failures after 15 minutes, and sessions after 12 hours", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const start = systemClock().now();
  let now = start;
  const appContext = { ...services.appContext, clock: { now: () => now } };
  const log = jsonLog(appContext.clock, "off", () => {});
  const instance = () => {
    throw new Error("this test does not request the instance");
  };
  const dashboard = mountDashboard({
    ...services,
    appContext,
    endpoints: [],
    password: PASSWORD.dashboardPassword,
    instance,
    baseUrl: createBaseUrl(undefined),
    findClient: () => Promise.resolve(undefined),
  });
  const app = createApp({
    ...services,
    log,
    endpoints: [],
    mounts: [dashboard],
    version: "0",
    metrics: null,
    state: () => "ready",
  });
  const link = () => appContext.store.write("maintenance", (tx) => createSignInToken(tx, now));
  const signIn = async (credentials: Credentials, address = "192.0.2.1") =>
    await app.request("http://localhost/dashboard/api/session", {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify(credentials),
    }, { address });
  try {
    const [late, early] = [await link(), await link()];
    now += 30 * MINUTE - 1;
    const opened = await signIn({ token: early });
    strictEqual(opened.status, 200, "just in time");
    now += 1;
    strictEqual((await signIn({ token: late })).status, 401, "too late");

    const cookie = opened.headers.getSetCookie()[0]!.split(";")[0]!;
    const sessionStatus = async () =>
      (await app.request("http://localhost/dashboard/api/session", { headers: { cookie } })).status;
    now = start + 30 * MINUTE - 1 + 12 * 60 * MINUTE - 1;
    strictEqual(await sessionStatus(), 200);
    now += 1;
    strictEqual(await sessionStatus(), 401);

    for (let attempt = 0; attempt < 10; attempt++) await signIn({ password: "a guess" });
    strictEqual((await signIn(PASSWORD_BODY)).status, 429);
    strictEqual((await signIn(PASSWORD_BODY, "192.0.2.2")).status, 200, "another address");
    now += 15 * MINUTE;
    strictEqual((await signIn(PASSWORD_BODY)).status, 200, "failures have expired");
  } finally {
    await closeServices(services);
    await rm(directory);
  }
});

Deno.test("requireSameOrigin() accepts changes only from the dashboard's own pages", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const own = server.url;
    const table:
      readonly (readonly [sender: string, headers: Record<string, string>, status: number])[] = [
        ["the page", { origin: own, "sec-fetch-site": "same-origin" }, 200],
        ["an old browser's page", { origin: own }, 200],
        [
          "behind a proxy",
          { origin: "https://own.example", "x-forwarded-host": "own.example" },
          200,
        ],
        ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
        ["another site, no origin", { "sec-fetch-site": "cross-site" }, 403],
        ["another port of the host", {
          origin: "http://127.0.0.1:1",
          "sec-fetch-site": "same-site",
        }, 403],
        ["another port, old browser", { origin: "http://127.0.0.1:1" }, 403],
        ["a sandboxed frame", { origin: "null" }, 403],
        ["no headers", {}, 403],
      ];
    for (const [index, [sender, headers, status]] of table.entries()) {
      const body = { name: `project-${index}` };
      const reply = await client.call("POST", "/projects", { body, headers });
      strictEqual(reply.status, status, `${sender}: ${reply.text}`);
      if (status === 403) strictEqual(reply.json.code, "FOREIGN_ORIGIN");
    }
    const { json } = await client.call("GET", "/projects");
    const names = json.results.map((project: { name: string }) => project.name);
    deepStrictEqual(names.toSorted(), ["default", "project-0", "project-1", "project-2"]);
    const token = await signInToken(server);
    const otherOrigin = { body: { token }, headers: { origin: "https://evil.example" } };
    strictEqual((await client.call("POST", "/session", otherOrigin)).status, 403, "signing in too");
  });
});

Deno.test("requireSameOrigin() accepts pages of the public URL, also if a proxy changes the host", async () => {
  const publicUrl = "https://memory.example";
  await withServer(async (server) => {
    // The Host header is the service's own, as a tunnel sends it.
    const headers = { origin: publicUrl, "sec-fetch-site": "same-origin" };
    const client = new DashboardClient(server);
    const body = { token: await signInToken(server) };
    const { status, headers: reply } = await client.call("POST", "/session", { body, headers });
    strictEqual(status, 200);
    const [cookie] = reply.getSetCookie();
    match(cookie!, /; Secure/);
    const signedIn = { headers, cookie: cookie!.split(";")[0]! };
    const name = (name: string) => ({ body: { name } });
    const created = await client.call("POST", "/projects", { ...signedIn, ...name("shop") });
    strictEqual(created.status, 200, created.text);
    for (const origin of ["https://memory.example:8443", "http://memory.example", "null"]) {
      const foreign = { ...signedIn, headers: { ...headers, origin }, ...name("evil") };
      strictEqual((await client.call("POST", "/projects", foreign)).status, 403, origin);
    }
  }, { publicUrl });
});

Deno.test("sessions do not work as API keys, and API keys do not work as sessions", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const session = client.cookie!.split("=")[1]!;
    const project = await client.project();
    const path = "/v1/memories?limit=1";
    strictEqual((await call(server.url, "GET", path, { key: session })).status, 401);
    const cookie = { key: null, headers: { cookie: client.cookie! } };
    strictEqual((await call(server.url, "GET", path, cookie)).status, 401);

    const key = { cookie: null, headers: { authorization: `Bearer ${KEY}`, origin: server.url } };
    for (const path of ["/session", "/projects", `/projects/${project}/memories`]) {
      const reply = await client.call("GET", path, key);
      deepStrictEqual([reply.status, reply.json.code], [401, "NOT_SIGNED_IN"], path);
    }
    const asCookie = { cookie: `${client.cookie!.split("=")[0]}=${KEY}` };
    strictEqual((await client.call("GET", "/projects", asCookie)).status, 401);
    strictEqual((await client.signIn({ token: KEY })).status, 401);
    strictEqual((await client.signIn({ token: session })).status, 401, "a session is not a link");
  });
});

testSqlite("only hashes of links, sessions and keys are stored", async () => {
  await withServer(async (server) => {
    const used = await signInToken(server);
    const client = new DashboardClient(server);
    await client.signIn({ token: used });
    const unused = await signInToken(server);
    const created = await client.call("POST", `/projects/${await client.project()}/keys`, {
      body: { name: "app" },
    });
    notStrictEqual(created.json.key, undefined);
    const session = client.cookie!.split("=")[1]!;
    await server.stop();
    const stored = readFileSync(join(server.directory, "commonplace.db"), "latin1");
    for (const secret of [used, unused, session, created.json.key, KEY]) {
      ok(!stored.includes(secret), `${secret} is stored`);
    }
    await server.start();
  });
});
