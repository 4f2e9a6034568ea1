/**
 * `deno task crash --cycles N [--seed S] [--clients N] [--engine postgres]`: runs a kill campaign of
 * any length.
 */

import { runCampaign } from "./campaign.ts";
import { print, runCommand } from "./command.ts";
import { type CampaignReport, summarize } from "./report.ts";

const DEFAULTS = { cycles: 50, clients: 8, engine: "sqlite" };
const began = performance.now();

await runCommand(DEFAULTS, async ({ engine, ...options }) => {
  if (engine !== "sqlite" && engine !== "postgres") {
    throw new Error(`Unknown engine "${engine}"; use sqlite or postgres`);
  }
  const report = await runCampaign({
    ...options,
    engine,
    onCycle: (cycle, report) => cycle % 20 === 0 && print(`${cycle} cycles, ${summary(report)}`),
  });
  print(`${report.cycles} cycles: nothing lost, duplicated or half done`);
  print(summary(report));
});

function summary(report: CampaignReport): string {
  return `${summarize(report)}; ${((performance.now() - began) / 1_000).toFixed(0)} s`;
}
