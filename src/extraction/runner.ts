/**
 * Runs one extraction attempt in a child process and watches it. A Deno worker cannot be stopped
 * while it is busy, and its out-of-memory ends the whole process; a child can simply be killed.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { lowerPriority } from "../kernel/priority.ts";
import { ASSET_PATHS, MEMORY_REPORTER_URL } from "./assets.ts";
import { ExtractionError } from "./error.ts";
import { DEFAULT_LIMITS, type ExtractionLimits } from "./limits.ts";
import {
  type ChildRequest,
  type ChildResult,
  DOCUMENT_FILE,
  isChildResult,
  RESULT_FILE,
} from "./protocol.ts";
import { EXTRACTOR, EXTRACTOR_VERSION } from "./version.ts";

/** One attempt. */
export interface ExtractionJob {
  /** The uploaded bytes; read, never written. */
  readonly inputPath: string;
  readonly declaredType: string;
  readonly filename: string;
  /**
   * A folder of this job's own, made when it is missing. Recognized pages stay in it between
   * attempts; remove it once the job has ended for good.
   */
  readonly workDir: string;
  readonly limits?: Partial<ExtractionLimits>;
  /** Aborting kills the child and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How the child is started; `deno run` with least permissions when absent. */
  readonly command?: readonly string[];
}

/** A document. */
export interface ExtractionResult {
  readonly markdown: string;
  /** Pages, slides or sheets; null where the format has none. */
  readonly pageCount: number | null;
  readonly extractor: string;
  readonly extractorVersion: string;
}

/** A report is a number of bytes; what is longer is none. */
const MAX_REPORT_CHARACTERS = 20;
/** Of what the child says on standard error, this much is kept. */
const MAX_STDERR_CHARACTERS = 8_192;

type KillReason = "timeout" | "memory" | "aborted";

/** Extracts the Markdown of a file. Throws ExtractionError, or the reason of the signal. */
export async function runExtraction(job: ExtractionJob): Promise<ExtractionResult> {
  job.signal?.throwIfAborted();
  const limits = { ...DEFAULT_LIMITS, ...job.limits };
  const checkpointDir = `${job.workDir}/pages`;
  await Deno.mkdir(checkpointDir, { recursive: true });
  await removeStaleAttempts(job.workDir);
  const outputDir = await Deno.makeTempDir({ dir: job.workDir, prefix: "attempt-" });
  try {
    const request: ChildRequest = {
      inputPath: job.inputPath,
      outputDir,
      checkpointDir,
      declaredType: job.declaredType,
      filename: job.filename,
      maxPages: limits.maxPages,
      maxOutputBytes: limits.maxOutputBytes,
    };
    const ended = await runProcess(job, request, limits);
    job.signal?.throwIfAborted();
    return await collectResult(outputDir, ended, limits);
  } finally {
    await Deno.remove(outputDir, { recursive: true });
  }
}

/** A server that was killed leaves the folder of its attempt behind. */
async function removeStaleAttempts(workDir: string): Promise<void> {
  for await (const entry of Deno.readDir(workDir)) {
    if (!entry.name.startsWith("attempt-")) continue;
    await Deno.remove(`${workDir}/${entry.name}`, { recursive: true });
  }
}

interface ChildExit {
  readonly code: number;
  readonly killReason: KillReason | undefined;
  readonly stderr: string;
}

async function runProcess(
  job: ExtractionJob,
  request: ChildRequest,
  limits: ExtractionLimits,
): Promise<ChildExit> {
  const [executable, ...args] = [
    ...job.command ?? childCommand(request, limits),
    JSON.stringify(request),
  ];
  const child = new Deno.Command(executable ?? Deno.execPath(), {
    args,
    cwd: request.outputDir,
    clearEnv: true,
    env: inheritedEnv(),
    // Held open while the child works: it ends itself when its server is gone.
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // At the server's own priority, two children made searches wait up to eight times as long. The
  // child can't do this by itself: it may ask nothing of the system.
  lowerPriority(child.pid);
  let killReason: KillReason | undefined;
  const kill = (why: KillReason) => {
    killReason ??= why;
    killQuietly(child);
  };
  const onAbort = () => kill("aborted");
  job.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => kill("timeout"), limits.timeoutMs);
  try {
    const [status, stderr] = await Promise.all([
      child.status,
      readStderr(child.stderr),
      watchMemory(child.stdout, limits.maxMemoryBytes, () => kill("memory")),
    ]);
    return { code: status.code, killReason, stderr };
  } finally {
    await child.stdin.close();
    clearTimeout(timer);
    job.signal?.removeEventListener("abort", onAbort);
  }
}

/** Starts the extractor's own child. */
function childCommand(request: ChildRequest, limits: ExtractionLimits): string[] {
  const script = fileURLToPath(import.meta.resolve("./child.ts"));
  return [Deno.execPath(), "run", ...childFlags(request, limits), script];
}

/**
 * The child takes its packages by the lock file. Without one Deno looks into its cache for what the
 * registry says of them, which an install by the lock file never fetched. The executable brings a
 * cache of its own, and no lock file.
 */
const LOCK_FILE = fileURLToPath(import.meta.resolve("../../deno.lock"));
const LOCK_FLAGS = existsSync(LOCK_FILE) ? [`--lock=${LOCK_FILE}`, "--frozen"] : ["--no-lock"];

/** The child may read its input and the assets, and write two folders; nothing else. */
export function childFlags(
  request: Pick<ChildRequest, "inputPath" | "outputDir" | "checkpointDir">,
  limits: Pick<ExtractionLimits, "maxHeapMegabytes">,
): string[] {
  const own = [request.outputDir, request.checkpointDir];
  const reads = [
    request.inputPath,
    ...own,
    ...new Set(Object.values(ASSET_PATHS).map(dirname)),
    dirname(fileURLToPath(MEMORY_REPORTER_URL)),
  ];
  return [
    "--quiet",
    "--no-prompt",
    "--cached-only",
    ...LOCK_FLAGS,
    `--v8-flags=--max-old-space-size=${limits.maxHeapMegabytes}`,
    `--allow-read=${pathList(reads)}`,
    `--allow-write=${pathList(own)}`,
  ];
}

/** Paths as a flag takes them: a comma would grant two other paths, and cannot be escaped. */
function pathList(paths: readonly string[]): string {
  const split = paths.find((path) => path.includes(","));
  if (split !== undefined) {
    throw new Error(`The path "${split}" holds a comma; use a data directory without one`);
  }
  return paths.join(",");
}

/** What Deno needs to find its cache; nothing of the server's configuration and secrets. */
function inheritedEnv(): Record<string, string> {
  const env: Record<string, string> = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  for (const name of ["HOME", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "SystemRoot"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function killQuietly(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // It ended by itself in the meantime.
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Reads the child's reports of its memory, until it ends or holds too much. */
async function watchMemory(
  reports: ReadableStream<Uint8Array>,
  maxBytes: number,
  onExceeded: () => void,
): Promise<void> {
  let line = "";
  for await (const text of reports.pipeThrough(new TextDecoderStream())) {
    const lines = (line + text).split("\n");
    line = lines.pop()!.slice(-MAX_REPORT_CHARACTERS);
    if (lines.some((report) => Number(report) > maxBytes)) onExceeded();
  }
}

async function readStderr(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (text.length < MAX_STDERR_CHARACTERS) text += decoder.decode(chunk, { stream: true });
  }
  return text.slice(0, MAX_STDERR_CHARACTERS);
}

async function collectResult(
  outputDir: string,
  exit: ChildExit,
  limits: ExtractionLimits,
): Promise<ExtractionResult> {
  if (exit.killReason === "timeout") {
    throw new ExtractionError(
      "EXTRACTION_TIMEOUT",
      `Reading the file took longer than ${Math.round(limits.timeoutMs / 1_000)} seconds`,
    );
  }
  if (exit.killReason === "memory") {
    throw new ExtractionError(
      "EXTRACTION_CRASHED",
      `Reading the file took more than ${Math.round(limits.maxMemoryBytes / 1e6)} MB of memory`,
    );
  }
  const result = await readResult(`${outputDir}/${RESULT_FILE}`);
  if (result === undefined) {
    throw new ExtractionError(
      "EXTRACTION_CRASHED",
      `The extractor ended with exit code ${exit.code} and without a result`,
      { cause: exit.stderr },
    );
  }
  if (!result.ok) throw new ExtractionError(result.code, result.message, { cause: exit.stderr });
  return {
    markdown: await Deno.readTextFile(`${outputDir}/${DOCUMENT_FILE}`),
    pageCount: result.pageCount,
    extractor: EXTRACTOR,
    extractorVersion: EXTRACTOR_VERSION,
  };
}

async function readResult(path: string): Promise<ChildResult | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  return isChildResult(value) ? value : undefined;
}
