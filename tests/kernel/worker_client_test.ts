/** Tests workers that start, stop and fail. */

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { allWorkersEnded } from "../../src/kernel/process/ending_workers.ts";
import { WorkerClient } from "../../src/kernel/process/worker_client.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const COUNTING = new URL("./counting_worker.ts", import.meta.url);
const BUSY = new URL("./busy_worker.ts", import.meta.url);
const FAILING = new URL("./failing_worker.ts", import.meta.url);

Deno.test("WorkerClient stops its worker after the idle timeout, and starts a new one for the next request", async () => {
  const client = new WorkerClient<null, number>(COUNTING, "", 1);
  try {
    const both = await Promise.all([client.request(null), client.request(null)]);
    deepStrictEqual([...both, await client.request(null)], [1, 2, 3]);
    await waitUntil(() => client.request(null), (received) => received === 1);
  } finally {
    client.close();
  }
});

Deno.test("WorkerClient.close() rejects pending requests, and a later request starts a new worker", async () => {
  const client = new WorkerClient<null, number>(COUNTING);
  const pending = client.request(null);
  client.close();
  await rejects(pending, /The worker was stopped/);
  strictEqual(await client.request(null), 1);
  client.close();
});

Deno.test("WorkerClient.notify() delivers messages in order, without a response", async () => {
  const client = new WorkerClient<null, number>(COUNTING);
  const first = client.request(null);
  client.notify(null);
  deepStrictEqual([await first, await client.request(null), client.load], [1, 3, 0]);
  client.close();
});

Deno.test("WorkerClient.notify() rejects pending requests if the worker fails", async () => {
  const client = new WorkerClient<"wait" | "fail", never>(FAILING);
  const pending = client.request("wait");
  client.notify("fail");
  await rejects(pending, /The worker died: .*Received "fail"/);
  strictEqual(client.load, 0);
  client.close();
});

Deno.test("WorkerClient.request() that can't be sent rejects and isn't pending", async () => {
  const client = new WorkerClient<() => void, never>(COUNTING, "", 1);
  await rejects(client.request(() => {}), { name: "DataCloneError" });
  strictEqual(client.load, 0);
  await waitUntil(() => Promise.resolve(client.isRunning), (isRunning) => !isRunning);
});

Deno.test("WorkerClient.closeWhenDone() rejects pending requests, but lets the worker finish them", async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const client = new WorkerClient<Int32Array, void>(BUSY);
  // Until the thread has started, which takes long on a busy machine.
  await client.request(new Int32Array(new SharedArrayBuffer(4)));
  const pending = client.request(flag);
  client.closeWhenDone();
  await rejects(pending, /The worker was stopped/);
  await allWorkersEnded();
  strictEqual(flag[0], 1);
});
