/** Rules of the child process: its result, its end, its rights, its kept pages. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { getPriority } from "node:os";
import { MEMORY_REPORTER_URL } from "../../src/extraction/assets.ts";
import { downscale } from "../../src/extraction/ocr/downscale.ts";
import { childFlags, type ExtractionJob, runExtraction } from "../../src/extraction/runner.ts";
import {
  bmp,
  markdownOf,
  pdf,
  picturePdf,
  scan,
  scanned,
  tiff,
} from "../../testing/extraction_fixtures.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Runs `use` with a job over `content`, and fails when the work folder keeps more than pages. */
async function withJob<T>(
  content: Uint8Array | string,
  declaredType: string,
  use: (job: ExtractionJob) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    const inputPath = `${folder}/input`;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(inputPath, bytes);
    const workDir = `${folder}/work`;
    const result = await use({ inputPath, declaredType, filename: "file", workDir });
    const left = [];
    for await (const entry of Deno.readDir(workDir)) left.push(entry.name);
    assert.deepEqual(left, ["pages"]);
    return result;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A child that runs `code` instead of the extractor, with the rights the extractor would have. */
function childOf(code: string, ...permissions: string[]): string[] {
  const source = `data:application/typescript,${encodeURIComponent(code)}`;
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-read", ...permissions, source];
}

Deno.test("runner: a document comes with its pages and with what extracted it", async () => {
  await withJob(pdf([[{ x: 72, y: 700, text: "Hello" }], []]), "application/pdf", async (job) => {
    const { markdown, pageCount, extractor, extractorVersion } = await runExtraction(job);
    assert.equal(markdown, "Hello\n\n<!-- page 2 -->\n");
    assert.equal(pageCount, 2);
    assert.match(extractor, /pdfium/);
    assert.equal(extractorVersion, "1");
  });
});

Deno.test("runner: packages come by the lock file, whether or not Deno's cache knows the registry", async () => {
  const before = Deno.env.get("DENO_DIR");
  const empty = await Deno.makeTempDir();
  Deno.env.set("DENO_DIR", empty);
  try {
    const { markdown } = await withJob("first\n", "text/plain", runExtraction);
    assert.equal(markdown, "first\n");
  } finally {
    if (before === undefined) Deno.env.delete("DENO_DIR");
    else Deno.env.set("DENO_DIR", before);
    await Deno.remove(empty, { recursive: true });
  }
});

Deno.test("runner: an error of the child keeps its code, and permanent ones don't retry", async () => {
  await withJob("%PDF-1.4 broken", "application/pdf", async (job) => {
    await assert.rejects(runExtraction(job), { code: "DOCUMENT_CORRUPT", retryable: false });
  });
});

Deno.test("runner: an endless loop is a time-out, and can be tried again", async () => {
  await withJob("x", "text/plain", async (job) => {
    const attempt = runExtraction({
      ...job,
      command: childOf("while (true) {}"),
      limits: { timeoutMs: 400 },
    });
    await assert.rejects(attempt, { code: "EXTRACTION_TIMEOUT", retryable: true });
  });
});

Deno.test("runner: a child that eats memory is killed before the server feels it", async () => {
  await withJob("x", "text/plain", async (job) => {
    // It yields once, as reading the input does, and then never again.
    const eat = `new Worker("${MEMORY_REPORTER_URL}", { type: "module" });
      await Deno.readTextFile("${job.inputPath}");
      const all = [];
      while (true) all.push(new Uint8Array(1e6).fill(1));`;
    const attempt = runExtraction({
      ...job,
      command: childOf(eat),
      limits: { maxMemoryBytes: 300_000_000, timeoutMs: 300_000 },
    });
    await assert.rejects(attempt, { code: "EXTRACTION_CRASHED", message: /300 MB of memory/ });
  });
});

Deno.test("runner: a crash of the child is a failed attempt", async () => {
  await withJob("x", "text/plain", async (job) => {
    const attempt = runExtraction({ ...job, command: childOf("Deno.exit(7)") });
    await assert.rejects(attempt, { code: "EXTRACTION_CRASHED", message: /exit code 7/ });
  });
});

Deno.test("runner: aborting kills the child and rejects with the signal's reason", async () => {
  await withJob("x", "text/plain", async (job) => {
    const abort = new AbortController();
    const sign = `${job.inputPath}-is-read`;
    const busy = `Deno.writeTextFileSync(${JSON.stringify(sign)}, ""); while (true) {}`;
    const attempt = runExtraction({
      ...job,
      signal: abort.signal,
      command: childOf(busy, "--allow-write"),
    });
    const killed = assert.rejects(attempt, { message: "lease lost" });
    await waitUntil(() => Promise.resolve(existsSync(sign)), Boolean);
    abort.abort(new Error("lease lost"));
    await killed;
  });
});

Deno.test("runner: the child has a low priority, its server comes first", async () => {
  await withJob("x", "text/plain", async (job) => {
    const tell = `import { getPriority } from "node:os";
      console.error(getPriority());`;
    const attempt = runExtraction({
      ...job,
      command: childOf(tell, "--allow-sys=getPriority"),
    });
    await assert.rejects(attempt, {
      code: "EXTRACTION_CRASHED",
      cause: `${Math.max(10, getPriority())}\n`,
    });
  });
});

Deno.test("runner: the child reads its input, writes its folders, and may do nothing else", async () => {
  const folder = await Deno.makeTempDir();
  const ask = `const asked = [
    { name: "net" }, { name: "run" }, { name: "env" }, { name: "ffi" }, { name: "sys" },
    { name: "read", path: "/" }, { name: "read", path: "${folder}" },
    { name: "write", path: "${folder}" }, { name: "write", path: "${folder}/input" },
    { name: "read", path: "${folder}/input" }, { name: "write", path: "${folder}/out" },
  ];
  const states = asked.map((one) => Deno.permissions.querySync(one).state === "granted");
  console.log(states.map(Number).join(""));`;
  try {
    const paths = {
      inputPath: `${folder}/input`,
      outputDir: `${folder}/out`,
      checkpointDir: `${folder}/pages`,
    };
    const source = `data:application/typescript,${encodeURIComponent(ask)}`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...childFlags(paths, { maxHeapMegabytes: 64 }), source],
    }).output();
    assert.equal(new TextDecoder().decode(stdout).trim(), "00000000011");
    const split = { ...paths, inputPath: "/a,/etc" };
    assert.throws(() => childFlags(split, { maxHeapMegabytes: 64 }), /holds a comma/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("OCR: text of an image is read, and a finished page is not recognized twice", async () => {
  const image = await scan("The quick brown fox jumps over the lazy dog");
  await withJob(image, "image/png", async (job) => {
    const { markdown, pageCount } = await runExtraction(job);
    assert.equal(markdown, "The quick brown fox jumps over the lazy dog\n");
    assert.equal(pageCount, 1);
    const [kept] = [...Deno.readDirSync(`${job.workDir}/pages`)];
    const path = `${job.workDir}/pages/${kept?.name}`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("fox", "cat"));
    assert.match((await runExtraction(job)).markdown, /brown cat/);
  });
});

const LETTER = `The lighthouse of Skerry was repaired in the spring
of this year, at the cost of the harbour board.
Its lamp now burns with a new mantle every night.`;

for (const turn of [1, 2, 3] as const) {
  Deno.test(`OCR: a page that lies turned by ${90 * turn} degrees reads as if upright`, async () => {
    const upright = await extracted(await scan(LETTER));
    assert.equal(upright, LETTER.replaceAll("\n", " ") + "\n");
    assert.equal(await extracted(await scan(LETTER, turn)), upright);
  });
}

Deno.test("OCR: a page of a PDF that is nothing but a picture is recognized", async () => {
  const file = picturePdf(await scanned(LETTER, { dpi: 300 }));
  assert.equal(await markdownOf(file, "application/pdf"), LETTER.replaceAll("\n", " "));
});

Deno.test("OCR: every page of a TIFF is read, however finely it was scanned", async () => {
  const pages = await Promise.all(LETTER.split("\n").map((line) => scanned(line, { dpi: 300 })));
  const [first, second, third] = LETTER.split("\n");
  assert.equal(
    await markdownOf(tiff(pages, 300), "image/tiff"),
    `${first} ${second}\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\n${third}`,
  );
});

Deno.test("OCR: a TIFF in the inks of print is read as one in grey", async () => {
  const line = "The lighthouse of Skerry";
  assert.equal(await markdownOf(tiff([await scanned(line)], 200, true), "image/tiff"), line);
});

Deno.test("OCR: a BMP of 32 bits a pixel is read", async () => {
  const line = "The lighthouse of Skerry";
  assert.equal(await markdownOf(bmp(await scanned(line)), "image/bmp"), line);
});

Deno.test("OCR: a pixel of a reduced page is the mean of the area it covers", () => {
  const pixels = Uint8Array.from([0, 100, 200, 0, 100, 200, 90, 90, 90]);
  assert.deepEqual(
    downscale({ width: 3, height: 3, pixels }, 2 / 3),
    { width: 2, height: 2, pixels: Uint8Array.from([33, 167, 71, 116]) },
  );
});

async function extracted(image: Uint8Array): Promise<string> {
  return await withJob(image, "image/png", async (job) => (await runExtraction(job)).markdown);
}
