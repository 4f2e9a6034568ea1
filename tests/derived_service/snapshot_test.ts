/** Makes sure that derived views survive an export and import unchanged. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { factsCompletion, inferMemories, withProvider } from "../inference_service/provider.ts";
import { getView, waitUntilDerived } from "./views.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const SLOTS = [["user", "lives_in"], ["user", "speaks"], ["klara", "works_at"]] as const;

/** Returns everything the views contain about ana. */
async function readViews(server: TestServer) {
  await waitUntilDerived(server);
  const replies = [await getView(server, "profile", {})];
  for (const [subject, attribute] of SLOTS) {
    const slot = { subject, attribute };
    replies.push(
      await getView(server, "state", slot),
      await getView(server, "state/history", slot),
      await getView(server, "state", { ...slot, as_of: "2026-02-01" }),
      await getView(server, "beliefs", { ...slot, view: "audit", at: "2026-06-01" }),
    );
  }
  for (const { status, text } of replies) strictEqual(status, 200, text);
  return replies.map(({ json }) => json.data);
}

async function operation({ call }: TestServer, path: string, body?: unknown) {
  const headers = { "idempotency-key": path };
  const queued = await call("POST", path, { headers, ...body === undefined ? {} : { body } });
  const done = await waitUntil(
    () => call("GET", `/v1/operations/${queued.json.id}`),
    ({ json }) => ["success", "dead"].includes(json.status),
  );
  strictEqual(done.json.status, "success", done.text);
  return done.json.result;
}

Deno.test("POST /v1/imports restores state, beliefs and profile", async () => {
  await withServer(async (server) => {
    await server.add("I live in Lisbon.", { user_id: "ana", event_date: "2026-01-10" });
    await inferMemories(server.call, ["I speak Dutch and Polish.", "I moved to Porto."], {
      user_id: "ana",
      run_id: "r1",
      event_date: "2026-03-01",
    });
    await inferMemories(server.call, "My sister Klara works at Ikea.");
    await server.add("The rack in the cellar is painted green.");
    const before = await readViews(server);
    const snapshot = await operation(server, "/v1/exports");
    await withServer(async (second) => {
      await operation(second, "/v1/imports", { snapshot });
      deepStrictEqual(await readViews(second), before);
    });
  });
});

Deno.test("POST /v1/imports takes model claims from the snapshot instead of reading the text", async () => {
  const response = factsCompletion(["User is at home on the Douro", "lives_in", "Porto"]);
  await withProvider(() => response, async (inference) => {
    await withServer(async (server) => {
      await inferMemories(server.call, "I am at home on the Douro, in Porto.");
      const before = await readViews(server);
      strictEqual(before[1].value, "Porto");
      const snapshot = await operation(server, "/v1/exports");
      const [{ memory, claims }] = snapshot.records.memories;
      ok(!memory.includes("Porto"), memory);
      deepStrictEqual(claims.map(({ value }: { value: string }) => value), ["Porto"]);
      await withServer(async (second) => {
        await operation(second, "/v1/imports", { snapshot });
        deepStrictEqual(await readViews(second), before);
      });
    }, { inference });
  });
});
