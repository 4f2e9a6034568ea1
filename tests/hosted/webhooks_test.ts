/** Webhooks: signed, in order, at least once, never text, and nowhere they must not reach. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { jsonLog } from "../../src/kernel/log.ts";
import { WebhookDispatcher } from "../../src/hosted/webhook_dispatcher.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { freshKey } from "../uploads/files.ts";

const HOSTED = { variant: "hosted", webhooksAllowPrivate: true } as const;

/** What a receiver was sent. */
interface Received {
  readonly headers: Headers;
  readonly text: string;
  readonly body: { id: string; type: string; project_id: string; data: { id: string } };
}

/** A receiver on this machine; `statuses` are its first answers, then it answers 204. */
class Receiver implements AsyncDisposable {
  readonly got: Received[] = [];
  /** Nothing is answered before. */
  answering: Promise<void> = Promise.resolve();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #waiting: { count: number; done: () => void } | null = null;

  constructor(...statuses: number[]) {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const text = await request.text();
        this.got.push({ headers: request.headers, text, body: JSON.parse(text) });
        if (this.#waiting !== null && this.got.length >= this.#waiting.count) this.#waiting.done();
        const status = statuses.shift() ?? 204;
        await this.answering;
        return new Response(null, { status, headers: { location: "/elsewhere" } });
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/hook`;
  }

  /** Resolves once so many deliveries have come. */
  async received(count: number): Promise<readonly Received[]> {
    if (this.got.length < count) {
      await new Promise<void>((done) => this.#waiting = { count, done });
    }
    return this.got;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** The running server allows private addresses, so that the command needs no flag for them. */
function create(server: TestServer, url: string, ...more: string[]) {
  return server.manage("webhooks", "create", "--project", "default", "--url", url, ...more);
}

function list(server: TestServer) {
  return server.manage("webhooks", "list", "--project", "default");
}

Deno.test("what happens to a memory is told in order, signed, and without its text", async () => {
  await using receiver = new Receiver();
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    const webhook = await create(server, receiver.url);
    deepStrictEqual(Object.keys(webhook), ["id", "url", "events", "secret"]);
    const id = await server.add("The cellar door sticks");
    const version = (await server.call("GET", `/v1/memories/${id}`)).json.updated_at;
    await server.call("PUT", `/v1/memories/${id}`, {
      body: { content: "The cellar door is mended", version },
      headers: freshKey(),
    });
    await server.call("DELETE", `/v1/memories/${id}`);
    const told = await receiver.received(3);
    deepStrictEqual(told.map(({ body }) => body.type), [
      "memory.added",
      "memory.updated",
      "memory.deleted",
    ]);
    for (const { headers, text, body } of told) {
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
    strictEqual(new Set(told.map(({ headers }) => headers.get("webhook-id"))).size, 3);
  }, HOSTED);
});

Deno.test("only wanted events are told, of inference, operations and documents too", async () => {
  await using receiver = new Receiver();
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    await create(
      server,
      receiver.url,
      "--events",
      "event.succeeded,operation.succeeded,document.created,document.deleted",
    );
    await server.add("Not told");
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

Deno.test("a webhook that takes its time to answer keeps no other waiting", async () => {
  await using slow = new Receiver();
  await using quick = new Receiver();
  const answering = Promise.withResolvers<void>();
  slow.answering = answering.promise;
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "100");
    for (const { url } of [slow, quick]) await create(server, url);
    const ids = [];
    for (const text of ["One", "Two", "Three"]) ids.push(await server.add(text));
    const told = (received: readonly Received[]) => received.map(({ body }) => body.data.id);
    deepStrictEqual(told(await quick.received(3)), ids);
    deepStrictEqual(told(await slow.received(1)), ids.slice(0, 1));
    answering.resolve();
    deepStrictEqual(told(await slow.received(3)), ids);
  }, HOSTED);
});

Deno.test("a webhook is shown without its secret, and is gone once deleted", async () => {
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

for (
  const [why, ...words] of [
    ["a private address", "--url", "http://127.0.0.1/hook"],
    ["a private address in IPv6", "--url", "http://[::ffff:10.0.0.1]/hook"],
    ["the address of cloud metadata", "--url", "http://169.254.169.254/latest"],
    ["what is no web address", "--url", "ftp://example.com/"],
    ["a password", "--url", "https://a:b@example.com/"],
    ["a URL without end", "--url", `https://example.com/${"x".repeat(2_000)}`],
    ["an unknown event", "--url", "https://example.com/", "--events", "memory.seen"],
  ] as const
) {
  Deno.test(`a webhook with ${why} is refused`, async () => {
    await withServer(async (server) => {
      await rejects(server.manage("webhooks", "create", "--project", "default", ...words));
      deepStrictEqual(await list(server), []);
    }, { variant: "hosted" });
  });
}

Deno.test("private addresses are allowed by a flag or the environment too, as for the server", async () => {
  await withServer(async (server) => {
    const words = ["webhooks", "create", "--project", "default", "--url", "http://127.0.0.1/hook"];
    for (
      const [more, set] of [
        [["--webhooks-allow-private"], {}],
        [[], { COMMONPLACE_WEBHOOKS_ALLOW_PRIVATE: "on" }],
      ] as const
    ) {
      const environment = { COMMONPLACE_DATA: server.directory, ...set };
      const ended = await run([...words, ...more, "--json"], { environment });
      strictEqual(ended.code, 0, ended.stderr);
      strictEqual(JSON.parse(ended.stdout).url, "http://127.0.0.1/hook");
    }
  }, { variant: "hosted" });
});

/** A store with one webhook and one event, and a postman whose clock is in the test's hands. */
async function withPostman(
  url: string,
  allowPrivate: boolean,
  work: (
    post: { postman: () => Promise<void>; server: TestServer; clock: { at: number } },
  ) => Promise<void>,
) {
  await withServer(async (server) => {
    await create(server, url, "--webhooks-allow-private");
    await server.add("Told when it can be");
    await server.stop();
    const clock = { at: Date.now() };
    const store = new SqliteStore(server.directory);
    const running = { now: () => clock.at };
    /** One round: every attempt that is due now. */
    const postman = async () => {
      const waits = Promise.withResolvers<void>();
      const one = new WebhookDispatcher({
        store,
        clock: running,
        timers: { after: () => (waits.resolve(), () => {}) },
        log: jsonLog(running, "off", () => {}),
        allowPrivate,
      });
      one.start();
      await waits.promise;
      await one.stop();
    };
    await work({ postman, server, clock });
    await store.close();
    await server.start();
  });
}

Deno.test("what is not taken is tried again after 10 seconds, as the same message", async () => {
  await using receiver = new Receiver(500, 302);
  await withPostman(receiver.url, true, async ({ postman, server, clock }) => {
    await postman();
    strictEqual(receiver.got.length, 1);
    deepStrictEqual((await list(server))[0].last_status, "500");
    clock.at += 9_000;
    await postman();
    strictEqual(receiver.got.length, 1);
    clock.at += 1_000;
    await postman();
    // A redirect is no delivery, and nothing is asked of where it leads.
    strictEqual(receiver.got.length, 2);
    strictEqual((await list(server))[0].last_status, "302");
    clock.at += 30_000;
    await postman();
    strictEqual(receiver.got.length, 3);
    strictEqual(new Set(receiver.got.map(({ headers }) => headers.get("webhook-id"))).size, 1);
    strictEqual((await list(server))[0].last_status, "204");
  });
});

Deno.test("after three days of failures a webhook is disabled, and health warns", async () => {
  await using receiver = new Receiver(500, 500);
  await withPostman(receiver.url, true, async ({ postman, server, clock }) => {
    await postman();
    clock.at += 3 * 24 * 3_600_000;
    await postman();
    strictEqual((await list(server))[0].status, "disabled");
    clock.at += 3_600_000;
    await postman();
    strictEqual(receiver.got.length, 2);
    await server.start();
    strictEqual((await server.call("GET", "/v1/health")).json.warnings.last_24h, 1);
    await server.stop();
  });
});

for (const host of ["127.0.0.1", "localhost"]) {
  Deno.test(`${host} is not called where that is not allowed`, async () => {
    await using receiver = new Receiver();
    const url = receiver.url.replace("127.0.0.1", host);
    await withPostman(url, false, async ({ postman, server }) => {
      await postman();
      strictEqual(receiver.got.length, 0);
      strictEqual((await list(server))[0].last_status, "private address");
    });
  });
}
