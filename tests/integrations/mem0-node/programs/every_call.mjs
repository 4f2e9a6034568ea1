/**
 * Makes every call of mem0's JavaScript client that the mem0-compatible API serves, and checks each
 * result against what the API returns for the same record under /v1. Prints the methods called.
 */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { MemoryClient, MemoryNotFoundError, ValidationError } from "mem0ai";

const { COMMONPLACE_URL: url, COMMONPLACE_API_KEY: key } = process.env;
const client = new MemoryClient({ apiKey: key, host: `${url}/mem0` });
const called = new Set();
const mem0 = new Proxy(client, {
  get(target, method) {
    called.add(method);
    return target[method].bind(target);
  },
});

/** Requests a path of the API itself. */
async function v1(method, path, body) {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.status === 404 ? null : await response.json();
}

const own = (id) => v1("GET", `/memories/${id}`);

/** Waits for an event through mem0's path. The client has no method for it. */
async function ended(eventId) {
  const headers = { authorization: `Token ${key}` };
  for (let attempt = 0; attempt < 600; attempt++) {
    const event = await (await fetch(`${url}/mem0/v1/event/${eventId}/`, { headers })).json();
    if (["SUCCEEDED", "FAILED"].includes(event.status)) return event;
    await delay(50);
  }
  throw new Error(`${eventId} did not end`);
}

await mem0.ping();
strictEqual(client.organizationId, "commonplace");
ok(client.projectId.startsWith("proj_"));

// add
const asked = [{ role: "user", content: "I live in Lisbon. I play the oboe." }];
const pending = await mem0.add(asked, { userId: "ana" });
strictEqual(pending.status, "PENDING");
const event = await ended(pending.eventId);
strictEqual(event.status, "SUCCEEDED");
for (const { id, memory } of event.results) {
  const record = await own(id);
  deepStrictEqual([record.memory, record.user_id], [memory, "ana"]);
}
const image = { type: "image_url", image_url: { url: "https://pictures.example/1.png" } };
const added = await mem0.add([
  { role: "user", content: "Green tea after lunch" },
  { role: "assistant", content: "Black tea in the morning" },
  { role: "user", content: image },
], {
  userId: "ana",
  runId: "r1",
  appId: "kitchen",
  infer: false,
  timestamp: 1_700_000_000,
  expirationDate: "2999-12-31",
  metadata: { teaKind: "green" },
  customInstructions: "Only drinks",
});
deepStrictEqual(added.ignored, ["custom_instructions", "messages.2.content.0"]);
const [green, black] = added.results.map(({ id }) => id);
const record = await own(green);
deepStrictEqual(
  [record.memory, record.user_id, record.run_id, record.event_date, record.metadata],
  ["Green tea after lunch", "ana", "r1", "2023-11-14T22:13:20.000Z", {
    teaKind: "green",
    app_id: "kitchen",
    expiration_date: "2999-12-31",
  }],
);
await rejects(mem0.add(asked, { infer: false }), ValidationError);

// search
const query = "tea in the morning";
const expected = (await v1("POST", "/memories/search", { query, user_id: "ana" })).results;
const found = await mem0.search(query, { filters: { user_id: "ana" }, topK: 1000, rerank: true });
deepStrictEqual(
  found.results.map(({ id, score }) => [id, score]),
  expected.map(({ id, score }) => [id, score]),
);
strictEqual(found.results[0].id, black);
deepStrictEqual(found.ignored, ["rerank"]);
const one = await mem0.search("green tea", {
  filters: { AND: [{ user_id: "ana" }, { metadata: { teaKind: "green" } }, { app_id: "*" }] },
  topK: 1,
  threshold: 0.01,
  showExpired: true,
  latestOnly: true,
});
deepStrictEqual([one.results[0].appId, one.results[0].metadata], ["kitchen", { teaKind: "green" }]);
await rejects(mem0.search("tea", { filters: { user_id: { like: "a" } } }), ValidationError);

// getAll
const all = (await v1("GET", "/memories?user_id=ana")).results.map(({ id }) => id);
const seen = [];
for (let page = 1, next = ""; next !== null; page++) {
  const result = await mem0.getAll({ filters: { user_id: "ana" }, page, pageSize: 2 });
  deepStrictEqual([result.count, result.previous === null], [all.length, page === 1]);
  seen.push(...result.results.map(({ id }) => id));
  next = result.next;
}
deepStrictEqual(seen.toSorted(), all.toSorted());
const ofRun = await mem0.getAll({ filters: { run_id: "r1" } });
deepStrictEqual([ofRun.count, ofRun.results[0].runId, ofRun.results[0].sessionId], [2, "r1", "r1"]);

// get, update, history, feedback
const memory = await mem0.get(green);
deepStrictEqual([memory.memory, memory.expirationDate], ["Green tea after lunch", "2999-12-31"]);
await mem0.update(green, { text: "White tea", metadata: { teaKind: "white" } });
await mem0.update(green, { expirationDate: null });
const updated = await own(green);
deepStrictEqual([updated.memory, updated.metadata], ["White tea", {
  teaKind: "white",
  app_id: "kitchen",
}]);
const history = await mem0.history(green);
deepStrictEqual(history.map(({ event }) => event), ["ADD", "UPDATE", "UPDATE"]);
deepStrictEqual([history[1].oldMemory, history[1].newMemory], [
  "Green tea after lunch",
  "White tea",
]);
const rating = await mem0.feedback({
  memoryId: green,
  feedback: "VERY_NEGATIVE",
  feedbackReason: "Stale",
});
const stored = (await v1("GET", `/memories/${green}/feedback`)).feedback;
deepStrictEqual([stored.id, stored.rating, stored.reason], [rating.id, "very_negative", "Stale"]);
await mem0.feedback({ memoryId: green, feedback: null });
strictEqual((await v1("GET", `/memories/${green}/feedback`)).feedback, null);
await rejects(mem0.get("mem_01zzzzzzzzzzzzzzzzzzzzzzzz"), MemoryNotFoundError);

// batches and deletions
await mem0.batchUpdate([{ memoryId: green, text: "Mint tea" }]);
strictEqual((await own(green)).memory, "Mint tea");
await mem0.batchDelete([green]);
strictEqual(await own(green), null);
strictEqual((await mem0.delete(black)).message, "Memory deleted successfully!");
strictEqual(await own(black), null);
await rejects(mem0.delete(black, { deleteLinked: true }), MemoryNotFoundError);
await rejects(mem0.deleteAll(), ValidationError);
await rejects(mem0.deleteAll({ userId: "*" }), ValidationError);
await mem0.deleteAll({ userId: "ana" });
deepStrictEqual((await v1("GET", "/memories?user_id=ana")).results, []);

// entities
await mem0.add(asked, { userId: "bo", agentId: "cook", runId: "r1", infer: false });
await mem0.add(asked, { appId: "kitchen", infer: false });
const users = await mem0.users({ page: 1, pageSize: 2 });
deepStrictEqual([users.count, users.results.length], [4, 2]);
const records = (await v1("GET", "/entities")).results;
deepStrictEqual(
  (await mem0.users()).results.map(({ type, name, totalMemories }) => [type, name, totalMemories]),
  records.map(({ type, id, total_memories }) => [type, id, total_memories]),
);
await mem0.deleteUser({ entity_type: "run", entity_id: "r1" });
await mem0.deleteUsers({ appId: "kitchen" });
deepStrictEqual((await v1("GET", "/entities")).results, []);
await mem0.add(asked, { userId: "bo", agentId: "cook", infer: false });
await mem0.deleteUsers();
deepStrictEqual((await v1("GET", "/entities")).results, []);

const served = [...called].toSorted();
for (
  const refused of [
    () => mem0.createMemoryExport({ schema: {}, filters: { user_id: "ana" } }),
    () => mem0.getProfile({ entityId: "ana" }),
    () => mem0.generateProfile({ entityId: "ana" }),
    () => mem0.getProject({ fields: [] }),
    () => mem0.getWebhooks(),
  ]
) await rejects(refused(), (error) => error.errorCode === "HTTP_501");

const stranger = new MemoryClient({ apiKey: "cpl_wrong", host: `${url}/mem0` });
await rejects(stranger.ping(), (error) => error.errorCode === "HTTP_401");
process.stdout.write(`MemoryClient: ${served.length} methods: ${served.join(", ")}\n`);
