/**
 * `deno task iofaults [--first N] [--step N] [--fault NAME] [--only starts|works]`: causes each
 * kind of fault at each disk call, or at every N-th call, during starts and during the workloads of
 * a running server.
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
const RUNS = {
  starts: runFailingStarts,
  works: async (fault: FaultName, first: number, step: number) =>
    (await runFaults({ [fault]: first }, step))[0]!,
};
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const names = Object.keys(FAULTS) as FaultName[];

for (const name of names.filter((fault) => (values.fault ?? fault) === fault)) {
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
print("nothing acknowledged was lost, nothing refused was applied, every server recovered");
