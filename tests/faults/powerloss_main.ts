/** `deno task powerloss --images N [--seed S]`: simulates any number of power cuts. */

import { print, runCommand } from "../crash/command.ts";
import { type PowerLossReport, runPowerLoss } from "./powerloss.ts";

const began = performance.now();

await runCommand({ images: 1_000 }, async (options) => {
  const report = await runPowerLoss({
    ...options,
    onImage: (report) => report.images % 500 === 0 && print(summary(report)),
  });
  print(`${summary(report)}: nothing lost, duplicated or half done`);
});

function summary({ images, records, calls, withoutDatabase, importing }: PowerLossReport): string {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  return `${images} images of ${records} records with ${calls} calls, ` +
    `${withoutDatabase} from before the first response, ${importing} during an import; ${seconds} s`;
}
