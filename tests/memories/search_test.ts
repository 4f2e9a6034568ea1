/** Searching memories by their words. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

const ANA = { user_id: "ana", infer: false };

async function add(server: TestServer, ...contents: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) {
    const reply = await server.call("POST", "/v1/memories", { body: { ...ANA, content } });
    ids.push(reply.json.results[0].id);
  }
  return ids;
}

async function search(server: TestServer, body: Record<string, unknown>) {
  const reply = await server.call("POST", "/v1/memories/search", { body });
  strictEqual(reply.status, 200, reply.text);
  return reply.json;
}

const textsOf = (answer: { results: { memory: string }[] }) =>
  answer.results.map((each) => each.memory);

Deno.test("a memory is found by its words as soon as its add is answered", async () => {
  await withServer(async (server) => {
    const [id] = await add(server, "Ana prefers dark mode in every editor");
    const { results } = await search(server, { query: "which editors are dark?" });
    deepStrictEqual(results.map((each: { id: string }) => each.id), [id]);
    ok(results[0].score > 0 && results[0].score <= 1);
  });
});

Deno.test("words meet in any form, with or without accents, and in scripts without spaces", async () => {
  await withServer(async (server) => {
    await add(
      server,
      "She was running in Curaçao",
      "東京都に住んでいます",
      "Jürgen drinks café au lait",
      "Ο Οδυσσεύς πλέει",
      "Mum signs as 𝐌𝐮𝐦𝐦𝐲",
    );
    for (const query of ["ΟΔΥΣΣΕΥΣ", "οδυσσευς", "Οδυσσεύς"]) {
      deepStrictEqual(textsOf(await search(server, { query })), ["Ο Οδυσσεύς πλέει"]);
    }
    deepStrictEqual(textsOf(await search(server, { query: "mummy" })), ["Mum signs as 𝐌𝐮𝐦𝐦𝐲"]);
    deepStrictEqual(textsOf(await search(server, { query: "run curacao" })), [
      "She was running in Curaçao",
    ]);
    deepStrictEqual(textsOf(await search(server, { query: "東京" })), ["東京都に住んでいます"]);
    deepStrictEqual(textsOf(await search(server, { query: "jurgen cafe" })), [
      "Jürgen drinks café au lait",
    ]);
  });
});

Deno.test("what was changed or deleted is no longer found by its old words", async () => {
  await withServer(async (server) => {
    const [first, second] = await add(server, "The build runs on Jenkins", "Lunch is at noon");
    await server.call("PUT", `/v1/memories/${first}`, {
      body: { content: "The build runs on CI" },
    });
    await server.call("DELETE", `/v1/memories/${second}`);
    deepStrictEqual(textsOf(await search(server, { query: "jenkins lunch" })), []);
    deepStrictEqual(textsOf(await search(server, { query: "ci build" })), ["The build runs on CI"]);
  });
});

Deno.test("scope, type and filters decide what may be shown", async () => {
  await withServer(async (server) => {
    const put = (body: Record<string, unknown>) =>
      server.call("POST", "/v1/memories", { body: { infer: false, ...body } });
    await put({ content: "tea for ana", user_id: "ana", metadata: { cups: 2 } });
    await put({ content: "tea for ben", user_id: "ben", memory_type: "preference" });
    await put({ content: "tea for the agent", agent_id: "a1", metadata: { cups: 5 } });
    const found = async (body: Record<string, unknown>) =>
      textsOf(await search(server, { query: "tea", ...body })).sort();
    deepStrictEqual(await found({ user_id: "ana" }), ["tea for ana"]);
    deepStrictEqual(await found({ memory_type: "preference" }), ["tea for ben"]);
    deepStrictEqual(await found({ filters: { cups: { gt: 2 } } }), ["tea for the agent"]);
    deepStrictEqual(await found({ filters: { NOT: { cups: "*" } } }), ["tea for ben"]);
    deepStrictEqual(await found({ user_id: "ana", filters: { cups: 5 } }), []);
  });
});

Deno.test("what stands around a memory helps to find it", async () => {
  await withServer(async (server) => {
    const messages = [
      "Ana: Where did you spend your holidays?",
      "Ben: On a farm near Évora, picking olives",
      "Ana: Lovely. My laptop broke again",
      "Ben: Oh no",
    ].map((content) => ({ role: "user", content }));
    const body = { messages, user_id: "ben", infer: false };
    await server.call("POST", "/v1/memories", { body });
    const found = await search(server, { query: "Where did Ben spend his holidays?" });
    strictEqual(textsOf(found)[0], messages[1]!.content);
  });
});

Deno.test("modes and sort_by order what is relevant; min_score and top_k cut", async () => {
  await withServer(async (server) => {
    const put = (content: string, importance: number) =>
      server.call("POST", "/v1/memories", { body: { ...ANA, content, importance } });
    await put("the cello lesson is on Monday", 0.9);
    await put("cello lesson moved to Tuesday", 0.1);
    await put("cello strings were bought", 0.5);
    const first = async (body: Record<string, unknown>) =>
      textsOf(await search(server, { query: "cello", ...body }))[0];
    strictEqual(await first({ mode: "recent" }), "cello strings were bought");
    strictEqual(await first({ mode: "important" }), "the cello lesson is on Monday");
    strictEqual(await first({ sort_by: "importance" }), "the cello lesson is on Monday");
    strictEqual((await search(server, { query: "cello lesson", limit: 1 })).results.length, 1);
    strictEqual((await search(server, { query: "cello", min_score: 1 })).results.length, 0);
  });
});

Deno.test("min_score keeps what has just that score, a moment later too", async () => {
  await withServer(async (server) => {
    await add(server, "Ana likes green tea", "Ana drinks tea at noon");
    const query = "green tea";
    const seen = await search(server, { query });
    const again = await search(server, { query, min_score: seen.results[1].score });
    deepStrictEqual(again, seen);
    deepStrictEqual(textsOf(await search(server, { query, min_score: seen.results[0].score })), [
      "Ana likes green tea",
    ]);
  });
});

Deno.test("sort_by counts the reads of a moment ago", async () => {
  await withServer(async (server) => {
    const texts = ["Porto has trams", "Porto has bridges", "Porto has cellars"];
    const ids = await add(server, ...texts);
    for (const id of [ids[1], ids[1], ids[0]]) await server.call("GET", `/v1/memories/${id}`);
    const sorted = async (sort_by: string) =>
      textsOf(await search(server, { query: "porto", sort_by }));
    deepStrictEqual((await sorted("most_accessed"))[0], texts[1]);
    await server.call("GET", `/v1/memories/${ids[2]}`);
    deepStrictEqual((await sorted("last_accessed"))[0], texts[2]);
  });
});

Deno.test("a trace tells what each list found and what every score is made of", async () => {
  await withServer(async (server) => {
    const [id] = await add(server, "the red bicycle");
    const { trace } = await search(server, { query: "red bicycle", trace: true });
    deepStrictEqual(trace.selected, [id]);
    strictEqual(trace.lists.lexical[0].id, id);
    strictEqual(trace.fused[0].id, id);
    ok(trace.selected_items[0].parts.relevance > 0.9);
    strictEqual((await search(server, { query: "red bicycle" })).trace, undefined);
  });
});

Deno.test("a time named in the query favours the memories of that time", async () => {
  await withServer(async (server) => {
    for (const month of ["03", "05", "07"]) {
      await server.add(`Ana visited her dentist, bill ${month}`, {
        user_id: "ana",
        event_date: `2024-${month}-11`,
      });
    }
    const found = await search(server, { query: "visit to the dentist in May 2024", trace: true });
    strictEqual(textsOf(found)[0], "Ana visited her dentist, bill 05");
    ok(found.trace.selected_items[0].parts.time > 1);
  });
});

Deno.test("what only stands beside a match is neither precise nor first in another order", async () => {
  await withServer(async (server) => {
    const run = { user_id: "ana", run_id: "monday" };
    await server.add("I love strong coffee", { ...run, importance: 0.2 });
    await server.add("My car is red", { ...run, importance: 0.9 });
    await server.add("The coffee machine broke", { ...run, importance: 0.1 });
    await server.add("Paris is nice in the spring", { ...run, importance: 0.8 });
    const found = async (how: Record<string, string>) =>
      textsOf(await search(server, { query: "coffee", ...how }));
    const [older, newer] = ["I love strong coffee", "The coffee machine broke"];
    deepStrictEqual((await found({ search_strategy: "precision" })).toSorted(), [older, newer]);
    deepStrictEqual(await found({ mode: "recent" }), [newer, older]);
    deepStrictEqual(await found({ mode: "important" }), [older, newer]);
    deepStrictEqual(await found({ sort_by: "importance" }), [older, newer]);
    strictEqual((await found({})).length, 4);
  });
});

Deno.test("a memory of the day that is named is precise without a word of the query", async () => {
  await withServer(async (server) => {
    const text = "Ana moved to Porto";
    await server.add(text, { user_id: "ana", event_date: "2024-05-11" });
    const found = await search(server, { query: "11 May 2024", search_strategy: "precision" });
    deepStrictEqual(textsOf(found), [text]);
  });
});

Deno.test("precision keeps strong matches, recall keeps all, auto chooses by the query's form", async () => {
  await withServer(async (server) => {
    const [full] = await add(server, "the red bicycle stands in the cellar", "a bicycle tour");
    const found = async (query: string, search_strategy: string) => {
      const { results, trace } = await search(server, { query, search_strategy, trace: true });
      return [trace.strategy, results.map(({ id }: { id: string }) => id)];
    };
    const query = "red bicycle in the cellar";
    deepStrictEqual(await found(query, "precision"), ["precision", [full]]);
    for (const strategy of ["balanced", "recall"]) {
      strictEqual((await found(query, strategy))[1].length, 2);
    }
    strictEqual((await found(query, "auto"))[0], "balanced");
    strictEqual((await found('"red bicycle"', "auto"))[0], "precision");
    strictEqual((await found("every bicycle", "auto"))[0], "recall");
  });
});
