/**
 * `deno task crash --cycles N [--seed S] [--clients N] [--engine postgres]`: runs a kill campaign of
 * any length.
 */

import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";
import { type CampaignReport, summarize } from "./report.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    cycles: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    clients: { type: "string", default: "8" },
    engine: { type: "string", default: "sqlite" },
  },
});
if (values.engine !== "sqlite" && values.engine !== "postgres") {
  throw new Error(`Unknown engine "${values.engine}"; use sqlite or postgres`);
}
const began = performance.now();
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

print(`seed ${values.seed}`);
try {
  const report = await runCampaign({
    cycles: Number(values.cycles),
    seed: Number(values.seed),
    clients: Number(values.clients),
    engine: values.engine,
    onCycle: (cycle, report) => cycle % 20 === 0 && print(`${cycle} cycles, ${summary(report)}`),
  });
  print(`${report.cycles} cycles: nothing lost, duplicated or half done`);
  print(summary(report));
} catch (error) {
  print(`seed ${values.seed}: ${(error as Error).stack}`);
  Deno.exit(1);
}

function summary(report: CampaignReport): string {
  return `${summarize(report)}; ${((performance.now() - began) / 1_000).toFixed(0)} s`;
}
