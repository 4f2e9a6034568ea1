/** Tests the context for a prompt: what it includes, in which order, and its budget. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { estimateTokens } from "../../src/context/tokens.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { waitUntilDerived } from "../derived_service/views.ts";
import { inferMemories } from "../inference_service/provider.ts";

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  readonly date: string | null;
  readonly source_ids: readonly string[];
  readonly citation: Readonly<Record<string, unknown>> | null;
}

const GUIDE = "# Tea\n\nGreen tea is brewed at 80 degrees.\n\n# Coffee\n\nCoffee is ground first.";

/** Adds what Ana said, and a guide to tea. Returns the guide's id. */
async function addHousehold(server: TestServer): Promise<string> {
  await inferMemories(server.call, "I live in Porto. I prefer green tea over coffee.", {
    user_id: "ana",
    event_date: "2026-02-03",
  });
  await server.add("Ana bought a teapot for green tea.", {
    user_id: "ana",
    event_date: "2026-03-04",
  });
  const body = {
    content: GUIDE,
    source_key: "tea.md",
    title: "Guide to tea",
    user_id: "ana",
    mime_type: "text/markdown",
  };
  const { json } = await server.call("POST", "/v1/documents", { body });
  await waitUntilDerived(server);
  return json.document.id;
}

async function context(server: TestServer, body: Record<string, unknown>) {
  const { status, json, text } = await server.call("POST", "/v1/context", { body });
  strictEqual(status, 200, text);
  return json;
}

Deno.test("POST /v1/context returns memories, facts, profile and passages, each with date and id", async () => {
  await withServer(async (server) => {
    const guide = await addHousehold(server);
    const { text, items, left_out, tokens } = await context(server, {
      query: "Which green tea does Ana like?",
      user_id: "ana",
    });
    deepStrictEqual(left_out, { over_budget: 0, unavailable: [] });
    const sections = text.split("\n").filter((line: string) => line.startsWith("## "));
    strictEqual(sections[0], "## Memories");
    strictEqual(sections.at(-1), "## Passages");
    ok(tokens > 0 && tokens <= 1_500);
    for (const { id, text: stated, date, citation } of items as Item[]) {
      const shown = citation === null ? stated : stated.split("\n")[0]!;
      ok(text.includes(shown), stated);
      ok(text.includes(citation === null ? id : guide), id);
      if (date !== null) ok(text.includes(date.slice(0, 10)), date);
    }
    const passage = (items as Item[]).find(({ kind }) => kind === "passage")!;
    deepStrictEqual(passage.source_ids, [guide]);
    const { start_byte, end_byte, ...citation } = passage.citation!;
    deepStrictEqual(citation, { document_id: guide, source_key: "tea.md", title: "Guide to tea" });
    strictEqual(GUIDE.slice(Number(start_byte), Number(end_byte)), passage.text);
  });
});

Deno.test("POST /v1/context states each memory once", async () => {
  await withServer(async (server) => {
    await addHousehold(server);
    const { items } = await context(server, { query: "Where does Ana live?", user_id: "ana" });
    const sources = (items as Item[]).filter(({ kind }) => kind !== "passage")
      .flatMap(({ source_ids }) => source_ids);
    strictEqual(new Set(sources).size, sources.length);
  });
});

Deno.test("POST /v1/context includes only the requested parts", async () => {
  await withServer(async (server) => {
    await addHousehold(server);
    const kinds = { memories: "memory", state: "state", profile: "profile", passages: "passage" };
    for (const [part, kind] of Object.entries(kinds)) {
      const { items } = await context(server, {
        query: "green tea in Porto",
        user_id: "ana",
        include: [part],
      });
      ok(items.length > 0, part);
      deepStrictEqual(new Set(items.map((item: Item) => item.kind)), new Set([kind]), part);
    }
  });
});

Deno.test("POST /v1/context without a scope searches memories and passages of the project", async () => {
  await withServer(async (server) => {
    await addHousehold(server);
    const { items, left_out } = await context(server, { query: "green tea" });
    deepStrictEqual(new Set(items.map(({ kind }: Item) => kind)), new Set(["memory", "passage"]));
    deepStrictEqual(left_out.unavailable, []);
  });
});

Deno.test("POST /v1/context marks memories that have ended", async () => {
  await withServer(async (server) => {
    const said = (content: string, event_date: string) =>
      inferMemories(server.call, content, { user_id: "ana", event_date });
    await said("I live in Porto.", "2026-02-03");
    await said("I moved to Lisbon.", "2026-05-06");
    const { text } = await context(server, {
      query: "Where does Ana live?",
      user_id: "ana",
      include: ["memories"],
    });
    match(text, /Porto.* \(until 2026-05-06\)/);
  });
});

Deno.test("POST /v1/context reports parts that can't be read, and returns the others", async () => {
  await withServer(async (server) => {
    await addHousehold(server);
    await server.manage("projects", "derivation", "default", "off");
    const { items, left_out } = await context(server, { query: "green tea", user_id: "ana" });
    ok(items.some(({ kind }: Item) => kind === "memory"));
    deepStrictEqual(left_out.unavailable, [
      { part: "state", code: "DERIVATION_DISABLED" },
      { part: "profile", code: "DERIVATION_DISABLED" },
    ]);
  });
});

Deno.test("POST /v1/context stays within any budget, in either format", async () => {
  await withServer(async (server) => {
    await addHousehold(server);
    const all = (await context(server, { query: "green tea", user_id: "ana" })).items.length;
    const budget = fc.oneof(
      fc.record({ max_tokens: fc.integer({ min: 1, max: 400 }) }),
      fc.record({ max_chars: fc.integer({ min: 1, max: 1_200 }) }),
    );
    await fc.assert(
      fc.asyncProperty(budget, fc.constantFrom("markdown", "json"), async (limits, format) => {
        const { text, tokens, items, left_out } = await context(server, {
          query: "green tea",
          user_id: "ana",
          format,
          ...limits,
        });
        if ("max_tokens" in limits) ok(tokens <= limits.max_tokens);
        else ok([...text].length <= limits.max_chars);
        // A memory that doesn't fit leaves room for the current facts in it, which are shorter.
        ok(items.length + left_out.over_budget >= all);
        strictEqual(text === "", items.length === 0);
        if (format === "json" && text !== "") {
          const parsed = JSON.parse(text).flatMap(({ items }: { items: Item[] }) => items);
          strictEqual(parsed.length, items.length);
        }
      }),
      { numRuns: 80, seed: 7 },
    );
  });
});

Deno.test("estimateTokens() is an upper bound for texts of known length in common tokenizers", () => {
  // The highest counts of the tokenizers of GPT-3.5, GPT-4o, Llama 3 and Claude 2.
  const counted: readonly [text: string, tokens: number][] = [
    ["Bye!", 3],
    ["Phew! Glad it all worked out and you had a good time at the park!", 18],
    ["Hey Mel! Good to see you! How have you been?", 13],
    ["wann heiratet ihr endlich?", 9],
    ["Rosenkohl zehn Minuten kochen", 11],
    ["ich hab das Abo gekündigt", 10],
    ["| Row 1 & 2, Col 1 (rowspan) | Row 1, Col 2 | Row 1, Col 3 |", 32],
    ["Der Bundestag hat das Gesetz am Freitag verabschiedet.", 17],
    ["東京に住んでいます。", 11],
    ["Я живу в Лиссабоне.", 13],
    ["👩‍🚀🎉", 11],
  ];
  for (const [text, tokens] of counted) {
    ok(estimateTokens(text) >= tokens, `${text}: ${estimateTokens(text)} < ${tokens}`);
  }
});
