/**
 * Tests that webhooks are signed, in order, delivered at least once, without text, and never to
 * private addresses.
 */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import sql from "sql-template-tag";
import { jsonLog } from "../../src/kernel/log.ts";
import type { Store } from "../../src/store/store.ts";
import { type DispatcherDeps, WebhookDispatcher } from "../../src/hosted/webhook_dispatcher.ts";
import { openEngine } from "../../src/server/engine.ts";
import { databaseEnvironment, testDatabase } from "../../testing/engine.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { freshKey } from "../uploads/files.ts";

const HOSTED = { variant: "hosted", webhooksAllowPrivate: true } as const;

/** A request received by a receiver. */
interface ReceivedDelivery {
  readonly headers: Headers;
  readonly text: string;
  readonly body: { id: string; type: string; project_id: string; data: { id: string } };
}

/** A receiver on this machine. Responds with `statuses` in order, then with 204. */
class Receiver implements AsyncDisposable {
  readonly deliveries: ReceivedDelivery[] = [];
  /** Holds back responses until this promise resolves. */
  gate: Promise<void> = Promise.resolve();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #waiting: { count: number; done: () => void } | null = null;

  constructor(...statuses: number[]) {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const text = await request.text();
        this.deliveries.push({ headers: request.headers, text, body: JSON.parse(text) });
        if (this.#waiting !== null && this.deliveries.length >= this.#waiting.count) {
          this.#waiting.done();
        }
        const status = statuses.shift() ?? 204;
        await this.gate;
        return new Response(null, { status, headers: { location: "/elsewhere" } });
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/hook`;
  }

  /** Resolves once the receiver has got `count` deliveries. */
  async received(count: number): Promise<readonly ReceivedDelivery[]> {
    if (this.deliveries.length < count) {
      await new Promise<void>((done) => this.#waiting = { count, done });
    }
    return this.deliveries;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Creates a webhook. The running server allows private addresses, so the command needs no flag. */
function create(server: TestServer, url: string, ...more: string[]) {
  return server.manage("webhooks", "create", "--project", "default", "--url", url, ...more);
}

function list(server: TestServer) {
  return server.manage("webhooks", "list", "--project", "default");
}

Deno.test("memory changes are delivered in order, signed, and without the text", async () => {
  await using receiver = new Receiver();
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    const webhook = await create(server, receiver.url);
    deepStrictEqual(Object.keys(webhook), ["id", "url", "events", "secret"]);
    const id = await server.add("The cellar door sticks");
    const version = (await server.call("GET", `/v1/memories/${id}`)).json.updated_at;
    await server.call("PUT", `/v1/memories/${id}`, {
      body: { content: "The cellar door is repaired", version },
      headers: freshKey(),
    });
    await server.call("DELETE", `/v1/memories/${id}`);
    const deliveries = await receiver.received(3);
    deepStrictEqual(deliveries.map(({ body }) => body.type), [
      "memory.added",
      "memory.updated",
      "memory.deleted",
    ]);
    for (const { headers, text, body } of deliveries) {
      strictEqual(body.data.id, id);
      strictEqual(headers.get("webhook-id"), body.id);
      match(body.project_id, /^proj_/);
      ok(!text.includes("cellar"));
      const key = webhook.secret.replace("whsec_", "");
      const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
      const expected = createHmac("sha256", Buffer.from(key, "base64")).update(signed).digest(
        "base64",
      );
      strictEqual(headers.get("webhook-signature"), `v1,${expected}`);
    }
    strictEqual(new Set(deliveries.map(({ headers }) => headers.get("webhook-id"))).size, 3);
  }, HOSTED);
});

Deno.test("only subscribed events are delivered, including inference, operation and document events", async () => {
  await using receiver = new Receiver();
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    await create(
      server,
      receiver.url,
      "--events",
      "event.succeeded,operation.succeeded,document.created,document.deleted",
    );
    await server.add("Not subscribed");
    const inferred = await server.call("POST", "/v1/memories", {
      body: { content: "I live in Oslo", user_id: "ana" },
      headers: freshKey(),
    });
    strictEqual((await receiver.received(1))[0]!.body.data.id, inferred.json.event_id);
    const document = await server.call("POST", "/v1/documents", {
      body: { source_key: "a", content: "Tea", user_id: "ana" },
      headers: freshKey(),
    });
    await receiver.received(2);
    await server.call("DELETE", `/v1/documents/${document.json.document.id}`, {
      headers: freshKey(),
    });
    await receiver.received(3);
    await server.call("POST", "/v1/exports", { headers: freshKey() });
    deepStrictEqual((await receiver.received(4)).map(({ body }) => body.type), [
      "event.succeeded",
      "document.created",
      "document.deleted",
      "operation.succeeded",
    ]);
  }, HOSTED);
});

Deno.test("a slow webhook doesn't delay other webhooks", async () => {
  await using slow = new Receiver();
  await using quick = new Receiver();
  const gate = Promise.withResolvers<void>();
  slow.gate = gate.promise;
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    for (const { url } of [slow, quick]) await create(server, url);
    const ids = [];
    for (const text of ["One", "Two", "Three"]) ids.push(await server.add(text));
    const deliveredIds = (received: readonly ReceivedDelivery[]) =>
      received.map(({ body }) => body.data.id);
    deepStrictEqual(deliveredIds(await quick.received(3)), ids);
    deepStrictEqual(deliveredIds(await slow.received(1)), ids.slice(0, 1));
    gate.resolve();
    deepStrictEqual(deliveredIds(await slow.received(3)), ids);
  }, HOSTED);
});

Deno.test("webhooks list shows no secret, and webhooks delete removes the webhook", async () => {
  await using receiver = new Receiver();
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    const { id } = await create(server, receiver.url, "--events", "memory.added");
    const [shown] = await list(server);
    deepStrictEqual(Object.keys(shown), [
      "id",
      "url",
      "events",
      "status",
      "created_at",
      "last_delivery_at",
      "last_status",
    ]);
    deepStrictEqual([shown.status, shown.events, shown.last_status], [
      "active",
      ["memory.added"],
      null,
    ]);
    deepStrictEqual(await server.manage("webhooks", "delete", id), { id, deleted: true });
    deepStrictEqual(await list(server), []);
    await rejects(server.manage("webhooks", "delete", id));
  }, HOSTED);
});

Deno.test("webhooks create rejects a private address", async () => {
  await withServer(async (server) => {
    await rejects(create(server, "http://127.0.0.1/hook"));
    deepStrictEqual(await list(server), []);
  }, { variant: "hosted" });
});

Deno.test("webhooks create allows private addresses through a flag or the environment", async () => {
  await withServer(async (server) => {
    const words = ["webhooks", "create", "--project", "default", "--url", "http://127.0.0.1/hook"];
    for (
      const [more, set] of [
        [["--webhooks-allow-private"], {}],
        [[], { COMMONPLACE_WEBHOOKS_ALLOW_PRIVATE: "on" }],
      ] as const
    ) {
      const environment = {
        COMMONPLACE_DATA: server.directory,
        ...databaseEnvironment(server.directory),
        ...set,
      };
      const ended = await run([...words, ...more, "--json"], { environment });
      strictEqual(ended.code, 0, ended.stderr);
      strictEqual(JSON.parse(ended.stdout).url, "http://127.0.0.1/hook");
    }
  }, { variant: "hosted" });
});

/**
 * Runs a test with a store that contains one webhook and one event, and a dispatcher on a clock
 * controlled by the test.
 *
 * @param prepare adds other webhooks
 */
async function withDispatcher(
  url: string,
  allowPrivate: boolean,
  work: (
    context: {
      dispatchDue: (wrap?: (store: Store) => DispatcherDeps["store"]) => Promise<void>;
      server: TestServer;
      store: Store;
      clock: { at: number };
    },
  ) => Promise<void>,
  prepare: (server: TestServer) => Promise<void> = async () => {},
) {
  await withServer(async (server) => {
    await create(server, url, "--webhooks-allow-private");
    await prepare(server);
    await server.add("Delivered when possible");
    await server.stop();
    const clock = { at: Date.now() };
    const engine = await openEngine(server.directory, testDatabase(server.directory));
    const { store } = engine;
    const running = { now: () => clock.at };
    /** Makes every attempt that's due. `wrap` changes the order of the store's results. */
    const dispatchDue = async (wrap = (unchanged: Store): DispatcherDeps["store"] => unchanged) => {
      const waits = Promise.withResolvers<void>();
      const dispatcher = new WebhookDispatcher({
        store: wrap(store),
        clock: running,
        timers: { after: () => (waits.resolve(), () => {}) },
        log: jsonLog(running, "off", () => {}),
        allowPrivate,
      });
      dispatcher.start();
      await waits.promise;
      await dispatcher.stop();
    };
    await work({ dispatchDue, server, store, clock });
    await engine.close();
    await server.start();
  });
}

Deno.test("a failed delivery is retried after 10 seconds with the same id", async () => {
  await using receiver = new Receiver(500, 302);
  await withDispatcher(receiver.url, true, async ({ dispatchDue, server, clock }) => {
    await dispatchDue();
    strictEqual(receiver.deliveries.length, 1);
    deepStrictEqual((await list(server))[0].last_status, "500");
    clock.at += 9_000;
    await dispatchDue();
    strictEqual(receiver.deliveries.length, 1);
    clock.at += 1_000;
    await dispatchDue();
    // A redirect counts as a failure, and we never request its target.
    strictEqual(receiver.deliveries.length, 2);
    strictEqual((await list(server))[0].last_status, "302");
    clock.at += 30_000;
    await dispatchDue();
    strictEqual(receiver.deliveries.length, 3);
    strictEqual(
      new Set(receiver.deliveries.map(({ headers }) => headers.get("webhook-id"))).size,
      1,
    );
    strictEqual((await list(server))[0].last_status, "204");
  });
});

Deno.test("a delivery that failed while the clock was ahead is retried at once", async () => {
  await using receiver = new Receiver(500);
  await withDispatcher(receiver.url, true, async ({ dispatchDue, clock }) => {
    clock.at += 24 * 3_600_000;
    await dispatchDue();
    clock.at -= 24 * 3_600_000;
    await dispatchDue();
    strictEqual(receiver.deliveries.length, 2);
  });
});

Deno.test("a change that gets the number of another one after a restore has an id of its own", async () => {
  await using receiver = new Receiver();
  await withDispatcher(receiver.url, true, async ({ dispatchDue, store }) => {
    await dispatchDue();
    const restored = [
      sql`update journal set record_id = 'mem_01k8kv8mq0h3x6w2c5b7n9d4ea'`,
      sql`update webhooks set position = 0`,
    ];
    await store.write("maintenance", async (tx) => {
      for (const statement of restored) await tx.run(statement);
    });
    await dispatchDue();
    const ids = receiver.deliveries.map(({ headers }) => headers.get("webhook-id"));
    strictEqual(ids.length, 2);
    strictEqual(new Set(ids).size, 2);
  });
});

Deno.test("an event is delivered once if its delivery ends while due webhooks are being read", async () => {
  await using receiver = new Receiver();
  const gate = Promise.withResolvers<void>();
  receiver.gate = gate.promise;
  await withDispatcher(receiver.url, true, async ({ dispatchDue }) => {
    await dispatchDue((store) => {
      const advanced = Promise.withResolvers<void>();
      let reads = 0;
      // An entry is written while the delivery waits for its response.
      void receiver.received(1).then(() =>
        store.write("rows", (tx) => Promise.resolve(tx.notify("journal")))
      );
      return {
        listen: (channel, listener) => store.listen(channel, listener),
        async read(work) {
          const result = await store.read(work);
          // The first read finds the webhook, the second its event, and the third the webhook again.
          if (++reads === 3) {
            gate.resolve();
            await advanced.promise;
            await new Promise(setImmediate);
          }
          return result;
        },
        async write(owner, work) {
          const result = await store.write(owner, work);
          advanced.resolve();
          return result;
        },
      };
    });
    strictEqual(receiver.deliveries.length, 1);
  });
});

Deno.test("a delivery that can't be recorded is postponed, and doesn't stop other webhooks", async () => {
  await using failing = new Receiver();
  await using other = new Receiver();
  const gate = Promise.withResolvers<void>();
  other.gate = gate.promise;
  let writes = 0;
  await withDispatcher(failing.url, true, async ({ dispatchDue }) => {
    await dispatchDue((store) => ({
      listen: (channel, listener) => store.listen(channel, listener),
      read: (work) => store.read(work),
      write(owner, work) {
        // The first write is that of `failing`: the other one still waits for its response.
        if (writes++ > 0) return store.write(owner, work);
        gate.resolve();
        return Promise.reject(new Error("The disk is full"));
      },
    }));
    strictEqual(failing.deliveries.length, 1);
    strictEqual(other.deliveries.length, 2);
    await dispatchDue();
    strictEqual(failing.deliveries.length, 3, "both events, the first one again");
    strictEqual(other.deliveries.length, 2);
  }, async (server) => {
    await create(server, other.url, "--webhooks-allow-private");
    await server.add("Before");
  });
});

Deno.test("a new webhook doesn't wait for webhooks that have delivered before", async () => {
  await using old = new Receiver();
  await using fresh = new Receiver();
  const gate = Promise.withResolvers<void>();
  old.gate = gate.promise;
  await withDispatcher(old.url, true, async ({ dispatchDue }) => {
    const dispatched = dispatchDue();
    await fresh.received(1);
    ok(old.deliveries.length <= 16, "it is among the first that run at the same time");
    gate.resolve();
    await dispatched;
  }, async (server) => {
    await server.records(sql`with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < 32)
      insert into webhooks (project, id, url, secret, events, created_at, position,
        last_delivery_at)
      select project, id || n, url, secret, events, created_at, position, created_at
      from webhooks, numbers`);
    await create(server, fresh.url, "--webhooks-allow-private");
  });
});

Deno.test("a webhook is disabled after three days of failures, and health shows a warning", async () => {
  await using receiver = new Receiver(500, 500, 500);
  await withDispatcher(receiver.url, true, async ({ dispatchDue, server, store, clock }) => {
    await dispatchDue();
    clock.at += 3 * 24 * 3_600_000;
    await dispatchDue();
    strictEqual((await list(server))[0].status, "active", "the service wasn't running");
    await store.write(1, (tx) => tx.run(sql`update webhooks set failures = 59`));
    clock.at += 3_600_000;
    await dispatchDue();
    strictEqual((await list(server))[0].status, "disabled");
    clock.at += 3_600_000;
    await dispatchDue();
    strictEqual(receiver.deliveries.length, 3);
    await server.start();
    strictEqual((await server.call("GET", "/v1/health")).json.warnings.last_24h, 1);
    await server.stop();
  });
});

for (const host of ["127.0.0.1", "localhost"]) {
  Deno.test(`a webhook to ${host} is not called unless private addresses are allowed`, async () => {
    await using receiver = new Receiver();
    const url = receiver.url.replace("127.0.0.1", host);
    await withDispatcher(url, false, async ({ dispatchDue, server }) => {
      await dispatchDue();
      strictEqual(receiver.deliveries.length, 0);
      strictEqual((await list(server))[0].last_status, "private address");
    });
  });
}
