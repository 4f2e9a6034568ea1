/**
 * `deno task cluster:chaos --rounds N [--seed S] [--processes N] [--clients N]`: runs a chaos campaign
 * of any length.
 */

import { parseArgs } from "node:util";
import { summarize } from "../crash/report.ts";
import { runChaos } from "./chaos.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "3" },
    clients: { type: "string", default: "6" },
  },
});
const began = performance.now();
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

print(`seed ${values.seed}`);
try {
  const report = await runChaos({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    processes: Number(values.processes),
    clients: Number(values.clients),
    onRound: (round, report) => round % 10 === 0 && print(`${round} rounds, ${summarize(report)}`),
  });
  print(`${report.cycles} rounds: nothing lost, duplicated or half done`);
  print(`${summarize(report)}; ${((performance.now() - began) / 1_000).toFixed(0)} s`);
} catch (error) {
  print(`seed ${values.seed}: ${Deno.inspect(error)}`);
  Deno.exit(1);
}
