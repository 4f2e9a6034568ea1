/**
 * Makes sure that the thread for verbatim texts runs at a lower priority than the one for inferred
 * adds.
 */

import { ok, strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import { BUILTIN_CONFIG } from "../../src/inference/service.ts";
import { countLowPriorityThreads, LOW_PRIORITY } from "../../testing/low_priority_threads.ts";
import { testWith } from "../../testing/tools.ts";

const AT = "2026-03-01T00:00:00.000Z";
const SAID = "I live in Lisbon.";

testWith(
  ["ps"],
  "BuiltinWorkers reads verbatim texts at low priority, and inferred adds at normal priority",
  async () => {
    const usual = getPriority();
    // Threads from earlier tests may still be exiting.
    const before = await countLowPriorityThreads();
    const engine = new BuiltinWorkers(BUILTIN_CONFIG);
    const messages = [{ role: "user", content: SAID }];
    const add = () => engine.extract({ messages, eventDate: null, requestTime: AT });
    try {
      strictEqual((await add()).facts[0]?.claims[0]?.value, "Lisbon");
      // The test itself may have been started at low priority.
      if (usual < LOW_PRIORITY) ok(await countLowPriorityThreads() <= before);
      const [readings] = await Array.fromAsync(engine.claims([{ text: SAID, date: AT }]));
      const reading = readings?.[0];
      ok(reading !== undefined && "claims" in reading);
      strictEqual(reading.claims[0]?.value, "Lisbon");
      ok(await countLowPriorityThreads() > 0);
      strictEqual(getPriority(), usual);
      const low = await countLowPriorityThreads();
      await add();
      // There may be fewer threads, in case one of the other thread's helpers has exited in the
      // meantime.
      if (usual < LOW_PRIORITY) ok(await countLowPriorityThreads() <= low);
    } finally {
      engine.close();
    }
  },
);
