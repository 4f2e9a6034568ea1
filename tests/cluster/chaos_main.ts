/**
 * `deno task cluster:chaos --rounds N [--seed S] [--faults A,B] [--minutes N] [--processes N]
 * [--clients N]`: runs a chaos campaign of any length. See `faults.ts` for the faults.
 */

import { print, runCommand } from "../crash/command.ts";
import { type CampaignReport, summarize } from "../crash/report.ts";
import { runChaos } from "./chaos.ts";
import { DEFAULT_FAULTS, type Fault, FAULTS } from "./faults.ts";

const DEFAULTS = {
  rounds: 20,
  faults: DEFAULT_FAULTS.join(","),
  minutes: Infinity,
  processes: 3,
  clients: 6,
};
const began = performance.now();

await runCommand(DEFAULTS, async ({ minutes, faults: names, ...options }) => {
  const faults = names.split(",") as Fault[];
  const unknown = faults.find((fault) => !(fault in FAULTS));
  if (unknown !== undefined) throw new Error(`Unknown fault "${unknown}"`);
  const report = await runChaos({
    ...options,
    faults,
    deadline: began + minutes * 60_000,
    onRound: (round, report) => round % 10 === 0 && print(`${round} rounds, ${summarize(report)}`),
  });
  print(`${report.cycles} rounds: nothing lost, duplicated or half done`);
  print(`${summarize(report)}; ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  printPauses(report);
  print(`${report.requests} requests. Those that failed, by reason:`);
  for (const [reason, n] of Object.entries(report.errors)) {
    print(`${String(n).padStart(6)}  ${reason}`);
  }
});

/** Prints how long no command was acknowledged, by fault. */
function printPauses({ pauseMs }: CampaignReport): void {
  for (const [fault, times] of Object.entries(pauseMs)) {
    const sorted = times.toSorted((a, b) => a - b);
    const [median, max] = [sorted[sorted.length >> 1]!, sorted.at(-1)!].map((ms) => ms.toFixed(0));
    print(`${fault}: no response for ${median} ms, at most ${max}`);
  }
}
