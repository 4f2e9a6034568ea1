/** Texts that nobody waits for give way to the adds that somebody waits for. */

import { ok, strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinWorkers } from "../../src/inference/engine.ts";
import { countLowPriorityThreads, LOW_PRIORITY } from "../../testing/low_priority_threads.ts";

const AT = "2026-03-01T00:00:00.000Z";
const SAID = "I live in Lisbon.";

Deno.test("verbatim texts are read at a low priority, and inferred adds are not", async () => {
  const usual = getPriority();
  // Those of tests before this one may be on their way out.
  const before = await countLowPriorityThreads();
  const engine = new BuiltinWorkers();
  const messages = [{ role: "user", content: SAID }];
  const add = () => engine.extract({ messages, eventDate: null, requestTime: AT });
  try {
    strictEqual((await add())[0]?.claims[0]?.value, "Lisbon");
    // The test itself may have been started at such a priority.
    if (usual < LOW_PRIORITY) ok(await countLowPriorityThreads() <= before);
    const [claims] = await engine.claims([{ text: SAID, date: AT }]);
    strictEqual(claims?.[0]?.value, "Lisbon");
    ok(await countLowPriorityThreads() > 0);
    strictEqual(getPriority(), usual);
    const low = await countLowPriorityThreads();
    await add();
    // Fewer, where a helper of the other thread has gone meanwhile.
    if (usual < LOW_PRIORITY) ok(await countLowPriorityThreads() <= low);
  } finally {
    engine.close();
  }
});
