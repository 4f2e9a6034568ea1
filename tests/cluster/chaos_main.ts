/**
 * `deno task cluster:chaos --rounds N [--seed S] [--faults A,B] [--minutes N] [--processes N]
 * [--clients N]`: runs a chaos campaign of any length. See `faults.ts` for the faults.
 */

import { parseArgs } from "node:util";
import { summarize } from "../crash/report.ts";
import { runChaos } from "./chaos.ts";
import { DEFAULT_FAULTS, type Fault, FAULTS } from "./faults.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    faults: { type: "string", default: DEFAULT_FAULTS.join(",") },
    minutes: { type: "string", default: "Infinity" },
    processes: { type: "string", default: "3" },
    clients: { type: "string", default: "6" },
  },
});
const began = performance.now();
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
const faults = values.faults.split(",") as Fault[];
const unknown = faults.find((fault) => !(fault in FAULTS));
if (unknown !== undefined) throw new Error(`Unknown fault "${unknown}"`);

print(`seed ${values.seed}`);
try {
  const report = await runChaos({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    processes: Number(values.processes),
    clients: Number(values.clients),
    faults,
    deadline: began + Number(values.minutes) * 60_000,
    onRound: (round, report) => round % 10 === 0 && print(`${round} rounds, ${summarize(report)}`),
  });
  print(`${report.cycles} rounds: nothing lost, duplicated or half done`);
  print(`${summarize(report)}; ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  for (const [fault, times] of Object.entries(report.pauseMs)) {
    const sorted = times.toSorted((a, b) => a - b);
    const [median, max] = [sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => ms.toFixed(0));
    print(`${fault}: no response for ${median} ms, at most ${max}`);
  }
  print(`${report.requests} requests. Those that failed, by reason:`);
  for (const [reason, n] of Object.entries(report.errors)) {
    print(`${String(n).padStart(6)}  ${reason}`);
  }
} catch (error) {
  print(`seed ${values.seed}: ${Deno.inspect(error)}`);
  Deno.exit(1);
}
