/**
 * Runs a single extraction attempt in a child process and monitors it. A worker wouldn't do: Deno
 * can't stop a busy one, and one that runs out of memory takes the whole process down. A child
 * process can be killed at any time.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { lowerPriority } from "../kernel/process/priority.ts";
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

/** Input for an extraction attempt. */
export interface ExtractionJob {
  /** Path to the uploaded file, which is only read. */
  readonly inputPath: string;
  readonly declaredType: string;
  readonly filename: string;
  /**
   * Folder for this job, created if needed. Recognized pages stay in it between attempts, so don't
   * remove it until the job has ended for good.
   */
  readonly workDir: string;
  /** Overrides for the default limits. */
  readonly limits?: Partial<ExtractionLimits>;
  /** Aborting the signal kills the child process and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Command for starting the child process. Defaults to `deno run` with minimal permissions. */
  readonly command?: readonly string[];
}

/** The extracted document. */
export interface ExtractionResult {
  readonly markdown: string;
  /** Number of pages, slides or sheets; null for formats without any. */
  readonly pageCount: number | null;
  readonly extractor: string;
  readonly extractorVersion: string;
}

/** Maximum length of a memory report, which is a number of bytes. A longer line isn't one. */
const MAX_REPORT_CHARACTERS = 20;
/** How much of the standard error output we keep. */
const MAX_STDERR_CHARACTERS = 8_192;

type KillReason = "timeout" | "memory" | "aborted";

/**
 * Extracts a file's Markdown in a child process.
 *
 * @throws {ExtractionError} if the extraction fails, times out or uses too much memory
 * @throws the reason of `job.signal` if it is aborted
 */
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
    const exit = await runProcess(job, request, limits);
    job.signal?.throwIfAborted();
    return await collectResult(outputDir, exit, limits);
  } finally {
    await Deno.remove(outputDir, { recursive: true });
  }
}

/** Removes output folders left over from earlier attempts, in case the server was killed. */
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
    // Stays open while the child is working. If the server exits, this closes and the child exits
    // too.
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // At the server's own priority, two children made searches take up to eight times as long. The
  // child can't lower its own priority, as it lacks the `sys` permission.
  lowerPriority(child.pid);
  let killReason: KillReason | undefined;
  const kill = (reason: KillReason) => {
    killReason ??= reason;
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

/** Returns the command that starts the extractor's child process. */
function childCommand(request: ChildRequest, limits: ExtractionLimits): string[] {
  const script = fileURLToPath(import.meta.resolve("./child.ts"));
  return [Deno.execPath(), "run", ...childFlags(request, limits), script];
}

/**
 * Flags that make the child resolve its packages with the lock file. Without one, Deno reads
 * registry metadata from its cache, and installing from the lock file never fetches that metadata.
 * A compiled executable has its own cache and no lock file.
 */
const LOCK_FILE = fileURLToPath(import.meta.resolve("../../deno.lock"));
const LOCK_FLAGS = existsSync(LOCK_FILE) ? [`--lock=${LOCK_FILE}`, "--frozen"] : ["--no-lock"];

/**
 * Returns the child process's flags. The child can read its input and the assets and write to two
 * folders, nothing else.
 */
export function childFlags(
  request: Pick<ChildRequest, "inputPath" | "outputDir" | "checkpointDir">,
  limits: Pick<ExtractionLimits, "maxHeapMegabytes">,
): string[] {
  const writablePaths = [request.outputDir, request.checkpointDir];
  const readablePaths = [
    request.inputPath,
    ...writablePaths,
    ...new Set(Object.values(ASSET_PATHS).map(dirname)),
    dirname(fileURLToPath(MEMORY_REPORTER_URL)),
  ];
  return [
    "--quiet",
    "--no-prompt",
    "--cached-only",
    ...LOCK_FLAGS,
    `--v8-flags=--max-old-space-size=${limits.maxHeapMegabytes}`,
    `--allow-read=${pathList(readablePaths)}`,
    `--allow-write=${pathList(writablePaths)}`,
  ];
}

/**
 * Returns paths as the value of a permission flag.
 *
 * @throws {Error} if a path contains a comma, which would grant access to two different paths and
 *   can't be escaped
 */
function pathList(paths: readonly string[]): string {
  const invalidPath = paths.find((path) => path.includes(","));
  if (invalidPath !== undefined) {
    throw new Error(`Path "${invalidPath}" contains a comma; use a data directory without one`);
  }
  return paths.join(",");
}

/**
 * Returns the environment variables Deno needs to find its cache. Leaves out the server's
 * configuration and secrets.
 */
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
    // The child has exited in the meantime.
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}

/**
 * Reads the child's memory reports until it exits. Calls `onExceeded` for each report above
 * `maxBytes`.
 */
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

/** Returns an exited child's result, or throws its error. */
async function collectResult(
  outputDir: string,
  exit: ChildExit,
  limits: ExtractionLimits,
): Promise<ExtractionResult> {
  if (exit.killReason === "timeout") {
    throw new ExtractionError(
      "EXTRACTION_TIMEOUT",
      `Extraction took longer than ${Math.round(limits.timeoutMs / 1_000)} seconds`,
    );
  }
  if (exit.killReason === "memory") {
    throw new ExtractionError(
      "EXTRACTION_CRASHED",
      `Extraction used more than ${Math.round(limits.maxMemoryBytes / 1e6)} MB of memory`,
    );
  }
  const result = await readResult(`${outputDir}/${RESULT_FILE}`);
  if (result === undefined) {
    throw new ExtractionError(
      "EXTRACTION_CRASHED",
      `The extractor exited with code ${exit.code} before it returned a result`,
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
