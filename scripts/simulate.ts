/** `deno task simulate --seeds N --seed S`: lives of the queue under faults, one a seed. */

import { parseArgs } from "node:util";
import { openAudited, simulate } from "../testing/simulation/queue.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
const [first, count] = [Number(values.seed), Number(values.seeds)];
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const started = performance.now();
const connection = openAudited();
let failures = 0;
for (let seed = first; seed < first + count; seed++) {
  const found = await simulate(connection, seed);
  if (found.length === 0) continue;
  failures++;
  print(`seed ${seed}: ${found.join("; ")}`);
}
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
print(`${count} seeds from ${first} in ${seconds} s, ${failures} failed`);
Deno.exit(failures === 0 ? 0 : 1);
