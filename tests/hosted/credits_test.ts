/** Tests credits in the hosted variant: every use is charged once, and failures are free. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { addTrigger, FAILURE } from "../../testing/engine.ts";
import sql from "sql-template-tag";
import { type TestServer, withServer } from "../../testing/harness.ts";
import {
  announce,
  bytesOf,
  complete,
  extractFile,
  freshKey,
  put,
  waitForOperation,
} from "../uploads/files.ts";

const HOSTED = { variant: "hosted" } as const;
const SCOPE = { user_id: "ana" };

function grant(server: TestServer, amount: number) {
  return server.manage("credits", "grant", "--project", "default", String(amount));
}

function credits(server: TestServer) {
  return server.manage("credits", "show", "--project", "default");
}

async function balance(server: TestServer): Promise<number> {
  return (await credits(server)).balance;
}

Deno.test("credits show starts at 0 and includes grants", async () => {
  await withServer(async (server) => {
    const [{ id: project_id }] = await server.manage("projects", "list");
    deepStrictEqual(await credits(server), {
      project_id,
      balance: 0,
      reserved: 0,
      granted: 0,
      spent: 0,
    });
    deepStrictEqual(await grant(server, 30), { project_id, granted: 30, balance: 30 });
    deepStrictEqual(await grant(server, 12), { project_id, granted: 12, balance: 42 });
    strictEqual((await credits(server)).granted, 42);
  }, HOSTED);
});

/** Requests, and the price of each. */
const PRICED_REQUESTS: readonly (readonly [
  what: string,
  price: number,
  request: readonly [method: string, path: string, body?: Readonly<Record<string, unknown>>],
])[] = [
  ["a verbatim add", 1, ["POST", "/v1/memories", { content: "Tea", infer: false, ...SCOPE }]],
  ["a verbatim add with three messages", 1, ["POST", "/v1/memories", {
    messages: ["One", "Two", "Three"].map((content) => ({ role: "user", content })),
    infer: false,
    ...SCOPE,
  }]],
  ["a memory search", 1, ["POST", "/v1/memories/search", { query: "tea", ...SCOPE }]],
  ["a document search", 1, ["POST", "/v1/documents/search", { query: "tea", ...SCOPE }]],
  ["a context", 2, ["POST", "/v1/context", { query: "tea", ...SCOPE }]],
  ["a context of memories", 1, ["POST", "/v1/context", { query: "tea", include: ["memories"] }]],
  ["a context without searches", 0, ["POST", "/v1/context", {
    query: "tea",
    include: ["state"],
    ...SCOPE,
  }]],
  ["a document with one chunk", 1, ["POST", "/v1/documents", {
    source_key: "a",
    content: "Tea",
    ...SCOPE,
  }]],
  ["the same document again", 0, ["POST", "/v1/documents", {
    source_key: "a",
    content: "Tea",
    ...SCOPE,
  }]],
  ["a list", 0, ["GET", "/v1/memories?user_id=ana"]],
  ["an export", 0, ["POST", "/v1/exports"]],
];

Deno.test("each operation costs the price listed in the table", async () => {
  await withServer(async (server) => {
    await grant(server, 100);
    for (const [what, price, [method, path, body]] of PRICED_REQUESTS) {
      const before = await balance(server);
      const reply = await server.call(method, path, {
        ...body === undefined ? {} : { body },
        headers: freshKey(),
      });
      strictEqual(reply.status < 300, true, `${what}: ${reply.text}`);
      strictEqual(before - await balance(server), price, what);
    }
  }, HOSTED);
});

Deno.test("a request without enough credits returns 402 and changes nothing", async () => {
  await withServer(async (server) => {
    const add = (infer: boolean) =>
      server.call("POST", "/v1/memories", {
        body: { content: "I live in Oslo", infer, ...SCOPE },
        headers: freshKey(),
      });
    for (const [infer, required] of [[false, 1], [true, 2]] as const) {
      const refused = await add(infer);
      strictEqual(refused.status, 402);
      strictEqual(refused.json.code, "INSUFFICIENT_CREDITS");
      deepStrictEqual(refused.json.details, { required, available: 0 });
    }
    const document = await server.call("POST", "/v1/documents", {
      body: { source_key: "a", content: "Tea", ...SCOPE },
      headers: freshKey(),
    });
    strictEqual(document.status, 402);
    const search = await server.call("POST", "/v1/memories/search", {
      body: { query: "tea", ...SCOPE },
    });
    strictEqual(search.status, 402);
    deepStrictEqual((await server.call("GET", "/v1/memories?user_id=ana")).json.results, []);
    deepStrictEqual((await server.call("GET", "/v1/documents")).json.results, []);
    deepStrictEqual((await server.call("GET", "/v1/events")).json.results, []);
  }, HOSTED);
});

Deno.test("a replayed request is charged only once", async () => {
  await withServer(async (server) => {
    await grant(server, 10);
    const headers = freshKey();
    for (const infer of [false, false]) {
      await server.call("POST", "/v1/memories", {
        body: { content: "Tea", infer, ...SCOPE },
        headers,
      });
    }
    strictEqual(await balance(server), 9);
  }, HOSTED);
});

Deno.test("an inferred add reserves credits when it is accepted and spends them when it succeeds", async () => {
  await withServer(async (server) => {
    await grant(server, 10);
    const accepted = await server.call("POST", "/v1/memories", {
      body: { content: "I live in Oslo", ...SCOPE },
      headers: freshKey(),
    });
    strictEqual((await waitForOperation(server, accepted.json.event_id)).status, "success");
    const { balance, reserved, spent } = await credits(server);
    deepStrictEqual({ balance, reserved, spent }, { balance: 8, reserved: 0, spent: 2 });
  }, HOSTED);
});

Deno.test("an extraction is charged once by file size, and once for each new chunk", async () => {
  await withServer(async (server) => {
    await grant(server, 60);
    const { operation } = await extractFile(server, { bytes: bytesOf("The tide table of 1844") });
    strictEqual(operation.status, "success");
    strictEqual(operation.result.chunks, 1);
    strictEqual((await credits(server)).spent, 51);
    // The same text is the same document, so only the extraction is charged again.
    await grant(server, 50);
    await extractFile(server, { bytes: bytesOf("The tide table of 1844") });
    strictEqual((await credits(server)).spent, 101);
  }, HOSTED);
});

Deno.test("a failed extraction is refunded, and reserved again for a retry", async () => {
  await withServer(async (server) => {
    await grant(server, 60);
    const fields = { content_type: "application/pdf", filename: "broken.pdf" };
    const { id, operation } = await extractFile(server, { bytes: bytesOf("%PDF-1.7 no"), fields });
    strictEqual(operation.status, "dead");
    strictEqual(await balance(server), 60);
    await server.call("POST", `/v1/operations/${operation.id}/retry`);
    strictEqual((await waitForOperation(server, operation.id)).status, "dead");
    const after = await credits(server);
    deepStrictEqual([after.balance, after.reserved, after.spent], [60, 0, 0]);
    strictEqual((await server.call("DELETE", `/v1/document-uploads/${id}`)).status, 204);
    strictEqual(await balance(server), 60);
  }, HOSTED);
});

Deno.test("deleting an upload refunds its reservation", async () => {
  await withServer(async (server) => {
    await grant(server, 60);
    // This trigger makes the extraction fail, so the operation has to wait for a retry.
    const event = "before update of artifact_id on source_assets for each row";
    await addTrigger(server.directory, event, FAILURE);
    const { id, operation } = await extractFile(server, { bytes: bytesOf("The tide table") });
    strictEqual(operation.status, "retry");
    strictEqual((await credits(server)).reserved, 50);
    strictEqual((await server.call("DELETE", `/v1/document-uploads/${id}`)).status, 204);
    const after = await credits(server);
    deepStrictEqual([after.balance, after.reserved, after.spent], [60, 0, 0]);
  }, HOSTED);
});

Deno.test("a retry without enough credits is rejected, and the operation stays dead", async () => {
  await withServer(async (server) => {
    await grant(server, 50);
    const fields = { content_type: "application/pdf", filename: "broken.pdf" };
    const { operation } = await extractFile(server, { bytes: bytesOf("%PDF-1.7 no"), fields });
    await server.add("Tea");
    const refused = await server.call("POST", `/v1/operations/${operation.id}/retry`);
    strictEqual(refused.json.code, "INSUFFICIENT_CREDITS");
    strictEqual((await waitForOperation(server, operation.id)).status, "dead");
    strictEqual((await credits(server)).reserved, 0);
  }, HOSTED);
});

Deno.test("an extracted document is stored even if there are no credits left for its chunks", async () => {
  await withServer(async (server) => {
    await grant(server, 50);
    const { operation } = await extractFile(server, { bytes: bytesOf("The tide table of 1844") });
    strictEqual(operation.status, "success");
    strictEqual(await balance(server), -1);
    strictEqual((await server.call("GET", "/v1/documents")).json.results.length, 1);
  }, HOSTED);
});

Deno.test("an upload without enough credits can be completed later", async () => {
  await withServer(async (server) => {
    const file = { bytes: bytesOf("The tide table of 1844") };
    const { source_asset } = await announce(server, file);
    await put(server, source_asset.id, file);
    const refused = await complete(server, source_asset.id);
    strictEqual(refused.json.code, "INSUFFICIENT_CREDITS");
    deepStrictEqual(refused.json.details, { required: 50, available: 0 });
    await grant(server, 51);
    strictEqual((await complete(server, source_asset.id)).status, 202);
    strictEqual((await complete(server, source_asset.id)).status, 202);
    strictEqual((await waitForOperation(server, source_asset.operation_id)).status, "success");
    strictEqual(await balance(server), 0);
  }, HOSTED);
});

Deno.test("the accounts equal the sums of the ledger entries", async () => {
  await withServer(async (server) => {
    await grant(server, 200);
    await server.add("Tea");
    await server.call("POST", "/v1/memories/search", { body: { query: "tea", ...SCOPE } });
    await extractFile(server, { bytes: bytesOf("The tide table of 1844") });
    const fields = { content_type: "application/pdf", filename: "broken.pdf" };
    await extractFile(server, { bytes: bytesOf("%PDF-1.7 no"), fields });
    const shown = await credits(server);
    const [sums] = await server.records<{ granted: number; reserved: number; spent: number }>(
      sql`select
        sum(case when debit = 'granted' then amount else 0 end) as granted,
        sum(case credit when 'reserved' then amount else 0 end)
          - sum(case debit when 'reserved' then amount else 0 end) as reserved,
        sum(case credit when 'spent' then amount else 0 end) as spent
        from credit_entries`,
    );
    const { granted, reserved, spent } = shown;
    deepStrictEqual({ ...sums }, { granted, reserved, spent });
  }, HOSTED);
});

Deno.test("DELETE /v1/documents/{id} requires an Idempotency-Key in the hosted variant", async () => {
  await withServer(async (server) => {
    const refused = await server.call("DELETE", "/v1/documents/doc_x");
    strictEqual(refused.json.code, "IDEMPOTENCY_KEY_REQUIRED");
  }, HOSTED);
});

Deno.test("nothing costs credits in the other variants", async () => {
  await withServer(async (server) => {
    await server.add("Tea");
    strictEqual(
      (await server.call("POST", "/v1/documents/search", { body: { query: "a", ...SCOPE } }))
        .status,
      200,
    );
    strictEqual((await credits(server)).spent, 0);
  });
});
