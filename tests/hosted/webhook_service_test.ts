/** Tests which URLs and events a webhook accepts. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { EVENT_TYPES } from "../../src/hosted/webhooks.ts";
import { ManagementError } from "../../src/projects/schema.ts";
import { closeServices, openServices, type Services } from "../../src/server/services.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

interface Wanted {
  readonly url: string;
  readonly events?: readonly string[];
  readonly allowPrivate?: boolean;
}

type Create = (wanted: Wanted) => ReturnType<Services["webhooks"]["create"]>;

/** Runs a test with the webhook service for a fresh project. */
async function withWebhooks(
  work: (create: Create, list: () => ReturnType<Services["webhooks"]["list"]>) => Promise<void>,
): Promise<void> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const { webhooks, projects, appContext: { store } } = services;
  try {
    const project = await store.write("maintenance", (tx) => projects.create(tx, "default"));
    const create: Create = (wanted) =>
      store.write(
        "maintenance",
        (tx) => webhooks.create(tx, project, { allowPrivate: false, ...wanted }),
      );
    await work(create, () => store.read((db) => webhooks.list(db, project)));
  } finally {
    await closeServices(services);
    await rm(directory);
  }
}

const REFUSED: readonly (readonly [why: string, wanted: Wanted])[] = [
  ["a private address", { url: "http://127.0.0.1/hook" }],
  ["a private address in IPv6", { url: "http://[::ffff:10.0.0.1]/hook" }],
  ["the cloud metadata address", { url: "http://169.254.169.254/latest" }],
  ["a URL that is not http or https", { url: "ftp://example.com/" }],
  ["text that is not a URL", { url: "example.com" }],
  ["a password", { url: "https://a:b@example.com/" }],
  ["a URL over 2,000 characters", { url: `https://example.com/${"x".repeat(2_000)}` }],
  ["an unknown event", { url: "https://example.com/", events: ["memory.seen"] }],
  ["an empty event list", { url: "https://example.com/", events: [] }],
];

Deno.test("WebhookService.create() rejects URLs and events that are not allowed", async (t) => {
  await withWebhooks(async (create, list) => {
    for (const [why, wanted] of REFUSED) {
      await t.step(why, () => rejects(create(wanted), ManagementError));
    }
    deepStrictEqual(await list(), []);
  });
});

Deno.test("WebhookService.create() subscribes to all events by default, and to each event only once", async () => {
  await withWebhooks(async (create, list) => {
    const all = await create({ url: "https://example.com/" });
    deepStrictEqual(all.events, Object.values(EVENT_TYPES));
    const events = ["memory.added", "memory.added"];
    deepStrictEqual((await create({ url: "https://example.com/", events })).events, [events[0]]);
    strictEqual((await list()).length, 2);
  });
});

Deno.test("WebhookService.create() accepts a private address if private addresses are allowed", async () => {
  await withWebhooks(async (create) => {
    const url = "http://127.0.0.1/hook";
    strictEqual((await create({ url, allowPrivate: true })).url, url);
  });
});
