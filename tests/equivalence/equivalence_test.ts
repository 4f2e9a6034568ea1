/**
 * Sends the same requests to a service on SQLite and to one on PostgreSQL, with the same clock and
 * the same ids. All responses must be equal, byte for byte. COMMONPLACE_EQUIVALENCE_REQUESTS sets
 * how many.
 */

import { deepStrictEqual, ok } from "node:assert/strict";
import sql from "sql-template-tag";
import { createApp } from "../../src/http/app.ts";
import { jsonLog } from "../../src/kernel/log.ts";
import { bootstrap } from "../../src/server/bootstrap.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { openEngine } from "../../src/server/engine.ts";
import { closeServices, MANAGEMENT_OPTIONS, openServices } from "../../src/server/services.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { startPostgres } from "../../testing/postgres.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";
import { type GeneratedRequest, generateRequest, type Known } from "./requests.ts";

const REQUESTS = Number(Deno.env.get("COMMONPLACE_EQUIVALENCE_REQUESTS") ?? 400);
const SEED = 20_712;
const KEY = "cpl_key-of-both-services";
const START = Date.parse("2026-03-01T00:00:00.000Z");

/** Number of requests after which the recorded reads are written. */
const FLUSH_EVERY = 25;

/** Headers that clients rely on. */
const HEADERS = ["content-type", "etag", "location", "idempotency-replayed", "retry-after"];

interface Service {
  send(request: GeneratedRequest): Promise<{ readonly status: number; readonly text: string }>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a service whose time advances with each request. Nothing runs in the background. */
async function openService(database?: PgAddress): Promise<Service> {
  const directory = makeTempDirSync();
  const engine = await openEngine(directory, database);
  // Cursors are signed with it.
  await engine.store.write(
    "maintenance",
    (tx) => tx.run(sql`insert into meta (name, value) values ('secret', ${"0".repeat(64)})`),
  );
  await engine.close();
  let now = START;
  const random = new SeededRandom(1);
  const clock = { now: () => now };
  const services = await openServices(directory, {
    ...MANAGEMENT_OPTIONS,
    searchMemoryBytes: 2 ** 24,
    database,
    clock,
    random: () => random.next(),
  });
  await bootstrap(services, KEY);
  const app = createApp({
    ...services,
    log: jsonLog(clock, "off", () => {}),
    endpoints: endpointsOf(services),
    mounts: [],
    version: "1.0.0",
    metrics: null,
    state: () => "ready",
  });
  return {
    async send({ method, path, body, key }) {
      now += 7;
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const response = await app.fetch(request, { address: "127.0.0.1" });
      const headers = HEADERS.map((name) => `${name}: ${response.headers.get(name)}`);
      const text = await response.text();
      return { status: response.status, text: `${headers.join("\n")}\n${text}` };
    },
    flush: () => services.access.flush(),
    async close() {
      await closeServices(services);
      await rm(directory);
    },
  };
}

/** Notes what later requests can refer to. */
function note(known: Known, { method, path }: GeneratedRequest, text: string): void {
  for (const [id, kind] of text.matchAll(/\b(mem|doc|event)_[0-9a-z]{26}\b/g)) {
    const ids = { mem: known.memories, doc: known.documents, event: known.events }[kind!]!;
    if (!ids.includes(id)) ids.push(id);
  }
  if (method !== "GET" || !path.startsWith("/v1/memories?")) return;
  const [, cursor] = /"next_cursor":"([^"]+)"/.exec(text) ?? [];
  known.cursor = cursor ?? known.cursor;
}

testWith(
  ["initdb", "setpriv"],
  `${REQUESTS} requests get the same responses on SQLite and on PostgreSQL`,
  async () => {
    const server = await startPostgres();
    const [sqlite, postgres] = [await openService(), await openService(server.newSchema())];
    try {
      const random = new SeededRandom(SEED);
      const known: Known = { memories: [], documents: [], events: [], cursor: null };
      const statuses = new Map<number, number>();
      for (let count = 1; count <= REQUESTS; count++) {
        const request = generateRequest(random, known);
        const [expected, actual] = [await sqlite.send(request), await postgres.send(request)];
        deepStrictEqual({ count, request, ...actual }, { count, request, ...expected });
        ok(expected.status < 500, expected.text);
        statuses.set(expected.status, (statuses.get(expected.status) ?? 0) + 1);
        note(known, request, expected.text);
        if (count % FLUSH_EVERY === 0) await Promise.all([sqlite.flush(), postgres.flush()]);
      }
      // Most requests do something.
      ok((statuses.get(200) ?? 0) > REQUESTS * 0.6, JSON.stringify([...statuses]));
    } finally {
      await sqlite.close();
      await postgres.close();
      await server.close();
    }
  },
);
