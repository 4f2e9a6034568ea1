/** The queue under seeded faults. A seed that fails is run again by `deno task simulate --seed S`. */

import { deepStrictEqual } from "node:assert/strict";
import { openAudited, simulate } from "../../testing/simulation/queue.ts";

const SEEDS = 2_000;

Deno.test(`in ${SEEDS} lives under faults no task is lost, done twice, or tried too often`, async () => {
  const connection = openAudited();
  const failures: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const found = await simulate(connection, seed);
    if (found.length > 0) failures.push(`seed ${seed}: ${found.join("; ")}`);
  }
  connection.close();
  deepStrictEqual(failures, []);
});
