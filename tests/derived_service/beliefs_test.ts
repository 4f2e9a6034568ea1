/** Tests for GET /v1/beliefs with all of its parameters. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { getView, waitUntilDerived } from "./views.ts";

const HOME = { subject: "user", attribute: "lives_in" };
const STATEMENTS = ["I live in Porto.", "My home is in Porto.", "I live in Porto now."];

/**
 * Adds one memory per text, each in its own run, so that each counts as independent evidence in a
 * separate context.
 */
async function add(server: TestServer, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [run, content] of texts.entries()) {
    ids.push(
      await server.add(content, {
        user_id: "ana",
        run_id: `run-${run}`,
        event_date: `2026-01-0${run + 1}`,
      }),
    );
  }
  await waitUntilDerived(server);
  return ids;
}

Deno.test("GET /v1/beliefs supports a value that has three sources in three contexts", async () => {
  await withServer(async (server) => {
    const ids = await add(server, ...STATEMENTS);
    const { data } = (await getView(server, "beliefs", { ...HOME, view: "audit" })).json;
    deepStrictEqual(
      [data.projection_status, data.mode, data.subject, data.attribute, data.applicability],
      ["ready", "enforced", "user", "lives_in", { kind: "global", key: null }],
    );
    match(data.winner.id, /^belief_/);
    deepStrictEqual(
      [data.winner.value, data.winner.status, data.winner.evidence_count],
      ["Porto", "supported", 3],
    );
    deepStrictEqual(data.winner.source_ids, ids);
    const [row] = data.winner.evidence;
    match(row.id, /^belief_ev_/);
    deepStrictEqual([row.context_id, row.weight, row.active], ["run-0", 1, true]);
    deepStrictEqual(data.shadow, {
      outcome: "agreement",
      state: "Porto",
      winner_id: data.winner.id,
    });
    strictEqual(data.unresolved, false);
  });
});

Deno.test("GET /v1/beliefs counts the same words only once", async () => {
  await withServer(async (server) => {
    await add(server, STATEMENTS[0]!, STATEMENTS[0]!, STATEMENTS[0]!);
    const { data } = (await getView(server, "beliefs", HOME)).json;
    strictEqual(data.winner, null);
    deepStrictEqual(
      data.candidates.map((belief: { value: string; status: string; evidence_count: number }) => [
        belief.value,
        belief.status,
        belief.evidence_count,
      ]),
      [["Porto", "contested", 1]],
    );
    strictEqual(data.unresolved, true);
  });
});

Deno.test("GET /v1/beliefs hides unresolved candidates in the default view and evidence in the conflict view", async () => {
  await withServer(async (server) => {
    await add(server, "I live in Lisbon.", STATEMENTS[0]!);
    const readView = async (name: string) =>
      (await getView(server, "beliefs", { ...HOME, view: name })).json.data;
    deepStrictEqual((await readView("default")).candidates, []);
    const conflict = await readView("conflict");
    deepStrictEqual(conflict, (await getView(server, "beliefs", HOME)).json.data);
    strictEqual(conflict.candidates.length, 2);
    ok(conflict.candidates.every(({ evidence }: { evidence: unknown[] }) => evidence.length === 0));
    const audit = await readView("audit");
    ok(audit.candidates.every(({ evidence }: { evidence: unknown[] }) => evidence.length === 1));
    ok(
      audit.candidates.every(({ reason_codes }: { reason_codes: unknown[] }) =>
        reason_codes.length > 0
      ),
    );
  });
});

Deno.test("GET /v1/beliefs evaluates an instant, and falls back from a context to global beliefs", async () => {
  await withServer(async (server) => {
    await add(server, ...STATEMENTS);
    const early = await getView(server, "beliefs", { ...HOME, at: "2026-01-02T12:00:00Z" });
    strictEqual(early.json.data.winner, null);
    const inTask = await getView(server, "beliefs", {
      ...HOME,
      applicability_kind: "task",
      applicability_key: "move",
    });
    deepStrictEqual(inTask.json.data.applicability, { kind: "task", key: "move" });
    strictEqual(inTask.json.data.winner.value, "Porto");
    deepStrictEqual(inTask.json.data.reason_codes, ["global_fallback"]);
    const everywhere = await getView(server, "beliefs", {
      ...HOME,
      view: "audit",
      all_applicability: "true",
    });
    strictEqual(everywhere.json.data.candidates.length, 1);
  });
});

Deno.test("GET /v1/beliefs ignores evidence that has ended or was deleted", async () => {
  await withServer(async (server) => {
    const ids = await add(server, ...STATEMENTS);
    await server.add("I no longer live in Porto.", { user_id: "ana", event_date: "2026-02-01" });
    await waitUntilDerived(server);
    const { data } = (await getView(server, "beliefs", { ...HOME, view: "audit" })).json;
    strictEqual(data.winner, null);
    const then = await getView(server, "beliefs", { ...HOME, at: "2026-01-15" });
    strictEqual(then.json.data.winner.value, "Porto");
    await server.call("DELETE", `/v1/memories/${ids[0]}`);
    const after = await getView(server, "beliefs", { ...HOME, at: "2026-01-15" });
    strictEqual(after.json.data.winner, null);
  });
});

Deno.test("GET /v1/beliefs returns 200 without beliefs if derivation is disabled", async () => {
  await withServer(async (server) => {
    await server.manage("projects", "derivation", "default", "off");
    const off = await getView(server, "beliefs", HOME);
    strictEqual(off.status, 200);
    const { projection_status, winner, candidates } = off.json.data;
    deepStrictEqual([projection_status, winner, candidates], ["disabled", null, []]);
  });
});

Deno.test("GET /v1/beliefs returns 400 with the name of an invalid parameter", async () => {
  await withServer(async (server) => {
    const refused = await server.call("GET", "/v1/beliefs?user_id=ana&attribute=lives_in");
    strictEqual(refused.status, 400);
    strictEqual(refused.json.details.issues[0].path, "subject");
    const writer = await server.createKey("default", "memory:write");
    strictEqual((await getView(server, "beliefs", HOME, writer)).json.code, "PERMISSION_DENIED");
    const stranger = await server.createKey("other");
    strictEqual((await getView(server, "beliefs", HOME, stranger)).json.data.winner, null);
  });
});
