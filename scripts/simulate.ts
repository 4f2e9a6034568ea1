/**
 * `deno task simulate --seeds N --seed S`: simulates the task queue with injected faults, one run
 * per seed.
 */

import { parseArgs } from "node:util";
import { openAudited, simulate } from "../testing/simulation/queue.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
const [first, count] = [Number(values.seed), Number(values.seeds)];
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const start = performance.now();
const connection = openAudited();
let failures = 0;
for (let seed = first; seed < first + count; seed++) {
  const problems = await simulate(connection, seed);
  if (problems.length === 0) continue;
  failures++;
  print(`seed ${seed}: ${problems.join("; ")}`);
}
const seconds = ((performance.now() - start) / 1_000).toFixed(1);
print(`${count} seeds from ${first} in ${seconds} s, ${failures} failed`);
Deno.exit(failures === 0 ? 0 : 1);
