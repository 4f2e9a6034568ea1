/** `deno task powerloss --images N [--seed S]`: simulates any number of power cuts. */

import { parseArgs } from "node:util";
import { type PowerLossReport, runPowerLoss } from "./powerloss.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    images: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const began = performance.now();
const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));

print(`seed ${values.seed}`);
try {
  const report = await runPowerLoss({
    images: Number(values.images),
    seed: Number(values.seed),
    onImage: (report) => report.images % 500 === 0 && print(summary(report)),
  });
  print(`${summary(report)}: nothing lost, duplicated or half done`);
} catch (error) {
  print(`seed ${values.seed}: ${(error as Error).stack}`);
  Deno.exit(1);
}

function summary({ images, records, calls, withoutDatabase, importing }: PowerLossReport): string {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  return `${images} images of ${records} records with ${calls} calls, ` +
    `${withoutDatabase} from before the first response, ${importing} during an import; ${seconds} s`;
}
