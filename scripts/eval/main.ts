/** `deno task eval`: measures the quality of search on the labelled data beside the repository. */

import { withServer } from "../../tests/harness.ts";
import { evaluateSet } from "./beir.ts";
import { evaluateLocomo, type Storing } from "./locomo.ts";
import type { Measured } from "./measures.ts";

const dated = Deno.args.includes("--dates");
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
const percent = (share: number) => (share * 100).toFixed(1).padStart(6);
const row = (name: string, { r5, r10, r20, mrr }: Measured) =>
  print(`${name.padEnd(34)}${percent(r5)}${percent(r10)}${percent(r20)}  ${mrr.toFixed(3)}`);

print(`${"LoCoMo, turns found".padEnd(34)}   R@5  R@10  R@20    MRR`);
for (const storing of ["messages of one add", "one by one"] satisfies Storing[]) {
  await withServer(async (server) => {
    const { byCategory, ...all } = await evaluateLocomo(server, storing, dated);
    row(storing, all);
    for (const [category, measured] of Object.entries(byCategory)) {
      row(`  category ${category}`, measured);
    }
  });
}

print(`\n${"Documents, development halves".padEnd(34)}nDCG@10  R@10  queries`);
for (const [name, set] of [["SciFact", "scifact"], ["Cranfield", "cranfield"]] as const) {
  await withServer(async (server) => {
    const { ndcg10, r10, queries } = await evaluateSet(server, set);
    print(
      `${name.padEnd(34)}${ndcg10.toFixed(3).padStart(7)}${percent(r10)}${
        String(queries).padStart(9)
      }`,
    );
  });
}
