/**
 * `deno task iofaults [--first N] [--step N] [--fault NAME] [--only starts|works]`: each kind of
 * fault at each call to the disk, or at every N-th from one on; of starts, and of the works of a
 * server that runs.
 */

import { parseArgs } from "node:util";
import { runFailingStarts } from "./failing_start.ts";
import { type FaultName, FAULTS, runFaults } from "./faults.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    first: { type: "string", default: "1" },
    step: { type: "string", default: "1" },
    fault: { type: "string" },
    only: { type: "string" },
  },
});
const RUNS = { starts: runFailingStarts, works: runFaults };
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const names = Object.keys(FAULTS) as FaultName[];

for (const name of names.filter((each) => (values.fault ?? each) === each)) {
  for (const [what, run] of Object.entries(RUNS)) {
    if (what !== (values.only ?? what)) continue;
    try {
      const { runs, calls, failures, refused } = await run(
        name,
        Number(values.first),
        Number(values.step),
      );
      print(`${name}: ${runs} ${what} with ${calls} calls, ${failures} failed, ${refused} refused`);
    } catch (error) {
      print((error as Error).message);
      Deno.exit(1);
    }
  }
}
print("nothing acknowledged was lost, nothing refused was done, every server recovered");
