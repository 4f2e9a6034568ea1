/**
 * Makes sure that the thread for verbatim texts runs at a lower priority than the one for inferred
 * adds.
 */

import { ok, strictEqual } from "node:assert/strict";
import { threadCountsOf } from "../../testing/low_priority_threads.ts";
import { testWith } from "../../testing/tools.ts";

testWith(
  ["ps"],
  "BuiltinWorkers reads verbatim texts at low priority, and inferred adds at normal priority",
  async () => {
    const counts = await threadCountsOf(new URL("inference_threads.ts", import.meta.url));
    if (counts === null) return;
    strictEqual(counts["add"], 0);
    ok(counts["verbatim"]! > 0);
    // There may be fewer, in case a helper of the other thread has exited in the meantime.
    ok(counts["secondAdd"]! <= counts["verbatim"]!);
  },
);
