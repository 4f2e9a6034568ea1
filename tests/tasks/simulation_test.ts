/**
 * The task queue under seeded faults. To repeat a failed seed, run `deno task simulate --seed S`.
 */

import { deepStrictEqual } from "node:assert/strict";
import { openAudited, simulate } from "../../testing/simulation/queue.ts";

const SEEDS = 1_000;

Deno.test(`TaskQueue keeps its invariants in ${SEEDS} simulated runs with faults`, async () => {
  const connection = openAudited();
  const failures: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const violations = await simulate(connection, seed);
    if (violations.length > 0) failures.push(`seed ${seed}: ${violations.join("; ")}`);
  }
  connection.close();
  deepStrictEqual(failures, []);
});
