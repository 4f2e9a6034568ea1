/** Tests for verbatim adds: content, messages, and the fields that apply to all of them. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

function add(server: TestServer, fields: Record<string, unknown>) {
  return server.call("POST", "/v1/memories", {
    body: { user_id: "ana", infer: false, ...fields },
  });
}

const say = (content: unknown, role = "user") => ({ role, content });

Deno.test("POST /v1/memories accepts every role and joins the text parts of a message with line feeds", async () => {
  await withServer(async (server) => {
    const roles = ["system", "user", "assistant", "tool", "developer"];
    const messages = roles.map((role) =>
      say([{ type: "text", text: role }, { type: "text", text: " spoke " }], role)
    );
    const { json } = await add(server, { messages });
    deepStrictEqual(
      json.results.map((result: { memory: string }) => result.memory),
      roles.map((role) => `${role}\n spoke `),
    );
  });
});

Deno.test("POST /v1/memories skips blank messages and returns 400 if all of them are blank", async () => {
  await withServer(async (server) => {
    const mixed = [
      say(""),
      say("Ana juggles"),
      say(" \n"),
      say([]),
      say([{ type: "text", text: "" }]),
    ];
    const { json } = await add(server, { messages: mixed });
    strictEqual(json.results.length, 1);
    const refused = await add(server, { messages: [say(" ")] });
    strictEqual(refused.status, 400);
    strictEqual(refused.json.details.issues[0].path, "messages");
  });
});

Deno.test("POST /v1/memories applies the other fields to each message", async () => {
  await withServer(async (server) => {
    const fields = {
      agent_id: "bot",
      run_id: "r1",
      metadata: { source: "chat" },
      memory_type: "decision",
      importance: 0.9,
      event_date: "2026-03-04",
    };
    const { json } = await add(server, { messages: [say("one"), say("two")], ...fields });
    for (const { id } of json.results) {
      const { metadata, memory_type, importance, event_date, ...memory } =
        (await server.call("GET", `/v1/memories/${id}`)).json;
      deepStrictEqual([memory.user_id, memory.agent_id, memory.run_id], ["ana", "bot", "r1"]);
      deepStrictEqual(
        { metadata, memory_type, importance, event_date },
        { ...omit(fields, "agent_id", "run_id"), event_date: "2026-03-04T00:00:00.000Z" },
      );
      strictEqual(memory.created_at, memory.updated_at);
    }
  });
});

Deno.test("POST /v1/memories stores no message if one of them is too long", async () => {
  await withServer(async (server) => {
    const messages = [say("fine"), say("x".repeat(100_001))];
    strictEqual((await add(server, { messages })).status, 400);
    strictEqual((await server.call("GET", "/v1/memories?user_id=ana")).json.results.length, 0);
    strictEqual((await server.call("GET", "/v1/entities")).json.results.length, 0);
  });
});

Deno.test("POST /v1/memories stores two memories if the same text is sent twice", async () => {
  await withServer(async (server) => {
    const ids = [await server.add("Ana yodels"), await server.add("Ana yodels")];
    strictEqual(new Set(ids).size, 2);
  });
});

Deno.test("POST /v1/memories queues an inferred add under its event and doesn't expose the input", async () => {
  await withServer(async (server) => {
    const queued = await server.call("POST", "/v1/memories", {
      body: { messages: [say("My cat is called Miau")], user_id: "ana", run_id: "r1" },
      headers: { "idempotency-key": "infer" },
    });
    strictEqual(queued.status, 202);
    const { message, status, event_id } = queued.json;
    deepStrictEqual([typeof message, status], ["string", "PENDING"]);
    const event = await server.call("GET", `/v1/events/${event_id}`);
    const operation = await server.call("GET", `/v1/operations/${event_id}`);
    deepStrictEqual(event.json.scope, { user_id: "ana", run_id: "r1" });
    deepStrictEqual([operation.json.id, operation.json.kind], [event_id, "memory_infer"]);
  });
});

Deno.test("POST /v1/memories infers by default", async () => {
  await withServer(async (server) => {
    const reply = await server.call("POST", "/v1/memories", {
      body: { content: "My cat is called Miau", user_id: "ana" },
    });
    strictEqual(reply.json.code, "IDEMPOTENCY_KEY_REQUIRED");
  });
});

function omit(fields: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
