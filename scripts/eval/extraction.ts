/**
 * `deno task eval extraction [quality|robustness] [format…]`: compares extracted Markdown with
 * ground truth, or checks how we handle damaged and unusual files. Reads its data from ../shared.
 */
// deno-lint-ignore-file no-console -- this script prints a report
import { extract } from "../../src/extraction/extract.ts";
import { ExtractionError } from "../../src/extraction/error.ts";
import { mediaTypeOf } from "../../src/kernel/http/media_types.ts";
import { runExtraction } from "../../src/extraction/runner.ts";
import { loadAssets } from "../../src/extraction/assets.ts";
import { Engines } from "../../src/extraction/engines.ts";

const EVAL_DATA = new URL("../../../shared/eval/", import.meta.url);

/** A set of files with ground truth. */
interface EvalSet {
  readonly name: string;
  readonly sources: string;
  readonly truth: string;
  /**
   * Whether the files have a second extension that's missing from the ground truth's file names.
   */
  readonly converted?: boolean;
  readonly only?: RegExp;
  /** The best mean score any other tool has reached on this set. */
  readonly anchor: number;
}

const SETS: readonly EvalSet[] = [
  {
    name: "pdf-ltr",
    sources: "extraction/sources/pdf",
    truth: "pdf",
    only: /^(?!right)/,
    anchor: 0.855,
  },
  {
    name: "pdf-rtl",
    sources: "extraction/sources/pdf",
    truth: "pdf",
    only: /^right/,
    anchor: 0.744,
  },
  {
    name: "docxpdf",
    sources: "extraction_converted/docxpdf",
    truth: "docx",
    converted: true,
    anchor: 0.9,
  },
  { name: "docx", sources: "extraction/sources/docx", truth: "docx", anchor: 0.888 },
  { name: "pptx", sources: "extraction/sources/pptx", truth: "pptx", anchor: 0.84 },
  { name: "xlsx", sources: "extraction/sources/xlsx", truth: "xlsx", anchor: 0.693 },
  { name: "html", sources: "extraction/sources/html", truth: "html", anchor: 0.909 },
  { name: "odf", sources: "extraction/sources/odf", truth: "odf", anchor: 0.746 },
  {
    name: "odt",
    sources: "extraction_converted/odt",
    truth: "docx",
    converted: true,
    anchor: 0.785,
  },
  {
    name: "odp",
    sources: "extraction_converted/odp",
    truth: "pptx",
    converted: true,
    anchor: 0.719,
  },
  {
    name: "ods",
    sources: "extraction_converted/ods",
    truth: "xlsx",
    converted: true,
    anchor: 0.693,
  },
  { name: "epub", sources: "extraction/sources/epub", truth: "epub", anchor: 0.981 },
  { name: "csv", sources: "extraction/sources/csv", truth: "csv", anchor: 0.985 },
  {
    name: "rtf",
    sources: "extraction_converted/rtf",
    truth: "docx",
    converted: true,
    anchor: 0.639,
  },
  { name: "doc", sources: "extraction/sources/doc", truth: "doc", anchor: 0.927 },
  {
    name: "doc-made",
    sources: "extraction_converted/doc",
    truth: "docx",
    converted: true,
    anchor: 0.872,
  },
  { name: "ppt", sources: "extraction/sources/ppt", truth: "ppt", anchor: 0.329 },
  {
    name: "ppt-made",
    sources: "extraction_converted/ppt",
    truth: "pptx",
    converted: true,
    anchor: 0.405,
  },
  {
    name: "xls",
    sources: "extraction_converted/xls",
    truth: "xlsx",
    converted: true,
    anchor: 0.693,
  },
  { name: "ocr", sources: "extraction/sources/ocr", truth: "ocr", anchor: 1 },
];

interface Scores {
  readonly mean: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

async function scoreSet(set: EvalSet, work: string): Promise<Scores | undefined> {
  const folder = `${work}/${set.name}/own`;
  await Deno.mkdir(folder, { recursive: true });
  const engines = new Engines(loadAssets());
  for await (const entry of Deno.readDir(new URL(set.sources, EVAL_DATA))) {
    if (!entry.isFile || (set.only !== undefined && !set.only.test(entry.name))) continue;
    const bytes = await Deno.readFile(new URL(`${set.sources}/${entry.name}`, EVAL_DATA));
    const name = set.converted ? entry.name.replace(/\.[^.]+$/, "") : entry.name;
    let markdown = "";
    try {
      const input = { bytes, declaredType: mediaTypeOf(entry.name), filename: entry.name };
      const result = await extract({
        ...input,
        maxPages: 300,
        maxOutputBytes: 1_000_000,
        engines,
      });
      markdown = result.markdown;
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      console.error(`  ${entry.name}: ${error.code}: ${error.message}`);
    }
    await Deno.writeTextFile(`${folder}/${name}.md`, markdown);
  }
  return await runScorer(set, `${work}/${set.name}`);
}

async function runScorer(set: EvalSet, folder: string): Promise<Scores | undefined> {
  const json = `${folder}.json`;
  const command = new Deno.Command("python3", {
    args: [
      new URL("score_extraction.py", EVAL_DATA).pathname,
      new URL(`extraction/groundtruth/${set.truth}`, EVAL_DATA).pathname,
      folder,
      "--json",
      json,
    ],
    stdout: "null",
  });
  const { success } = await command.output();
  if (!success) return undefined;
  const scores: Record<string, Scores> = JSON.parse(await Deno.readTextFile(json));
  return scores["own"];
}

async function quality(names: readonly string[]): Promise<void> {
  const work = await Deno.makeTempDir({ prefix: "eval-extraction-" });
  const metrics = ["overall", "nid", "mhs", "teds", "tok", "order", "head", "list", "cell"];
  console.log(`${"set".padEnd(10)} anchor  ${metrics.map((metric) => metric.padEnd(7)).join(" ")}`);
  for (const set of SETS) {
    if (names.length > 0 && !names.includes(set.name)) continue;
    const scores = await scoreSet(set, work);
    const values = metrics.map((metric) => (scores?.mean[metric]?.toFixed(3) ?? "-").padEnd(7));
    console.log(`${set.name.padEnd(10)} ${set.anchor.toFixed(3)}   ${values.join(" ")}`);
    if (names.length > 0) {
      for (const [file, own] of Object.entries(scores?.files ?? {})) {
        const row = metrics.map((metric) => (own[metric]?.toFixed(3) ?? "-").padEnd(7));
        console.log(`  ${file.slice(0, 40).padEnd(40)} ${row.join(" ")}`);
      }
    }
  }
  console.log(`Markdown files are in ${work}`);
}

/**
 * Makes sure that every file results in either a document or a named error, and that no temporary
 * files are left behind.
 */
async function robustness(names: readonly string[]): Promise<void> {
  const outcomes = new Map<string, number>();
  const leaked: string[] = [];
  let slowest = { name: "", ms: 0 };
  const workDir = await Deno.makeTempDir({ prefix: "eval-extraction-" });
  for (const folder of ["office", "pdf"]) {
    if (names.length > 0 && !names.includes(folder)) continue;
    const base = new URL(`robustness/${folder}/`, EVAL_DATA);
    for await (const entry of Deno.readDir(base)) {
      const started = performance.now();
      const jobDir = `${workDir}/${entry.name}`;
      const outcome = await outcomeOf(new URL(entry.name, base).pathname, entry.name, jobDir);
      // The runner keeps recognized pages for the next attempt. Anything else is a leak.
      for await (const file of Deno.readDir(jobDir)) {
        if (file.name !== "pages") leaked.push(file.name);
      }
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { name: entry.name, ms };
      outcomes.set(outcome.code, (outcomes.get(outcome.code) ?? 0) + 1);
      if (outcome.code !== "ready") {
        console.log(`  ${entry.name}: ${outcome.code} ${outcome.message}`);
      }
    }
  }
  for (const [code, count] of outcomes) console.log(`${String(count).padStart(4)}  ${code}`);
  console.log(
    `slowest: ${slowest.name}, ${Math.round(slowest.ms)} ms; leaked files: ${leaked.length}`,
  );
  await Deno.remove(workDir, { recursive: true });
  if (leaked.length > 0 || outcomes.has("EXTRACTION_CRASHED")) Deno.exitCode = 1;
}

async function outcomeOf(path: string, filename: string, workDir: string) {
  const declaredType = mediaTypeOf(filename);
  try {
    await runExtraction({
      inputPath: path,
      declaredType,
      filename,
      workDir,
      limits: { timeoutMs: 60_000 },
    });
    return { code: "ready", message: "" };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return {
      code: error.code,
      message: `${error.message} ${String(error.cause ?? "").slice(0, 300)}`,
    };
  }
}

const [mode = "quality", ...names] = Deno.args;
if (mode === "quality") await quality(names);
else if (mode === "robustness") await robustness(names);
else console.error(`Unknown mode "${mode}"; use quality or robustness`);
