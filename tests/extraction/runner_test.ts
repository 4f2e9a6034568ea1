/** Tests the child process: its result, exit, permissions and saved pages. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { MEMORY_REPORTER_URL } from "../../src/extraction/assets.ts";
import { downscale } from "../../src/extraction/ocr/downscale.ts";
import { childFlags, type ExtractionJob, runExtraction } from "../../src/extraction/runner.ts";
import { EXTRACTOR_VERSION } from "../../src/extraction/version.ts";
import {
  bmp,
  markdownOf,
  pdf,
  picturePdf,
  read,
  scan,
  scanned,
  tiff,
} from "../../testing/extraction_fixtures.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/**
 * Runs `use` with a job for `content`. Fails if the work folder then contains anything other than
 * pages.
 */
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
    const entries = [];
    for await (const entry of Deno.readDir(workDir)) entries.push(entry.name);
    assert.deepEqual(entries, ["pages"]);
    return result;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the command for a child that runs `code` with the extractor's permissions. */
function childOf(code: string, ...permissions: string[]): string[] {
  const source = `data:application/typescript,${encodeURIComponent(code)}`;
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", "--allow-read", ...permissions, source];
}

Deno.test("runExtraction() returns a document with its page count, extractor and version", async () => {
  await withJob(pdf([[{ x: 72, y: 700, text: "Hello" }], []]), "application/pdf", async (job) => {
    const { markdown, pageCount, extractor, extractorVersion } = await runExtraction(job);
    assert.equal(markdown, "Hello\n\n<!-- page 2 -->\n");
    assert.equal(pageCount, 2);
    assert.match(extractor, /pdfium/);
    assert.equal(extractorVersion, EXTRACTOR_VERSION);
  });
});

Deno.test("runExtraction() resolves packages through the lock file if Deno's cache is empty", async () => {
  const empty = await Deno.makeTempDir();
  try {
    // A process of its own, since this one shares its environment with other test files.
    const runner = import.meta.resolve("../../src/extraction/runner.ts");
    const markdown = await withJob("first\n", "text/plain", async (job) => {
      const code = `import { runExtraction } from ${JSON.stringify(runner)};
        console.log((await runExtraction(${JSON.stringify(job)})).markdown);`;
      const source = `data:application/typescript,${encodeURIComponent(code)}`;
      const config = fileURLToPath(import.meta.resolve("../../deno.json"));
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--cached-only", "--allow-all", `--config=${config}`, source],
        env: { DENO_DIR: empty },
        stderr: "inherit",
      }).output();
      return new TextDecoder().decode(stdout);
    });
    assert.equal(markdown, "first\n\n");
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
});

Deno.test("runExtraction() keeps the child's error code and marks permanent errors as not retryable", async () => {
  await withJob("%PDF-1.4 broken", "application/pdf", async (job) => {
    await assert.rejects(runExtraction(job), { code: "DOCUMENT_CORRUPT", retryable: false });
  });
});

Deno.test("runExtraction() reads a page with a huge comment, script and image in a small heap", async () => {
  const filler = "AAAABBBB".repeat(500_000);
  const html = `<body><!-- ${filler} --><p>A <img alt="chart" src="data:,${filler}"> page</p>` +
    `<script>${filler}</script></body>`;
  await withJob(html, "text/html", async (job) => {
    const { markdown } = await runExtraction({ ...job, limits: { maxHeapMegabytes: 64 } });
    assert.match(markdown, /chart/);
    assert.match(markdown, /page/);
  });
});

Deno.test("runExtraction() fails with a retryable EXTRACTION_TIMEOUT if the child never ends", async () => {
  await withJob("x", "text/plain", async (job) => {
    const attempt = runExtraction({
      ...job,
      command: childOf("while (true) {}"),
      limits: { timeoutMs: 400 },
    });
    await assert.rejects(attempt, { code: "EXTRACTION_TIMEOUT", retryable: true });
  });
});

Deno.test("runExtraction() kills a child that exceeds the memory limit", async () => {
  await withJob("x", "text/plain", async (job) => {
    // Yields once, as it would to read the input, and then never again.
    const allocate = `new Worker("${MEMORY_REPORTER_URL}", { type: "module" });
      await Deno.readTextFile("${job.inputPath}");
      const all = [];
      while (true) all.push(new Uint8Array(1e6).fill(1));`;
    const attempt = runExtraction({
      ...job,
      command: childOf(allocate),
      limits: { maxMemoryBytes: 300_000_000, timeoutMs: 300_000 },
    });
    await assert.rejects(attempt, { code: "EXTRACTION_CRASHED", message: /300 MB of memory/ });
  });
});

Deno.test("runExtraction() fails with EXTRACTION_CRASHED if the child exits with an error", async () => {
  await withJob("x", "text/plain", async (job) => {
    const attempt = runExtraction({ ...job, command: childOf("Deno.exit(7)") });
    await assert.rejects(attempt, { code: "EXTRACTION_CRASHED", message: /exited with code 7/ });
  });
});

Deno.test("runExtraction() kills the child when aborted and rejects with the signal's reason", async () => {
  await withJob("x", "text/plain", async (job) => {
    const abort = new AbortController();
    const markerPath = `${job.inputPath}-is-read`;
    const busy = `Deno.writeTextFileSync(${JSON.stringify(markerPath)}, ""); while (true) {}`;
    const attempt = runExtraction({
      ...job,
      signal: abort.signal,
      command: childOf(busy, "--allow-write"),
    });
    const killed = assert.rejects(attempt, { message: "lease lost" });
    await waitUntil(() => Promise.resolve(existsSync(markerPath)), Boolean);
    abort.abort(new Error("lease lost"));
    await killed;
  });
});

Deno.test("runExtraction() runs the child at low priority", async () => {
  await withJob("x", "text/plain", async (job) => {
    const printPriority = `import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";
      console.error(getPriority());`;
    const attempt = runExtraction({
      ...job,
      command: childOf(printPriority, "--allow-sys=getPriority"),
    });
    await assert.rejects(attempt, {
      code: "EXTRACTION_CRASHED",
      cause: `${Math.max(10, getPriority())}\n`,
    });
  });
});

Deno.test("childFlags() limits the child to reading its input and its own folders", async () => {
  const folder = await Deno.makeTempDir();
  const code = `const queries = [
    { name: "net" }, { name: "run" }, { name: "env" }, { name: "ffi" }, { name: "sys" },
    { name: "read", path: "/" }, { name: "read", path: "${folder}" },
    { name: "write", path: "${folder}" }, { name: "write", path: "${folder}/input" },
    { name: "read", path: "${folder}/input" }, { name: "write", path: "${folder}/out" },
  ];
  const states = queries.map((query) => Deno.permissions.querySync(query).state === "granted");
  console.log(states.map(Number).join(""));`;
  try {
    const paths = {
      inputPath: `${folder}/input`,
      outputDir: `${folder}/out`,
      checkpointDir: `${folder}/pages`,
    };
    const source = `data:application/typescript,${encodeURIComponent(code)}`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...childFlags(paths, { maxHeapMegabytes: 64 }), source],
    }).output();
    assert.equal(new TextDecoder().decode(stdout).trim(), "00000000011");
    const withComma = { ...paths, inputPath: "/a,/etc" };
    assert.throws(() => childFlags(withComma, { maxHeapMegabytes: 64 }), /contains a comma/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("runExtraction() reads the text in an image and doesn't recognize a saved page again", async () => {
  const image = await scan("The quick brown fox jumps over the lazy dog");
  await withJob(image, "image/png", async (job) => {
    const { markdown, pageCount } = await runExtraction(job);
    assert.equal(markdown, "The quick brown fox jumps over the lazy dog\n");
    assert.equal(pageCount, 1);
    const [savedPage] = [...Deno.readDirSync(`${job.workDir}/pages`)];
    const path = `${job.workDir}/pages/${savedPage?.name}`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("fox", "cat"));
    assert.match((await runExtraction(job)).markdown, /brown cat/);
  });
});

const LETTER = `The lighthouse of Skerry was repaired in the spring
of this year, at the cost of the harbour board.
Its lamp now burns with a new mantle every night.`;

for (const turn of [1, 2, 3] as const) {
  Deno.test(`runExtraction() reads a page rotated by ${90 * turn} degrees like an upright one`, async () => {
    const upright = await extracted(await scan(LETTER));
    assert.equal(upright, LETTER.replaceAll("\n", " ") + "\n");
    assert.equal(await extracted(await scan(LETTER, turn)), upright);
  });
}

Deno.test("readPdf() recognizes a page that contains only a picture", async () => {
  const file = picturePdf(await scanned(LETTER, { dpi: 300 }));
  assert.equal(await markdownOf(file, "application/pdf"), LETTER.replaceAll("\n", " "));
});

Deno.test("readImage() reads every page of a high-resolution TIFF", async () => {
  const pages = await Promise.all(LETTER.split("\n").map((line) => scanned(line, { dpi: 300 })));
  const [first, second, third] = LETTER.split("\n");
  assert.equal(
    await markdownOf(tiff(pages, 300), "image/tiff"),
    `${first} ${second}\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\n${third}`,
  );
});

Deno.test("readImage() reads a CMYK TIFF like a grey one", async () => {
  const line = "The lighthouse of Skerry";
  assert.equal(await markdownOf(tiff([await scanned(line)], 200, true), "image/tiff"), line);
});

Deno.test("readImage() rejects a PNG that ends early, rather than reading a part of it", async () => {
  const image = await scan(LETTER);
  await assert.rejects(
    read(image.subarray(0, Math.floor(0.7 * image.length)), "image/png"),
    { code: "DOCUMENT_CORRUPT" },
  );
});

Deno.test("readImage() reads a 32-bit BMP", async () => {
  const line = "The lighthouse of Skerry";
  assert.equal(await markdownOf(bmp(await scanned(line)), "image/bmp"), line);
});

Deno.test("downscale() sets each pixel to the mean of the area that it covers", () => {
  const pixels = Uint8Array.from([0, 100, 200, 0, 100, 200, 90, 90, 90]);
  assert.deepEqual(
    downscale({ width: 3, height: 3, pixels }, 2 / 3),
    { width: 2, height: 2, pixels: Uint8Array.from([33, 167, 71, 116]) },
  );
});

async function extracted(image: Uint8Array): Promise<string> {
  return await withJob(image, "image/png", async (job) => (await runExtraction(job)).markdown);
}
