/** Tests for GET /v1/state and /v1/state/history, with inferred and verbatim memories. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { inferMemories } from "../inference_service/provider.ts";
import { getView, waitUntilDerived } from "./views.ts";

const HOME = { subject: "user", attribute: "lives_in" };

async function addTwoHomes(server: TestServer): Promise<string[]> {
  const ids = [
    await server.add("I live in Lisbon.", { user_id: "ana", event_date: "2020-01-01" }),
    await server.add("I live in Porto.", { user_id: "ana", event_date: "2024-05-01" }),
  ];
  await waitUntilDerived(server);
  return ids;
}

Deno.test("GET /v1/state returns current and past values from verbatim memories", async () => {
  await withServer(async (server) => {
    const [lisbon, porto] = await addTwoHomes(server);
    const now = (await getView(server, "state", HOME)).json.data;
    match(now.id, /^state_/);
    const { id: _, ...record } = now;
    deepStrictEqual(record, {
      ...HOME,
      value: "Porto",
      valid_from: "2024-05-01T00:00:00.000Z",
      valid_to: null,
      superseded_by: null,
      source_ids: [porto],
    });
    const then = await getView(server, "state", { ...HOME, as_of: "2022-01-01" });
    deepStrictEqual([then.json.data.value, then.json.data.source_ids], ["Lisbon", [lisbon]]);
    strictEqual(then.json.data.superseded_by, now.id);
    const before = await getView(server, "state", { ...HOME, as_of: "2019-01-01" });
    strictEqual(before.json.data, null);
    const history = (await getView(server, "state/history", HOME)).json.data;
    deepStrictEqual(history.map(({ value }: { value: string }) => value), ["Lisbon", "Porto"]);
    strictEqual(history[0].valid_to, "2024-05-01T00:00:00.000Z");
    const early = await getView(server, "state/history", { ...HOME, as_of: "2022-01-01" });
    strictEqual(early.json.data.length, 1);
  });
});

Deno.test("GET /v1/state normalizes the subject, and returns null or an empty list if there is no claim", async () => {
  await withServer(async (server) => {
    await addTwoHomes(server);
    strictEqual(
      (await getView(server, "state", { ...HOME, subject: "User" })).json.data.value,
      "Porto",
    );
    const other = { ...HOME, attribute: "works_at" };
    deepStrictEqual((await getView(server, "state", other)).json, { data: null });
    deepStrictEqual((await getView(server, "state/history", other)).json, { data: [] });
    strictEqual((await getView(server, "state", { ...HOME, user_id: "bo" })).json.data, null);
  });
});

Deno.test("GET /v1/state drops values whose memories were deleted or changed", async () => {
  await withServer(async (server) => {
    const [lisbon, porto] = await addTwoHomes(server);
    await server.call("DELETE", `/v1/memories/${porto}`);
    strictEqual((await getView(server, "state", HOME)).json.data.value, "Lisbon");
    await server.call("PUT", `/v1/memories/${lisbon}`, { body: { content: "I live in Braga." } });
    await waitUntilDerived(server);
    const { data } = (await getView(server, "state/history", HOME)).json;
    deepStrictEqual(data.map(({ value }: { value: string }) => value), ["Braga"]);
    await server.call("DELETE", "/v1/memories?user_id=ana");
    deepStrictEqual((await getView(server, "state/history", HOME)).json.data, []);
  });
});

Deno.test("GET /v1/state includes an inferred correction as soon as its event has succeeded", async () => {
  await withServer(async (server) => {
    await addTwoHomes(server);
    const event = await inferMemories(server.call, "I moved to Faro.", {
      user_id: "ana",
      event_date: "2026-02-01",
    });
    const { data } = (await getView(server, "state", HOME)).json;
    deepStrictEqual([data.value, data.source_ids], ["Faro", [event.results[0].id]]);
    const history = (await getView(server, "state/history", HOME)).json.data;
    deepStrictEqual(
      history.map(({ value, valid_to }: { value: string; valid_to: string }) => [value, valid_to]),
      [
        ["Lisbon", "2024-05-01T00:00:00.000Z"],
        ["Porto", "2026-02-01T00:00:00.000Z"],
        ["Faro", null],
      ],
    );
  });
});

Deno.test("GET /v1/state/history has no gaps between undated values", async () => {
  await withServer(async (server) => {
    const texts = ["I live in Berlin.", "I live in Madrid now.", "I live in Rome now."];
    // The adds run concurrently, so a memory may be requested before the one it replaces has been
    // written.
    await Promise.all(texts.map((text) => inferMemories(server.call, text, { user_id: "ana" })));
    await waitUntilDerived(server);
    const { data } = (await getView(server, "state/history", HOME)).json;
    strictEqual(data.length, 3);
    for (const [index, { value, valid_from, valid_to }] of data.entries()) {
      strictEqual(valid_to, data[index + 1]?.valid_from ?? null);
      if (valid_to === null || valid_to === valid_from) continue;
      const then = (await getView(server, "state", { ...HOME, as_of: valid_from })).json.data;
      strictEqual(then.value, value);
    }
    const memories = (await server.call("GET", "/v1/memories?user_id=ana")).json.results;
    // A fact that is written after later ones is valid from when it was stated.
    for (const { created_at, valid_from, valid_to } of memories) {
      ok(valid_to === null || valid_to >= (valid_from ?? created_at));
    }
  });
});

Deno.test("GET /v1/state returns 409 if disabled, and rebuilds the views when enabled again", async () => {
  await withServer(async (server) => {
    await addTwoHomes(server);
    const shown = await server.manage("projects", "derivation", "default", "off");
    strictEqual(shown.derivation, "off");
    for (const path of ["state", "state/history"]) {
      const refused = await getView(server, path, HOME);
      deepStrictEqual([refused.status, refused.json.code], [409, "DERIVATION_DISABLED"]);
    }
    await server.add("I live in Evora.", { user_id: "ana" });
    const { json } = await server.call("GET", "/v1/health");
    strictEqual(json.projections.derived_pending, 0);
    await server.manage("projects", "derivation", "default", "on");
    const early = await getView(server, "state", HOME);
    if (early.status !== 200) {
      strictEqual(early.json.code, "PROJECTION_NOT_BUILT");
      ok(Number(early.headers.get("retry-after")) >= 1);
    }
    await waitUntilDerived(server);
    strictEqual((await getView(server, "state", HOME)).json.data.value, "Evora");
    const operations = await server.call("GET", "/v1/operations?kind=rebuild&status=success");
    strictEqual(operations.json.results.length, 1);
  });
});

Deno.test("GET /v1/state includes a project's first inferred memory once its event has succeeded", async () => {
  await withServer(async (server) => {
    await inferMemories(server.call, "I live in Porto.", { user_id: "ana" });
    const { status, json } = await getView(server, "state", HOME);
    strictEqual(status, 200, json.message);
    strictEqual(json.data.value, "Porto");
  });
});

Deno.test("GET /v1/state returns 409 with Retry-After until the views have been built", async () => {
  await withServer(async (server) => {
    deepStrictEqual((await getView(server, "state", HOME)).json, { data: null });
    await server.add("I live in Porto.");
    const early = await getView(server, "state", HOME);
    if (early.status !== 200) {
      deepStrictEqual([early.status, early.json.code], [409, "PROJECTION_NOT_BUILT"]);
      strictEqual(early.headers.get("retry-after"), "1");
    }
    await waitUntilDerived(server);
    strictEqual((await getView(server, "state", HOME)).json.data.value, "Porto");
  });
});

Deno.test("GET /v1/state requires a scope, a subject and an attribute, and is limited to the project", async () => {
  await withServer(async (server) => {
    await addTwoHomes(server);
    for (const path of ["state", "state/history"]) {
      const refused = await server.call("GET", `/v1/${path}?user_id=ana&subject=user`);
      strictEqual(refused.status, 400);
      strictEqual(refused.json.details.issues[0].path, "attribute");
      const stranger = await server.createKey("other");
      const other = await getView(server, path, HOME, stranger);
      deepStrictEqual(other.json.data, path === "state" ? null : []);
      const writer = await server.createKey("default", "memory:write");
      strictEqual((await getView(server, path, HOME, writer)).json.code, "PERMISSION_DENIED");
    }
  });
});

Deno.test("GET /v1/state ends a marriage at a divorce that doesn't name the spouse", async () => {
  await withServer(async (server) => {
    const spouse = { subject: "user", attribute: "spouse" };
    await server.add("My wife is called Amara.", { user_id: "ana", event_date: "2020-01-01" });
    await server.add("I got divorced.", { user_id: "ana", event_date: "2024-05-01" });
    await inferMemories(server.call, ["My husband is called Tom."], {
      user_id: "bo",
      event_date: "2020-01-01",
    });
    await inferMemories(server.call, ["We got divorced."], {
      user_id: "bo",
      event_date: "2024-05-01",
    });
    await waitUntilDerived(server);
    for (const [user_id, name] of [["ana", "Amara"], ["bo", "Tom"]] as const) {
      strictEqual((await getView(server, "state", { ...spouse, user_id })).json.data, null);
      const history = (await getView(server, "state/history", { ...spouse, user_id })).json.data;
      deepStrictEqual(
        history.map((one: Record<string, unknown>) => [one["value"], one["valid_to"]]),
        [[name, "2024-05-01T00:00:00.000Z"]],
      );
    }
  });
});
