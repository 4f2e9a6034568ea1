/** Tests adds whose messages say when they were sent. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { inferMemories } from "../inference_service/provider.ts";

const DATED = [
  { role: "user", content: "I moved to Porto yesterday.", created_at: "2026-03-02" },
  {
    role: "user",
    content: "I adopted a cat called Miso last week.",
    created_at: "2026-05-20T10:00:00Z",
  },
  { role: "user", content: "I work at Ikea." },
];

interface Stored {
  readonly memory: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
}

Deno.test("POST /v1/memories stores each verbatim message with its own date, or the request's", async () => {
  await withServer(async ({ call }) => {
    const body = { messages: DATED, user_id: "ana", infer: false, event_date: "2026-06-01" };
    strictEqual((await call("POST", "/v1/memories", { body })).status, 200);
    const { json } = await call("GET", "/v1/memories?user_id=ana");
    deepStrictEqual(
      json.results.toReversed().map((
        { event_date, valid_from }: Stored,
      ) => [event_date, valid_from]),
      [
        ["2026-03-02T00:00:00.000Z", "2026-03-02T00:00:00.000Z"],
        ["2026-05-20T10:00:00.000Z", "2026-05-20T10:00:00.000Z"],
        ["2026-06-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"],
      ],
    );
  });
});

Deno.test("POST /v1/memories resolves relative dates in a message from when it was sent", async () => {
  await withServer(async (server) => {
    const body = { messages: DATED.slice(0, 2), user_id: "ana" };
    await inferMemories(server.call, [], body);
    const { json } = await server.call("GET", "/v1/memories?user_id=ana");
    const dates = Object.fromEntries(
      json.results.map(({ memory, event_date }: Stored) => [memory, event_date?.slice(0, 10)]),
    );
    strictEqual(Object.keys(dates).length, 2, JSON.stringify(json.results));
    for (const [memory, date] of Object.entries(dates)) {
      strictEqual(date, memory.includes("Porto") ? "2026-03-01" : "2026-05-11", memory);
    }
  });
});

Deno.test("POST /v1/memories without event_date uses the last message's date for what has none", async () => {
  await withServer(async (server) => {
    const messages = [DATED[2]!, {
      role: "user",
      content: "Good night!",
      created_at: "2026-05-20",
    }];
    await inferMemories(server.call, [], { messages, user_id: "ana" });
    const { json } = await server.call("GET", "/v1/memories?user_id=ana");
    deepStrictEqual(
      json.results.map(({ event_date }: Stored) => event_date),
      ["2026-05-20T00:00:00.000Z"],
    );
  });
});

Deno.test("POST /v1/memories rejects a message date that isn't a date", async () => {
  await withServer(async ({ call }) => {
    const messages = [{ role: "user", content: "Hello", created_at: "soon" }];
    const body = { messages, user_id: "ana", infer: false };
    const { status, json } = await call("POST", "/v1/memories", { body });
    strictEqual(status, 400);
    strictEqual(json.details.issues[0].path, "messages.0.created_at");
  });
});
