/** Tests for GET /v1/profile: a single text, or sections for a query. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { PAGE_MEMORIES } from "../../src/memories/scope_pages.ts";
import { withServer } from "../../testing/harness.ts";
import { inferMemories } from "../inference_service/provider.ts";
import { getView, waitUntilDerived } from "./views.ts";

const STATEMENTS = [
  "My name is Ana.",
  "I live in Lisbon.",
  "I have a cat called Miso.",
  "I love jazz.",
  "I am allergic to peanuts.",
];

Deno.test("GET /v1/profile returns current facts in sections, leaving out superseded ones", async () => {
  await withServer(async (server) => {
    strictEqual((await getView(server, "profile", {})).json.data, null);
    await inferMemories(server.call, STATEMENTS);
    await inferMemories(server.call, "I moved to Porto.");
    await server.add("The rack in the cellar is painted green.");
    await waitUntilDerived(server);
    const { data } = (await getView(server, "profile", {})).json;
    match(data, /^Identity\n- .*Ana/);
    match(data, /Home and work\n(- .*\n)*- .*Porto/);
    match(data, /\n\nPeople and pets\n- .*Miso/);
    match(data, /\n\nPreferences\n- .*jazz/);
    match(data, /\n\nHealth\n- .*peanuts/);
    match(data, /The rack in the cellar is painted green/);
    ok(!data.includes("Lisbon"), data);
    ok(!data.includes("Tools"), data);
  });
});

Deno.test("GET /v1/profile with a query returns at most limit sections, best match first", async () => {
  await withServer(async (server) => {
    await inferMemories(server.call, STATEMENTS);
    await waitUntilDerived(server);
    const readSections = async (parameters: Record<string, string>) =>
      (await getView(server, "profile", parameters)).json.data;
    const sections = await readSections({ query: "where does Ana live?" });
    ok(sections.length > 1 && sections.length <= 5);
    for (const section of sections) {
      deepStrictEqual(Object.keys(section).sort(), ["content", "id", "score", "title"]);
      ok(section.score >= 0 && section.score <= 1);
    }
    const scores = sections.map(({ score }: { score: number }) => score);
    deepStrictEqual(scores, scores.toSorted((a: number, b: number) => b - a));
    const [cat] = await readSections({ query: "the cat", limit: "1" });
    deepStrictEqual([cat.id, cat.title], ["profile_people_and_pets", "People and pets"]);
    strictEqual((await readSections({ query: "allergic to what", limit: "1" }))[0].title, "Health");
    deepStrictEqual(await readSections({ query: "cat", user_id: "bo" }), []);
  });
});

Deno.test("GET /v1/profile requires a scope and a limit between 1 and 20, and returns 409 if disabled", async () => {
  await withServer(async (server) => {
    const refused = await server.call("GET", "/v1/profile?user_id=ana&query=cat&limit=21");
    strictEqual(refused.status, 400);
    strictEqual(refused.json.details.issues[0].path, "limit");
    await server.add("I love jazz.");
    await waitUntilDerived(server);
    const stranger = await server.createKey("other");
    strictEqual((await getView(server, "profile", {}, stranger)).json.data, null);
    const writer = await server.createKey("default", "memory:write");
    strictEqual((await getView(server, "profile", {}, writer)).json.code, "PERMISSION_DENIED");
    await server.manage("projects", "derivation", "default", "off");
    const off = await getView(server, "profile", {});
    deepStrictEqual([off.status, off.json.code], [409, "DERIVATION_DISABLED"]);
  });
});

Deno.test("A scope with several pages of memories has one profile", async () => {
  await withServer(async (server) => {
    const first = await server.add("The rack in the cellar is painted green.");
    await server.call("PUT", `/v1/memories/${first}`, { body: { importance: 0.9 } });
    await inferMemories(server.call, "I live in Lisbon.");
    for (let from = 0; from < PAGE_MEMORIES; from += 100) {
      const messages = Array.from(
        { length: 100 },
        (_, index) => ({ role: "user", content: String(from + index) }),
      );
      const body = { messages, user_id: "ana", infer: false };
      strictEqual((await server.call("POST", "/v1/memories", { body })).status, 200);
    }
    await inferMemories(server.call, "I moved to Porto.");
    await waitUntilDerived(server);
    const { data } = (await getView(server, "profile", {})).json;
    match(
      data,
      /^- User moved to Porto\n- The rack in the cellar is painted green\.\n- 499$/m,
    );
    ok(!data.includes("Lisbon"), data);
  });
});
