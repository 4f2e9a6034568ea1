// deno-lint-ignore-file no-console -- a report is what this prints
/**
 * `deno task bench extraction`: milliseconds a page by format, warm in this process and cold in a
 * child as the server runs it. Files are read from ../shared.
 */
import { loadAssets } from "../../src/extraction/assets.ts";
import { extract } from "../../src/extraction/extract.ts";
import { mediaTypeOf } from "../../src/extraction/media_types.ts";
import { runExtraction } from "../../src/extraction/runner.ts";

const SHARED = new URL("../../../shared/eval/", import.meta.url);

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

interface Timing {
  readonly pages: number;
  readonly warmMs: number;
  readonly coldMs: number;
}

async function measure(path: URL, name: string, workDir: string): Promise<Timing> {
  const bytes = await Deno.readFile(path);
  const declaredType = mediaTypeOf(name);
  const run = () =>
    extract({
      bytes,
      declaredType,
      filename: name,
      maxPages: 300,
      maxOutputBytes: 1_000_000,
      languages: ["eng"],
      assets: loadAssets(),
    });
  const { pageCount } = await run();
  const warm = performance.now();
  await run();
  const cold = performance.now();
  await runExtraction({ inputPath: path.pathname, declaredType, filename: name, workDir });
  const end = performance.now();
  return { pages: pageCount ?? 1, warmMs: cold - warm, coldMs: end - cold };
}

const [only] = Deno.args;
console.log("set     files  pages  warm ms/page  warm ms/file  cold ms/file");
for (const [set, folder] of SETS) {
  if (only !== undefined && only !== set) continue;
  const base = new URL(`${folder}/`, SHARED);
  const timings: Timing[] = [];
  for await (const entry of Deno.readDir(base)) {
    const workDir = await Deno.makeTempDir({ prefix: "bench-extraction-" });
    timings.push(await measure(new URL(entry.name, base), entry.name, workDir));
    await Deno.remove(workDir, { recursive: true });
  }
  const sum = (pick: (timing: Timing) => number) =>
    timings.reduce((all, one) => all + pick(one), 0);
  const pages = sum((one) => one.pages);
  const columns = [
    set.padEnd(6),
    String(timings.length).padStart(6),
    String(pages).padStart(6),
    (sum((one) => one.warmMs) / pages).toFixed(1).padStart(13),
    (sum((one) => one.warmMs) / timings.length).toFixed(1).padStart(13),
    (sum((one) => one.coldMs) / timings.length).toFixed(0).padStart(13),
  ];
  console.log(columns.join(" "));
}
