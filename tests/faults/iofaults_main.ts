/**
 * `deno task iofaults [--step N] [--fault NAME]`: each kind of fault at each call to the disk, or at
 * every N-th.
 */

import { parseArgs } from "node:util";
import { type FaultName, FAULTS, runFaults } from "./faults.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: { step: { type: "string", default: "1" }, fault: { type: "string" } },
});
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const names = Object.keys(FAULTS) as FaultName[];

for (const name of names.filter((each) => (values.fault ?? each) === each)) {
  try {
    const { runs, calls, failures, refused } = await runFaults(name, 1, Number(values.step));
    print(`${name}: ${runs} runs of ${calls} calls, ${failures} failed, ${refused} refused`);
  } catch (error) {
    print((error as Error).message);
    Deno.exit(1);
  }
}
print("nothing acknowledged was lost, nothing refused was done, every server recovered");
