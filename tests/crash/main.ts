/** `deno task crash --cycles N [--seed S] [--clients N]`: runs a kill campaign of any length. */

import { parseArgs } from "node:util";
import { type CampaignReport, runCampaign } from "./campaign.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    cycles: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    clients: { type: "string", default: "8" },
  },
});
const began = performance.now();
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

print(`seed ${values.seed}`);
try {
  const report = await runCampaign({
    cycles: Number(values.cycles),
    seed: Number(values.seed),
    clients: Number(values.clients),
    onCycle: (cycle, report) => cycle % 20 === 0 && print(`${cycle} cycles, ${summary(report)}`),
  });
  print(`${report.cycles} cycles: nothing lost, duplicated or half done`);
  print(summary(report));
} catch (error) {
  print(`seed ${values.seed}: ${(error as Error).stack}`);
  Deno.exit(1);
}

function summary(report: CampaignReport): string {
  const restarts = report.restartMs.toSorted((a, b) => a - b);
  const seconds = (performance.now() - began) / 1_000;
  return [
    `${report.acknowledged} acknowledged`,
    `in doubt ${report.inDoubtDone} done, ${report.inDoubtNotDone} not done`,
    `${report.replays} replays`,
    `${report.twins} twins`,
    `${report.backups} backups complete, ${report.backupsKilled} killed`,
    `${report.imports} imports`,
    `${report.vectors} vectors`,
    `${report.retried} derivations retried`,
    `ends: ${report.killed} killed, ${report.killedWhileStarting} while starting, ` +
    `${report.killedWhileStopping} while stopping, ${report.stopped} stopped`,
    `restart ${restarts[restarts.length >> 1]?.toFixed(0)} ms, at most ${
      restarts.at(-1)?.toFixed(0)
    }`,
    `${seconds.toFixed(0)} s`,
  ].join("; ");
}
