/** Tests paged lists: no duplicates, no gaps, and cursors that only work for their own list. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";

interface Listed {
  readonly id: string;
  readonly created_at: string;
}

/** Follows a list's cursors to the end. Runs `between` after each page. */
async function follow(
  server: TestServer,
  path: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Listed[][]> {
  const pages: Listed[][] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { status, json, text } = await server.call("GET", `${path}${more}`);
    strictEqual(status, 200, text);
    pages.push(json.results);
    cursor = json.next_cursor;
    if (cursor !== null) match(cursor, /^[A-Za-z0-9_-]+$/);
    await between();
  } while (cursor !== null);
  return pages;
}

async function addMany(server: TestServer, count: number, fields = { user_id: "ana" }) {
  const messages = Array.from({ length: count }, (_, n) => ({ role: "user", content: `${n}` }));
  const body = { messages, infer: false, ...fields };
  const { json } = await server.call("POST", "/v1/memories", { body });
  return json.results.map(({ id }: { id: string }) => id);
}

Deno.test("GET /v1/memories returns each memory once, newest first, and no cursor on the last page", async () => {
  await withServer(async (server) => {
    const ids = await addMany(server, 25);
    const pages = await follow(server, "/v1/memories?user_id=ana&limit=10");
    deepStrictEqual(pages.map((page) => page.length), [10, 10, 5]);
    deepStrictEqual(pages.flat().map(({ id }) => id), ids.toReversed());
    const even = await follow(server, "/v1/memories?user_id=ana&limit=25");
    deepStrictEqual(even.map((page) => page.length), [25], "no empty page at the end");
  });
});

Deno.test("GET /v1/memories returns 50 memories per page by default, and at most 100", async () => {
  await withServer(async (server) => {
    await addMany(server, 120);
    const sizes = async (query: string) =>
      (await follow(server, `/v1/memories?user_id=ana${query}`)).map((page) => page.length);
    deepStrictEqual(await sizes(""), [50, 50, 20]);
    deepStrictEqual(await sizes("&limit=100"), [100, 20]);
  });
});

Deno.test("GET /v1/memories repeats and skips nothing if memories are added or deleted between pages", async () => {
  await withServer(async (server) => {
    const ids: string[] = await addMany(server, 30);
    const doomed = [ids[29]!, ids[14]!];
    const pages = await follow(server, "/v1/memories?user_id=ana&limit=7", async () => {
      await addMany(server, 5);
      const id = doomed.pop();
      if (id !== undefined) await server.call("DELETE", `/v1/memories/${id}`);
    });
    const shown = pages.flat().map(({ id }) => id);
    const expected = ids.toReversed().filter((id) => id !== ids[14]);
    deepStrictEqual(shown, expected, "the newest was shown before it was deleted");
  });
});

Deno.test("GET /v1/memories accepts a cursor after the server was restarted", async () => {
  await withServer(async (server) => {
    await addMany(server, 9);
    const { next_cursor } = (await server.call("GET", "/v1/memories?user_id=ana&limit=5")).json;
    await server.restart();
    const path = `/v1/memories?user_id=ana&cursor=${next_cursor}`;
    strictEqual((await server.call("GET", path)).json.results.length, 4);
  });
});

Deno.test("GET /v1/memories returns 400 for a cursor that was changed or belongs to a different list", async (t) => {
  await withServer(async (server) => {
    const [id] = await addMany(server, 3, { user_id: "ana", run_id: "r" } as never);
    await addMany(server, 3, { user_id: "bo" });
    const elsewhere = await server.createKey("elsewhere");
    await server.call("POST", "/v1/memories", {
      key: elsewhere,
      body: {
        messages: [1, 2].map((n) => ({ role: "user", content: `${n}` })),
        user_id: "ana",
        infer: false,
      },
    });
    await server.call("PUT", `/v1/memories/${id}`, { body: { content: "changed" } });
    const cursorOf = async (path: string, key = server.key) => {
      const { json } = await server.call("GET", `${path}limit=1`, { key });
      ok(json.next_cursor, path);
      return json.next_cursor as string;
    };
    const own = await cursorOf("/v1/memories?user_id=ana&");
    const wrong: Record<string, string> = {
      "one character changed": (own.startsWith("A") ? "B" : "A") + own.slice(1),
      "another scope value": await cursorOf("/v1/memories?user_id=bo&"),
      "a wider scope": await cursorOf("/v1/memories?run_id=r&"),
      "a narrower scope": await cursorOf("/v1/memories?user_id=ana&run_id=r&"),
      "another list": await cursorOf("/v1/entities?"),
      "a history": await cursorOf(`/v1/memories/${id}/history?`),
      "another project": await cursorOf("/v1/memories?user_id=ana&", elsewhere),
    };
    for (const [when, cursor] of Object.entries(wrong)) {
      await t.step(when, async () => {
        const path = `/v1/memories?user_id=ana&cursor=${encodeURIComponent(cursor)}`;
        const { status, json } = await server.call("GET", path);
        strictEqual(status, 400);
        strictEqual(json.code, "INVALID_REQUEST");
        strictEqual(json.details.issues[0].path, "cursor");
      });
    }
  });
});

Deno.test("GET /v1/memories/{id}/history returns pages, oldest first", async () => {
  await withServer(async (server) => {
    const id = await server.add("0");
    for (let n = 1; n < 8; n++) {
      await server.call("PUT", `/v1/memories/${id}`, { body: { content: `${n}` } });
    }
    const pages = await follow(server, `/v1/memories/${id}/history?limit=3`);
    deepStrictEqual(pages.map((page) => page.length), [3, 3, 2]);
    const times = pages.flat().map(({ created_at }) => created_at);
    deepStrictEqual(times, times.toSorted());
  });
});

Deno.test("GET /v1/events, /v1/operations and /v1/entities return pages in the same way", async () => {
  await withServer(async (server) => {
    for (let n = 0; n < 7; n++) {
      await server.call("POST", "/v1/memories", {
        body: { content: `Ana has ${n} cats`, user_id: `u${n}` },
        headers: { "idempotency-key": `${n}` },
      });
      await server.add("a memory", { user_id: `u${n}`, agent_id: "bot" });
    }
    for (const path of ["/v1/events?", "/v1/operations?kind=memory_infer&"]) {
      const pages = await follow(
        server,
        `${path}limit=3`,
        () =>
          server.call("POST", "/v1/memories", {
            body: { content: "more", user_id: "later" },
            headers: { "idempotency-key": crypto.randomUUID() },
          }),
      );
      const ids = pages.flat().map(({ id }) => id);
      strictEqual(new Set(ids).size, ids.length);
      deepStrictEqual(ids, ids.toSorted().toReversed(), "newest first");
    }
    const pages = await follow(
      server,
      "/v1/entities?type=user&limit=3",
      () => server.add("x", { user_id: crypto.randomUUID() }),
    );
    const ids = pages.flat().map(({ id }) => id);
    deepStrictEqual(ids.filter((id) => /^u\d$/.test(id)), [
      "u6",
      "u5",
      "u4",
      "u3",
      "u2",
      "u1",
      "u0",
    ]);
  });
});
