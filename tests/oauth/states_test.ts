/** States of connections and tokens, and how they end with time. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { parseAuthorizationRequest } from "../../src/connections/authorization_request.ts";
import { connectionJobs } from "../../src/connections/maintenance.ts";
import { ClientRegistry } from "../../src/connections/clients.ts";
import { ConnectionService, endConnection } from "../../src/connections/service.ts";
import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  type Transition,
  TRANSITIONS,
} from "../../src/connections/states.ts";
import { TokenService } from "../../src/connections/token_service.ts";
import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import type { TaskContext } from "../../src/tasks/handler.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const BASE = "http://127.0.0.1:8420";
const REDIRECT = "https://chat.example/callback";
const VERIFIER = "v".repeat(43);
const MINUTE_MS = 60_000;
const CALL = { base: BASE, requestId: "req_test" };

/** The rules of connections on a real database, with a clock controlled by the test. */
async function withConnections(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  try {
    await work(await createFixture(services));
  } finally {
    await closeServices(services);
    await rm(directory);
  }
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

async function createFixture(services: Awaited<ReturnType<typeof openServices>>) {
  let now = services.appContext.clock.now();
  const appContext = { ...services.appContext, clock: { now: () => now } };
  const { store } = appContext;
  const clients = new ClientRegistry(appContext);
  const connections = new ConnectionService(appContext);
  const tokens = new TokenService(appContext);
  const project = await store.write("projects", (tx) => services.projects.create(tx, "default"));
  const context = {
    signal: new AbortController().signal,
    commit: <T>(work: Parameters<typeof store.write<T>>[1]) => store.write("maintenance", work),
  } as unknown as TaskContext;
  const client = await clients.register({ name: "Chat", redirectUris: [REDIRECT] });
  return {
    appContext,
    clients,
    connections,
    tokens,
    client,
    project,
    pass: (milliseconds: number) => void (now += milliseconds),
    /** Approves a request and returns the code. */
    async approve(): Promise<string> {
      const search = new URLSearchParams({
        response_type: "code",
        client_id: client.id,
        redirect_uri: REDIRECT,
        code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
        code_challenge_method: "S256",
      });
      const request = await parseAuthorizationRequest(search, BASE, (id) => clients.find(id));
      const grant = { project, permissions: request.permissions, fixed: {} };
      return await connections.approve(request, grant, "req_test");
    },
    redeem: (code: string) =>
      tokens.redeem({
        code,
        clientId: client.id,
        redirectUri: REDIRECT,
        verifier: VERIFIER,
        resource: undefined,
      }, CALL),
    refresh: (refreshToken: string) =>
      tokens.refresh({
        refreshToken,
        clientId: client.id,
        resource: undefined,
        scope: undefined,
      }, CALL),
    newest: async () => (await store.read((db) => connections.list(db, project)))[0]!,
    force: (id: string, status: ConnectionStatus) =>
      store.write("maintenance", (tx) =>
        tx.run(sql`update connections set status = ${status}
          where project = ${project.number} and id = ${id}`)),
    /** Runs the hourly cleanup. */
    async cleanUp(): Promise<void> {
      for (const job of connectionJobs(appContext, clients)) await job.run(context);
    },
  };
}

Deno.test("a connection makes only the transitions that are in the table", async () => {
  await withConnections(async (fixture) => {
    const { appContext: { store, clock }, project } = fixture;
    const found = new Set<string>();
    for (const status of CONNECTION_STATUSES) {
      const commands: Readonly<Record<Transition, (id: string, code: string) => Promise<unknown>>> =
        {
          redeem: (_, code) => fixture.redeem(code),
          revoke: (id) =>
            store.write(project.number, (tx) => fixture.connections.revoke(tx, id, project)),
          expire: (id) =>
            store.write(
              project.number,
              (tx) => endConnection(tx, { project: project.number, id }, "expiry", clock.now()),
            ),
        };
      for (const [transition, command] of Object.entries(commands)) {
        const code = await fixture.approve();
        const { id } = await fixture.newest();
        await fixture.force(id, status);
        await command(id, code).catch(() => undefined);
        const after = (await fixture.newest()).status;
        if (after !== status) found.add(`${transition}: ${status} -> ${after}`);
      }
    }
    const expected = Object.entries(TRANSITIONS).flatMap(([name, { from, to }]) =>
      from.map((start) => `${name}: ${start} -> ${to}`)
    );
    deepStrictEqual([...found].sort(), expected.sort());
  });
});

Deno.test("codes last a minute, access tokens an hour, and refresh tokens 90 days", async () => {
  await withConnections(async (fixture) => {
    const codeOf = (error: { code: string }) => error.code;
    const late = await fixture.approve();
    fixture.pass(60_000);
    strictEqual(await fixture.redeem(late).then(() => "", codeOf), "invalid_grant");
    const code = await fixture.approve();
    fixture.pass(59_999);
    const { access_token, refresh_token } = await fixture.redeem(code);
    const isValid = async () =>
      await fixture.connections.findPrincipal(access_token, `${BASE}/mcp`) !== undefined;
    fixture.pass(HOUR_MS - 1);
    ok(await isValid());
    fixture.pass(1);
    ok(!await isValid());
    fixture.pass(90 * DAY_MS - HOUR_MS - 1);
    const renewed = await fixture.refresh(refresh_token);
    fixture.pass(90 * DAY_MS);
    const refused = await fixture.refresh(renewed.refresh_token).then(() => "", codeOf);
    strictEqual(refused, "invalid_grant");
  });
});

Deno.test("hourly cleanup expires connections without tokens, and deletes what is old", async () => {
  await withConnections(async (fixture) => {
    const { appContext: { store } } = fixture;
    await fixture.redeem(await fixture.approve());
    await fixture.cleanUp();
    strictEqual((await fixture.newest()).status, "active");
    fixture.pass(90 * DAY_MS);
    await fixture.cleanUp();
    const ended = await fixture.newest();
    deepStrictEqual([ended.status, ended.ended_by], ["expired", "expiry"]);
    fixture.pass(91 * DAY_MS);
    await fixture.cleanUp();
    strictEqual(await fixture.newest(), undefined);
    fixture.pass(365 * DAY_MS);
    await fixture.cleanUp();
    const left = await store.read((db) =>
      db.first<{ tokens: number; events: number }>(sql`select
        (select count(*) from connection_tokens) as tokens,
        (select count(*) from audit_log) as events`)
    );
    deepStrictEqual(left, { tokens: 0, events: 0 });
  });
});

Deno.test("a registration expires after 24 hours, unless the owner has approved it", async () => {
  await withConnections(async (fixture) => {
    const metadata = { name: "Other", redirectUris: [REDIRECT] };
    const other = await fixture.clients.register(metadata);
    await fixture.approve();
    fixture.pass(DAY_MS - 1);
    ok(await fixture.clients.find(other.id) !== undefined);
    fixture.pass(1);
    strictEqual(await fixture.clients.find(other.id), undefined);
    await fixture.cleanUp();
    strictEqual((await fixture.clients.find(fixture.client.id))?.known, true);
  });
});

Deno.test("a new registration replaces the oldest one beyond 1,000, but none that the owner has approved or is asked about", async () => {
  await withConnections(async (fixture) => {
    const { clients, appContext: { store } } = fixture;
    const register = async () => (await clients.register({ name: "X", redirectUris: [] })).id;
    const isKept = async (id: string) => await clients.find(id) !== undefined;
    const connected = fixture.client.id;
    await fixture.redeem(await fixture.approve());
    const [oldest, awaited] = [await register(), await register()];
    // The page that asks can be shown by another process.
    await new ClientRegistry(fixture.appContext).recordConsentRequest(awaited);
    fixture.pass(1);
    for (let n = 2; n < 1_000; n++) await register();
    ok(await isKept(oldest));
    for (let n = 0; n < 1_000; n++) await register();
    deepStrictEqual(
      [await isKept(oldest), await isKept(awaited), await isKept(connected)],
      [false, true, true],
    );
    const { unused } = (await store.queryOne<{ unused: number }>(
      sql`select count(*) as unused from oauth_clients where used_at is null`,
    ))!;
    strictEqual(unused, 1_000);
    fixture.pass(10 * 60_000);
    await register();
    ok(!await isKept(awaited), "the owner had ten minutes to decide");
  });
});

Deno.test("openRegistration() opens registration for two minutes, in all processes", async () => {
  await withConnections(async ({ clients, appContext, pass }) => {
    strictEqual(await clients.isRegistrationOpen(), false);
    const other = new ClientRegistry(appContext);
    await other.openRegistration();
    for (let minute = 0; minute < 4; minute++) {
      strictEqual(await clients.isRegistrationOpen(), true);
      pass(MINUTE_MS);
      await other.openRegistration();
    }
    pass(2 * MINUTE_MS - 1);
    strictEqual(await clients.isRegistrationOpen(), true);
    pass(1);
    strictEqual(await clients.isRegistrationOpen(), false);
  });
});
