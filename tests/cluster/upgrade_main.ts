/**
 * `deno task cluster:upgrade --upgrades N [--seed S] [--processes N] [--clients N] [--archivists N]
 * [--commands N]`: runs rolling upgrades under any load.
 */

import { print, runCommand } from "../crash/command.ts";
import { summarize } from "../crash/report.ts";
import { runUpgrades } from "./upgrade.ts";

const DEFAULTS = { upgrades: 1, processes: 3, clients: 6, archivists: 1, commands: 400 };

await runCommand(DEFAULTS, async (options) => {
  const report = await runUpgrades({
    ...options,
    reading: true,
    onUpgrade: (report) => print(`${report.cycles} upgrades: ${summarize(report)}`),
  });
  print(`${report.cycles} upgrades: nothing lost, doubled or failed; ${report.refused} refused`);
});
