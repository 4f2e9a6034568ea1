/**
 * `deno task eval scans SET [dev | heldout] [--files] [--runs N]`: compares the text of scanned
 * pages with what was drawn on them, and measures the processor time of each page.
 * `scan_set/make.py` makes the set. The held-out half is for reporting only, so don't look at its
 * files.
 */
// deno-lint-ignore-file no-console -- this script prints a report
import { cpuUsage } from "node:process";
import { parseArgs } from "node:util";
import { loadAssets } from "../../src/extraction/assets.ts";
import { Engines } from "../../src/extraction/engines.ts";
import { extract } from "../../src/extraction/extract.ts";
import { median } from "../../src/extraction/layout/geometry.ts";
import { mediaTypeOf } from "../../src/kernel/http/media_types.ts";

const SCORER = new URL("../../../shared/eval/score_extraction.py", import.meta.url).pathname;
const TABLE_METRICS = ["overall", "nid", "teds", "cell"] as const;

interface TextResult {
  readonly name: string;
  readonly seconds: number;
  readonly letters: number;
  readonly wrongLetters: number;
  readonly words: number;
  readonly wrongWords: number;
}

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { files: { type: "boolean" }, runs: { type: "string", default: "1" } },
});
const [set, half = "dev"] = positionals;
if (set === undefined) throw new Error("Pass the folder with the set");

const folder = `${set}/${half}`;
const work = await Deno.makeTempDir({ prefix: "eval-scans-" });
await Deno.mkdir(`${work}/truth`);
await Deno.mkdir(`${work}/out/own`, { recursive: true });
const engines = new Engines(loadAssets());
const names = [...Deno.readDirSync(folder)].map((entry) => entry.name)
  .filter((name) => /\.(?:png|jpg|pdf)$/.test(name)).sort();

const texts: TextResult[] = [];
const tableSeconds: number[] = [];
for (const name of names) {
  const { markdown, seconds } = await read(name);
  await Deno.writeTextFile(`${work}/out/own/${name}.md`, markdown);
  if (name.startsWith("table")) {
    tableSeconds.push(seconds);
    await Deno.copyFile(`${folder}/${name}.md`, `${work}/truth/${name}.md`);
    continue;
  }
  const truth = plainWords(await Deno.readTextFile(`${folder}/${name}.txt`));
  const result = plainWords(markdown);
  texts.push({
    name,
    seconds,
    letters: truth.join(" ").length,
    wrongLetters: distance([...truth.join(" ")], [...result.join(" ")]),
    words: truth.length,
    wrongWords: distance(truth, result),
  });
}

console.log("set                  pages  wrong letters %  misread words  of      cpu s/page");
printTexts("all", texts);
for (const [group, results] of Map.groupBy(texts, ({ name }) => name.replace(/-\d+\..*$/, ""))) {
  printTexts(group, results);
}
if (flags.files) texts.forEach((result) => printTexts(result.name, [result]));
await printTables();
console.log(`Markdown files are in ${work}`);

/** Returns a page's Markdown and the median processor time of the runs. */
async function read(name: string): Promise<{ markdown: string; seconds: number }> {
  const bytes = await Deno.readFile(`${folder}/${name}`);
  const seconds: number[] = [];
  let markdown = "";
  for (let run = 0; run < Number(flags.runs); run++) {
    const before = cpuUsage();
    const result = await extract({
      bytes,
      declaredType: mediaTypeOf(name),
      filename: name,
      maxPages: 300,
      maxOutputBytes: 1_000_000,
      engines,
    });
    markdown = result.markdown;
    seconds.push(cpuUsage(before).user / 1e6);
  }
  return { markdown, seconds: median(seconds) };
}

/** Returns the words in a text without the marks of Markdown. */
function plainWords(text: string): string[] {
  return text.replace(/<!--.*?-->/gs, " ").replace(/^#+ |^- |^\|[-| ]+\|$/gm, " ")
    .replace(/\\([^\w\s])/g, "$1").replace(/[|*]/g, " ").replace(/[“”„]/g, '"')
    .replace(/[’‘]/g, "'").normalize("NFC").split(/\s+/).filter((word) => word !== "");
}

/** Returns the number of insertions, deletions and replacements between two sequences. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [index, value] of a.entries()) {
    const next = [index + 1];
    for (let at = 0; at < b.length; at++) {
      const replaced = row[at]! + Number(value !== b[at]);
      next.push(Math.min(replaced, row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

function printTexts(group: string, results: readonly TextResult[]): void {
  const sum = (pick: (result: TextResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0);
  const share = 100 * sum((result) => result.wrongLetters) / sum((result) => result.letters);
  console.log(
    [
      group.padEnd(20),
      String(results.length).padStart(5),
      share.toFixed(2).padStart(16),
      String(sum((result) => result.wrongWords)).padStart(14),
      String(sum((result) => result.words)).padStart(6),
      (sum((result) => result.seconds) / results.length).toFixed(2).padStart(12),
    ].join(" "),
  );
}

async function printTables(): Promise<void> {
  if (tableSeconds.length === 0) return;
  const { success } = await new Deno.Command("python3", {
    args: [SCORER, `${work}/truth`, `${work}/out`, "--json", `${work}/scores.json`],
    stdout: "null",
  }).output();
  if (!success) throw new Error("The scorer failed");
  const { files } = JSON.parse(await Deno.readTextFile(`${work}/scores.json`)).own;
  const rows = Object.entries<Readonly<Record<string, number>>>(files);
  console.log(`\ntables               pages  ${TABLE_METRICS.join("    ")}   cpu s/page`);
  const print = (group: string, scores: readonly Readonly<Record<string, number>>[]) =>
    console.log(
      `${group.padEnd(20)} ${String(scores.length).padStart(5)}  ` +
        TABLE_METRICS.map((metric) =>
          (scores.reduce((sum, score) => sum + (score[metric] ?? 0), 0) / scores.length)
            .toFixed(3)
        ).join("  "),
    );
  print("all", rows.map(([, scores]) => scores));
  if (flags.files) rows.forEach(([name, scores]) => print(name, [scores]));
  const mean = tableSeconds.reduce((sum, seconds) => sum + seconds, 0) / tableSeconds.length;
  console.log(`processor time: ${mean.toFixed(2)} s a page`);
}
