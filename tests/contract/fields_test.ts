/** Fields that resources share, seen through the API: scopes, metadata, dates, text. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";

function add(server: TestServer, fields: Record<string, unknown>): Promise<Reply> {
  const body = { content: "Ana hums", user_id: "ana", infer: false, ...fields };
  return server.call("POST", "/v1/memories", { body });
}

async function stored(server: TestServer, fields: Record<string, unknown>) {
  const added = await add(server, fields);
  strictEqual(added.status, 200, added.text);
  return (await server.call("GET", `/v1/memories/${added.json.results[0].id}`)).json;
}

async function refuses(server: TestServer, fields: Record<string, unknown>, path: string) {
  const { status, json, text } = await add(server, fields);
  strictEqual(status, 400, text);
  strictEqual(json.code, "INVALID_REQUEST");
  strictEqual(json.details.issues[0].path, path);
}

Deno.test("scopes are trimmed in bodies, queries and paths alike, and stored trimmed", async () => {
  await withServer(async (server) => {
    const memory = await stored(server, { user_id: "\u00a0 ana\t\n", agent_id: " bot " });
    deepStrictEqual([memory.user_id, memory.agent_id, memory.run_id], ["ana", "bot", null]);
    const list = await server.call("GET", "/v1/memories?user_id=%20ana%0A&agent_id=bot+");
    strictEqual(list.json.results.length, 1);
    const entity = await server.call("GET", "/v1/entities/agent/%20bot");
    strictEqual(entity.json.id, "bot");
    const deleted = await server.call("DELETE", "/v1/memories?user_id=%09ana");
    deepStrictEqual([deleted.json.deleted_memories, deleted.json.user_id], [1, "ana"]);
  });
});

Deno.test("a scope has 1 to 256 characters, none of them a control character", async (t) => {
  await withServer(async (server) => {
    strictEqual((await stored(server, { user_id: ` ${"u".repeat(256)} ` })).user_id.length, 256);
    strictEqual(
      (await stored(server, { user_id: "Ana / Bó?&#%20 😀" })).user_id,
      "Ana / Bó?&#%20 😀",
    );
    const wrong = [
      "",
      "   ",
      "u".repeat(257),
      "a\nb",
      "a\u0000b",
      "a\u007fb",
      "a\u0085b",
      "\ud800",
    ];
    for (const user_id of [...wrong, 7, null, ["ana"], { id: "ana" }]) {
      await t.step(
        JSON.stringify(user_id).slice(0, 40),
        () => refuses(server, { user_id }, "user_id"),
      );
    }
  });
});

Deno.test("a scope with any characters is reached through its path", async (t) => {
  await withServer(async (server) => {
    for (const id of ["a/b", "50%", "%2F", "a b+c", "ä😀", "..", ".", "a?b#c", "user:1", "a%20b"]) {
      await t.step(id, async () => {
        await stored(server, { user_id: id });
        const path = `/v1/entities/user/${encodeURIComponent(id).replaceAll(".", "%2E")}`;
        const { status, json, text } = await server.call("GET", path);
        // A URL parser takes dot segments out, even encoded: such an id is no path segment at all.
        if (id === "." || id === "..") return strictEqual(status, 404, text);
        deepStrictEqual([status, json.id], [200, id]);
      });
    }
  });
});

Deno.test("metadata comes back as it was sent", async () => {
  await withServer(async (server) => {
    const metadata = {
      b: [1, 2.5, -0.1, 1e21, true, null, "x\u2028"],
      a: { "dotted.key": { "": {} } },
      "ключ": "значение 😀",
      nested: [[], [{}]],
    };
    deepStrictEqual((await stored(server, { metadata })).metadata, metadata);
    deepStrictEqual((await stored(server, { metadata: {} })).metadata, {});
    strictEqual((await stored(server, {})).metadata, null);
  });
});

Deno.test("metadata is a JSON object of at most 16 KiB and 8 levels", async (t) => {
  const levels = (count: number): unknown =>
    count === 0 ? 1 : count % 2 ? { a: levels(count - 1) } : [levels(count - 1)];
  const bytes = (size: number) => ({ a: "é".repeat((size - 8) / 2) });
  await withServer(async (server) => {
    await t.step("8 levels", () => stored(server, { metadata: { a: levels(7) } }));
    await t.step("9 levels", () => refuses(server, { metadata: { a: levels(8) } }, "metadata"));
    await t.step("16 KiB", () => stored(server, { metadata: bytes(16_384) }));
    await t.step("16 KiB and 2", () => refuses(server, { metadata: bytes(16_386) }, "metadata"));
    for (const metadata of [[], "text", 7, true, null]) {
      await t.step(JSON.stringify(metadata), () => refuses(server, { metadata }, "metadata"));
    }
    for (const metadata of [{ a: "\0" }, { "\0": 1 }, { a: ["\ud800"] }, { "\udfff": 1 }]) {
      await t.step(
        `unstorable ${JSON.stringify(metadata)}`,
        () => refuses(server, { metadata }, "metadata"),
      );
    }
  });
});

Deno.test("metadata with a number that no double holds is refused, not stored as null", async () => {
  await withServer(async (server) => {
    const headers = { "content-type": "application/json" };
    for (const metadata of ['{"a":1e400}', '{"a":[{"b":-1e999}]}']) {
      const raw = `{"content":"Ana","user_id":"ana","infer":false,"metadata":${metadata}}`;
      const reply = await server.call("POST", "/v1/memories", { raw, headers });
      strictEqual(reply.status, 400, reply.text);
      strictEqual(reply.json.details.issues[0].path, "metadata");
    }
  });
});

Deno.test("an event date is read in every form of the contract and stored in one", async (t) => {
  await withServer(async (server) => {
    const dates = {
      "2026-03-04": "2026-03-04T00:00:00.000Z",
      "2026-03-04T05:06": "2026-03-04T05:06:00.000Z",
      "2026-03-04T05:06:07.123456+0530": "2026-03-03T23:36:07.123Z",
      "0001-01-01": "0001-01-01T00:00:00.000Z",
    };
    for (const [event_date, written] of Object.entries(dates)) {
      await t.step(event_date, async () => {
        const memory = await stored(server, { event_date });
        deepStrictEqual(
          [memory.event_date, memory.valid_from, memory.valid_to],
          [written, written, null],
        );
      });
    }
    for (const event_date of ["", "2026-W10", "2026-03", "2026-02-30", "yesterday", 1772600767]) {
      await t.step(
        `not ${JSON.stringify(event_date)}`,
        () => refuses(server, { event_date }, "event_date"),
      );
    }
  });
});

Deno.test("text is stored exactly as sent, or not at all", async (t) => {
  await withServer(async (server) => {
    for (const content of ["  padded\n", "e\u0301 is not é", "\u200bzero", "a\u0001b", "😀\r\n"]) {
      await t.step(
        JSON.stringify(content),
        async () => strictEqual((await stored(server, { content })).memory, content),
      );
    }
    for (
      const content of ["", " \n\t", "\u3000", "\u0085", "a\0b", "\ud83d", "x\udc00y", null, 7, [
        "x",
      ]]
    ) {
      await t.step(`not ${JSON.stringify(content)}`, () => refuses(server, { content }, "content"));
    }
  });
});

Deno.test("the text of a memory has at most 100,000 bytes", async () => {
  await withServer(async (server) => {
    const longest = "ü".repeat(50_000);
    const { id } = await stored(server, { content: longest });
    await refuses(server, { content: `${longest}x` }, "content");
    const put = (content: string) =>
      server.call("PUT", `/v1/memories/${id}`, { body: { content } });
    strictEqual((await put(`${longest.slice(1)}xy`)).status, 200);
    strictEqual((await put(`${longest}x`)).status, 400);
    const messages = [{ role: "user", content: "fine" }, { role: "user", content: `${longest}x` }];
    await refuses(server, { content: undefined, messages }, "messages.1.content");
  });
});

Deno.test("importance is a number from 0 to 1, a memory type one of eight", async () => {
  await withServer(async (server) => {
    for (const importance of [0, 0.5, 1]) {
      strictEqual((await stored(server, { importance })).importance, importance);
    }
    for (const importance of [-0.01, 1.01, "0.5", null]) {
      await refuses(server, { importance }, "importance");
    }
    const types = "fact preference decision identity event observation goal todo".split(" ");
    for (const memory_type of types) {
      strictEqual((await stored(server, { memory_type })).memory_type, memory_type);
    }
    for (const memory_type of ["Fact", "memory", "", null]) {
      await refuses(server, { memory_type }, "memory_type");
    }
    const { memory_type, importance } = await stored(server, {});
    deepStrictEqual([memory_type, importance], ["fact", 0.5]);
  });
});
