// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench extraction [set…]`: measures extraction time per format, in milliseconds. Warm
 * runs happen in this process with the engines already started; cold runs happen in a child
 * process, just like in the server. Files are read from ../shared, except for the letters, which we
 * generate and rasterize here.
 */
import { cpuUsage } from "node:process";
import { loadAssets } from "../../src/extraction/assets.ts";
import { Engines } from "../../src/extraction/engines.ts";
import { extract } from "../../src/extraction/extract.ts";
import { median } from "../../src/extraction/layout/geometry.ts";
import { runExtraction } from "../../src/extraction/runner.ts";
import { mediaTypeOf } from "../../src/kernel/http/media_types.ts";
import { picturePdf, png, scanned } from "../../testing/extraction_fixtures.ts";

const EVAL_DATA = new URL("../../../shared/eval/", import.meta.url);

const SETS: readonly (readonly [string, string])[] = [
  ["pdf", "extraction/sources/pdf"],
  ["scan", "extraction/sources/ocr"],
  ["docx", "extraction/sources/docx"],
  ["doc", "extraction_converted/doc"],
  ["pptx", "extraction/sources/pptx"],
  ["ppt", "extraction_converted/ppt"],
  ["xlsx", "extraction/sources/xlsx"],
  ["xls", "extraction_converted/xls"],
  ["odt", "extraction_converted/odt"],
  ["rtf", "extraction_converted/rtf"],
  ["html", "extraction/sources/html"],
  ["epub", "extraction/sources/epub"],
  ["csv", "extraction/sources/csv"],
];

/**
 * How many times to measure each file. We report the median, since the first few runs still include
 * compiling the code.
 */
const RUNS = 7;

const SENTENCES = [
  "We thank you for your letter of 2 March, in which you ask about the lighthouse.",
  "The board has decided to repair it before the autumn storms, at a cost of £48,200.",
  "Its lamp will be dark for eleven nights in June; ships follow the northern channel.",
  "Mr Mirov, our engineer, will answer every question that the pilots may have.",
  "Two divers from Tromsø inspect the foundations (see the plan of 14 February).",
  "If the weather does not permit it, their work begins in the second week of July.",
];
/** A 400-word page, about as full as a letter gets. */
const LETTER = Array.from({ length: 29 }, (_, at) => SENTENCES[at % SENTENCES.length]).join("\n");

interface Timing {
  readonly pages: number;
  readonly warmMs: number;
  readonly warmCpuMs: number;
  readonly coldMs: number;
}

const engines = new Engines(loadAssets());

async function measure(path: string, name: string, workDir: string): Promise<Timing> {
  const bytes = await Deno.readFile(path);
  const declaredType = mediaTypeOf(name);
  const run = () =>
    extract({
      bytes,
      declaredType,
      filename: name,
      maxPages: 300,
      maxOutputBytes: 1_000_000,
      engines,
    });
  const { pageCount } = await run();
  const runs: { wall: number; cpu: number }[] = [];
  for (let count = 0; count < RUNS; count++) {
    const [wall, cpu] = [performance.now(), cpuUsage()];
    await run();
    const { user, system } = cpuUsage(cpu);
    runs.push({ wall: performance.now() - wall, cpu: (user + system) / 1_000 });
  }
  const coldStart = performance.now();
  await runExtraction({ inputPath: path, declaredType, filename: name, workDir });
  return {
    pages: pageCount ?? 1,
    warmMs: median(runs.map((run) => run.wall)),
    warmCpuMs: median(runs.map((run) => run.cpu)),
    coldMs: performance.now() - coldStart,
  };
}

function print(set: string, timings: readonly Timing[]): void {
  const sum = (pick: (timing: Timing) => number) =>
    timings.reduce((total, timing) => total + pick(timing), 0);
  const pages = sum((timing) => timing.pages);
  const columns = [
    set.padEnd(6),
    String(timings.length).padStart(6),
    String(pages).padStart(6),
    (sum((timing) => timing.warmMs) / pages).toFixed(1).padStart(13),
    (sum((timing) => timing.warmCpuMs) / pages).toFixed(1).padStart(12),
    (sum((timing) => timing.warmMs) / timings.length).toFixed(1).padStart(13),
    (sum((timing) => timing.coldMs) / timings.length).toFixed(0).padStart(13),
  ];
  console.log(columns.join(" "));
}

const selectedSets = new Set(Deno.args);
const isSelected = (set: string) => selectedSets.size === 0 || selectedSets.has(set);
const workDir = await Deno.makeTempDir({ prefix: "bench-extraction-" });
console.log("set     files  pages  warm ms/page  cpu ms/page  warm ms/file  cold ms/file");
for (const [set, folder] of SETS) {
  if (!isSelected(set)) continue;
  const base = new URL(`${folder}/`, EVAL_DATA);
  const timings: Timing[] = [];
  for await (const { name } of Deno.readDir(base)) {
    timings.push(await measure(new URL(name, base).pathname, name, `${workDir}/${set}-${name}`));
  }
  print(set, timings);
}
if (isSelected("letter")) {
  const image = await scanned(LETTER, { dpi: 300, size: 11 });
  const files = [
    ["letter.pdf", picturePdf(image)],
    ["letter.png", png(image.width, image.height, image.pixels)],
  ] as const;
  for (const [name, bytes] of files) {
    await Deno.writeFile(`${workDir}/${name}`, bytes);
    print(name.slice(-3) + " 300", [await measure(`${workDir}/${name}`, name, `${workDir}/work`)]);
  }
}
await Deno.remove(workDir, { recursive: true });
