/**
 * `deno task cluster:upgrade --upgrades N [--seed S] [--processes N] [--clients N] [--archivists N]
 * [--commands N]`: runs rolling upgrades under any load.
 */

import { parseArgs } from "node:util";
import { summarize } from "../crash/report.ts";
import { runUpgrades } from "./upgrade.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    upgrades: { type: "string", default: "1" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    processes: { type: "string", default: "3" },
    clients: { type: "string", default: "6" },
    archivists: { type: "string", default: "1" },
    commands: { type: "string", default: "400" },
  },
});
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

print(`seed ${values.seed}`);
try {
  const report = await runUpgrades({
    upgrades: Number(values.upgrades),
    seed: Number(values.seed),
    processes: Number(values.processes),
    clients: Number(values.clients),
    archivists: Number(values.archivists),
    commands: Number(values.commands),
    reading: true,
    onUpgrade: (report) => print(`${report.cycles} upgrades: ${summarize(report)}`),
  });
  print(`${report.cycles} upgrades: nothing lost, doubled or failed; ${report.refused} refused`);
} catch (error) {
  print(`seed ${values.seed}: ${Deno.inspect(error)}`);
  Deno.exit(1);
}
