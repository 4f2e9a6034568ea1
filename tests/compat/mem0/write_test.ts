/** Tests updates, deletions, batches and ratings through the mem0-compatible API. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { addTrigger } from "../../../testing/engine.ts";
import { type TestServer, withServer } from "../../../testing/harness.ts";
import { addText, checkError, inferAndWait, mem0, mem0Json } from "./mem0.ts";

const LIST = "/v3/memories/";

async function remaining(server: TestServer, body: unknown = {}): Promise<string[]> {
  const { results } = await mem0Json(server, "POST", LIST, { body });
  return results.map(({ memory }: { memory: string }) => memory).sort();
}

Deno.test("an update through mem0's API replaces metadata but keeps mem0's own fields", async () => {
  await withServer(async (server) => {
    const id = await addText(server, "Green tea", {
      user_id: "ana",
      app_id: "kitchen",
      expiration_date: "2999-01-01",
      metadata: { cups: 1, categories: ["drinks"] },
    });
    const update = async (body: unknown) => {
      const updated = await mem0Json(server, "PUT", `/v1/memories/${id}/`, { body });
      const { memory, metadata, app_id, expiration_date, categories } = updated;
      return { memory, metadata, app_id, expiration_date, categories };
    };
    const kept = { app_id: "kitchen", expiration_date: "2999-01-01", categories: ["drinks"] };
    deepStrictEqual(await update({ text: "Black tea" }), {
      memory: "Black tea",
      metadata: { cups: 1 },
      ...kept,
    });
    deepStrictEqual(await update({ metadata: { sugar: true } }), {
      memory: "Black tea",
      metadata: { sugar: true },
      ...kept,
    });
    deepStrictEqual(await update({ expiration_date: null }), {
      memory: "Black tea",
      metadata: { sugar: true },
      ...kept,
      expiration_date: null,
    });
    const body = { text: "Black tea", timestamp: 1_700_000_000 };
    const updated = await mem0Json(server, "PUT", `/v1/memories/${id}/`, { body });
    deepStrictEqual(updated.ignored, ["timestamp"]);
    const own = (await server.call("GET", `/v1/memories/${id}`)).json;
    deepStrictEqual(own.metadata, { sugar: true, app_id: "kitchen", categories: ["drinks"] });
    for (const body of [{}, { text: " " }, { metadata: "x" }, { expiration_date: "soon" }]) {
      checkError(await mem0(server, "PUT", `/memories/${id}`, { body }), 400, "INVALID_REQUEST");
    }
  });
});

Deno.test("deletions through mem0's API take exactly what their owner names", async () => {
  await withServer(async (server) => {
    await addText(server, "Tea", { user_id: "ana" });
    await addText(server, "Tea in the kitchen", { user_id: "ana", app_id: "kitchen" });
    await addText(server, "Coffee", { user_id: "bo", app_id: "kitchen" });
    await addText(server, "Water", { user_id: "ana", run_id: "r1" });
    const deleteAll = (query: string) => mem0(server, "DELETE", `/v1/memories/?${query}`);

    for (const query of ["", "user_id=", "user_id=*", "run_id=*&user_id=ana", "filters=ana"]) {
      checkError(await deleteAll(query), 400, "INVALID_REQUEST");
    }
    const operators = encodeURIComponent('{"user_id": {"in": ["ana"]}}');
    checkError(await deleteAll(`filters=${operators}`), 400, "INVALID_REQUEST");
    strictEqual((await remaining(server)).length, 4);

    deepStrictEqual((await deleteAll("user_id=ana&app_id=kitchen")).json, {
      message: "Memories deleted successfully!",
    });
    deepStrictEqual(await remaining(server), ["Coffee", "Tea", "Water"]);
    await deleteAll("user_id=ana&run_id=r1");
    deepStrictEqual(await remaining(server), ["Coffee", "Tea"]);
    // As mem0's Python and JavaScript clients write `filters` in a URL.
    await deleteAll(`filters=${encodeURIComponent("{'user_id': 'ana'}")}`);
    deepStrictEqual(await remaining(server), ["Coffee"]);
    await deleteAll(`filters=${encodeURIComponent('{"user_id": "bo"}')}`);
    deepStrictEqual(await remaining(server), []);
  });
});

Deno.test("entities are removed one after the other, even if they share their memories", async () => {
  await withServer(async (server) => {
    await addText(server, "Tea", { user_id: "ana", agent_id: "a/b ü", run_id: "r1" });
    await addText(server, "Coffee", { app_id: "kitchen" });
    await addText(server, "Kept", { user_id: "bo" });
    const remove = (path: string) => mem0Json(server, "DELETE", path);
    const message = { message: "Entity deleted successfully!" };
    deepStrictEqual(await remove(`/v2/entities/agent/${encodeURIComponent("a/b ü")}/`), message);
    deepStrictEqual(await remove("/v2/entities/user/ana/"), message);
    deepStrictEqual(await remove("/v1/entities/run/r1/"), message);
    deepStrictEqual(await remaining(server), ["Coffee", "Kept"]);
    for (const type of ["app", "user"]) {
      checkError(await mem0(server, "DELETE", `/v2/entities/${type}/*/`), 400, "INVALID_REQUEST");
    }
    deepStrictEqual(await remaining(server), ["Coffee", "Kept"]);
    deepStrictEqual(await remove("/v2/entities/app/kitchen/"), message);
    deepStrictEqual(await remaining(server), ["Kept"]);
    checkError(await mem0(server, "DELETE", "/v2/entities/org/x/"), 400, "INVALID_REQUEST");
  });
});

Deno.test("delete_linked also deletes what a memory superseded", async () => {
  await withServer(async (server) => {
    const scope = { user_id: "ana" };
    await inferAndWait(server, "I live in Lisbon.", scope);
    await inferAndWait(server, "I moved to Porto.", scope);
    await inferAndWait(server, "I moved to Braga.", scope);
    await addText(server, "Ana plays the oboe");
    const { results } = await mem0Json(server, "POST", LIST, { body: { filters: scope } });
    const current = results.find(({ memory }: { memory: string }) => memory.includes("Braga"));
    strictEqual(results.length, 4);
    const path = `/v1/memories/${current.id}/?delete_linked=true`;
    const headers = { "idempotency-key": "one" };
    for (const replayed of [null, "true"]) {
      const reply = await mem0(server, "DELETE", path, { headers });
      deepStrictEqual(reply.json, { message: "Memory deleted successfully!", cascade_count: 2 });
      strictEqual(reply.headers.get("idempotency-replayed"), replayed);
    }
    deepStrictEqual(await remaining(server), ["Ana plays the oboe"]);
    checkError(await mem0(server, "DELETE", path), 404, "MEMORY_NOT_FOUND");
  });
});

Deno.test("a batch through mem0's API that changes nothing returns the error of its first memory", async () => {
  await withServer(async (server) => {
    const memory_id = await addText(server, "Tea");
    // Another change comes between the request and its batch.
    const stop = await addTrigger(
      server.directory,
      "after insert on tasks for each row when (new.kind = 'batch_update')",
      "update memories set updated_at = '2030-01-01T00:00:00.000Z'",
    );
    const body = { memories: [{ memory_id, metadata: { cups: 2 } }] };
    const reply = await mem0(server, "PUT", "/v1/batch/", { body });
    await stop();
    checkError(reply, 409, "VERSION_CONFLICT");
    deepStrictEqual(reply.json.details.failed.map(({ code }: { code: string }) => code), [
      "VERSION_CONFLICT",
    ]);
  });
});

Deno.test("a batch through mem0's API is done when it returns, and names what failed", async () => {
  await withServer(async (server) => {
    const tea = await addText(server, "Tea", { user_id: "ana", app_id: "kitchen" });
    const coffee = await addText(server, "Coffee");
    const unknown = "mem_01zzzzzzzzzzzzzzzzzzzzzzzz";
    const update = (memories: unknown) => mem0(server, "PUT", "/v1/batch/", { body: { memories } });
    const updated = await update([
      { memory_id: tea, text: "Green tea", metadata: { cups: 2 } },
      { memory_id: unknown, text: "x", metadata: {} },
      { memory_id: coffee, text: "Black coffee" },
    ]);
    deepStrictEqual(updated.json, {
      message: "Successfully updated 2 memories",
      failed: [{ memory_id: unknown, error: `No memory "${unknown}"`, code: "MEMORY_NOT_FOUND" }],
    });
    deepStrictEqual(await remaining(server), ["Black coffee", "Green tea"]);
    const own = (await server.call("GET", `/v1/memories/${tea}`)).json;
    deepStrictEqual(own.metadata, { cups: 2, app_id: "kitchen" });
    checkError(await update([{ memory_id: unknown, text: "x" }]), 404, "MEMORY_NOT_FOUND");

    for (
      const memories of [
        [],
        "x",
        [{ memory_id: tea }],
        [{ text: "x" }],
        [{ memory_id: tea, text: "x" }, { memory_id: tea, text: "y" }],
        Array.from({ length: 1_001 }, (_, n) => ({ memory_id: `mem_${n}`, text: "x" })),
      ]
    ) {
      checkError(await update(memories), 400, "INVALID_REQUEST");
    }

    const headers = { "idempotency-key": "one" };
    const body = { memories: [{ memory_id: tea }, { memory_id: coffee }] };
    const remove = () => mem0Json(server, "DELETE", "/v1/batch/", { body, headers });
    const message = { message: "Successfully deleted 2 memories" };
    deepStrictEqual([await remove(), await remove()], [message, message]);
    deepStrictEqual(await remaining(server), []);
  });
});

Deno.test("ratings through mem0's API are those of the API", async () => {
  await withServer(async (server) => {
    const id = await addText(server, "Tea");
    const rate = (body: object) =>
      mem0(server, "POST", "/v1/feedback/", { body: { memory_id: id, ...body } });
    const given = await rate({ feedback: "very_negative", feedback_reason: "Stale" });
    deepStrictEqual([given.json.feedback, given.json.feedback_reason], ["VERY_NEGATIVE", "Stale"]);
    const read = async () =>
      (await server.call("GET", `/v1/memories/${id}/feedback`)).json.feedback;
    deepStrictEqual([(await read()).rating, (await read()).id], ["very_negative", given.json.id]);
    strictEqual((await rate({ feedback: null })).status, 200);
    strictEqual(await read(), null);
    checkError(await rate({ feedback: "GREAT" }), 400, "INVALID_REQUEST");
    checkError(await rate({ memory_id: "mem_x", feedback: "POSITIVE" }), 404, "MEMORY_NOT_FOUND");
  });
});
