/** A worker lives from its first question on, and where it is told so no longer than it is needed. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { WorkerClient } from "../../src/kernel/worker_client.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const COUNTING = new URL("./counting_worker.ts", import.meta.url);
const FAILING = new URL("./failing_worker.ts", import.meta.url);

Deno.test("a worker without questions ends after its time, and the next one starts it anew", async () => {
  const client = new WorkerClient<null, number>(COUNTING, "", 1);
  try {
    const both = await Promise.all([client.request(null), client.request(null)]);
    deepStrictEqual([...both, await client.request(null)], [1, 2, 3]);
    await waitUntil(() => client.request(null), (asked) => asked === 1);
  } finally {
    client.close();
  }
});

Deno.test("a worker that is closed owes nothing, and answers whoever asks it again", async () => {
  const client = new WorkerClient<null, number>(COUNTING);
  const owed = client.request(null);
  client.close();
  await rejects(owed, /The worker was stopped/);
  strictEqual(await client.request(null), 1);
  client.close();
});

Deno.test("what a worker is told comes in its turn and has no answer", async () => {
  const client = new WorkerClient<null, number>(COUNTING);
  const first = client.request(null);
  client.notify(null);
  deepStrictEqual([await first, await client.request(null), client.load], [1, 3, 0]);
  client.close();
});

Deno.test("a worker that fails at what it is told dies, and with it what it owes", async () => {
  const client = new WorkerClient<"wait" | "fail", never>(FAILING);
  const owed = client.request("wait");
  client.notify("fail");
  await rejects(owed, /The worker died: .*Told something wrong/);
  strictEqual(client.load, 0);
  client.close();
});
