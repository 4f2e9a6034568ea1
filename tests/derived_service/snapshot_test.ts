/** Derived views over export and import: a restored project knows what the other one knew. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { factsCompletion, inferMemories, withProvider } from "../inference_service/provider.ts";
import { getView, waitUntilDerived } from "./views.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const SLOTS = [["user", "lives_in"], ["user", "speaks"], ["klara", "works_at"]] as const;

/** Everything that the views say about ana. */
async function known(server: TestServer) {
  await waitUntilDerived(server);
  const said = [await getView(server, "profile", {})];
  for (const [subject, attribute] of SLOTS) {
    const slot = { subject, attribute };
    said.push(
      await getView(server, "state", slot),
      await getView(server, "state/history", slot),
      await getView(server, "state", { ...slot, as_of: "2026-02-01" }),
      await getView(server, "beliefs", { ...slot, view: "audit", at: "2026-06-01" }),
    );
  }
  for (const { status, text } of said) strictEqual(status, 200, text);
  return said.map(({ json }) => json.data);
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

Deno.test("after an import state, beliefs and profile are what they were", async () => {
  await withServer(async (server) => {
    await server.add("I live in Lisbon.", { user_id: "ana", event_date: "2026-01-10" });
    await inferMemories(server.call, ["I speak Dutch and Polish.", "I moved to Porto."], {
      user_id: "ana",
      run_id: "r1",
      event_date: "2026-03-01",
    });
    await inferMemories(server.call, "My sister Klara works at Ikea.");
    await server.add("The rack in the cellar is painted green.");
    const before = await known(server);
    const snapshot = await operation(server, "/v1/exports");
    await withServer(async (second) => {
      await operation(second, "/v1/imports", { snapshot });
      deepStrictEqual(await known(second), before);
    });
  });
});

Deno.test("what only the model could claim comes with its memory, not out of its text", async () => {
  const answer = factsCompletion(["User is at home on the Douro", "lives_in", "Porto"]);
  await withProvider(() => answer, async (inference) => {
    await withServer(async (server) => {
      await inferMemories(server.call, "I am at home on the Douro, in Porto.");
      const before = await known(server);
      strictEqual(before[1].value, "Porto");
      const snapshot = await operation(server, "/v1/exports");
      const [{ memory, claims }] = snapshot.records.memories;
      ok(!memory.includes("Porto"), memory);
      deepStrictEqual(claims.map(({ value }: { value: string }) => value), ["Porto"]);
      await withServer(async (second) => {
        await operation(second, "/v1/imports", { snapshot });
        deepStrictEqual(await known(second), before);
      });
    }, { inference });
  });
});
