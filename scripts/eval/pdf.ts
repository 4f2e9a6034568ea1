/**
 * `deno task eval pdf SET [dev | heldout] [--files]`: compares the Markdown of PDFs with what they
 * were made from, by program and style. `pdf_set/make.py` makes the set. The held-out half is for
 * reporting only, so don't look at its files.
 */
// deno-lint-ignore-file no-console -- this script prints a report
import { extract } from "../../src/extraction/extract.ts";
import { Engines } from "../../src/extraction/engines.ts";
import { loadAssets } from "../../src/extraction/assets.ts";

const SCORER = new URL("../../../shared/eval/score_extraction.py", import.meta.url).pathname;
const METRICS = ["overall", "nid", "mhs", "teds", "tok", "order", "head", "list", "cell"];

type Scores = Readonly<Record<string, number | undefined>>;

const [set, half = "dev", ...flags] = Deno.args;
if (set === undefined) throw new Error("Pass the folder with the set");

const folder = `${set}/${half}`;
const work = await Deno.makeTempDir({ prefix: "eval-pdf-" });
await Deno.mkdir(`${work}/truth`);
await Deno.mkdir(`${work}/out/own`, { recursive: true });
const engines = new Engines(loadAssets());
for await (const { name } of Deno.readDir(folder)) {
  if (!name.endsWith(".pdf")) continue;
  const { markdown } = await extract({
    bytes: await Deno.readFile(`${folder}/${name}`),
    declaredType: "application/pdf",
    filename: name,
    maxPages: 300,
    maxOutputBytes: 1_000_000,
    engines,
  });
  await Deno.writeTextFile(`${work}/out/own/${name}.md`, markdown);
  await Deno.copyFile(`${folder}/${name}.md`, `${work}/truth/${name}.md`);
}
const { success } = await new Deno.Command("python3", {
  args: [SCORER, `${work}/truth`, `${work}/out`, "--json", `${work}/scores.json`],
  stdout: "null",
}).output();
if (!success) throw new Error("The scorer failed");
const files: Record<string, Scores> =
  JSON.parse(await Deno.readTextFile(`${work}/scores.json`)).own.files;

const groups = new Map<string, Scores[]>([["all", Object.values(files)]]);
for (const [name, scores] of Object.entries(files)) {
  const group = flags.includes("--files") ? name : name.replace(/-\d+\.pdf.*$/, "");
  groups.set(group, [...groups.get(group) ?? [], scores]);
}
console.log(`${"set".padEnd(28)} ${METRICS.map((metric) => metric.padEnd(7)).join(" ")}`);
for (const [group, scores] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
  const means = METRICS.map((metric) => {
    const values = scores.flatMap((score) => score[metric] ?? []);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return (values.length === 0 ? "-" : mean.toFixed(3)).padEnd(7);
  });
  console.log(`${group.padEnd(28)} ${means.join(" ")}`);
}
console.log(`Markdown files are in ${work}`);
