/**
 * The child process of one attempt: reads the input file, writes the result into its folder.
 * Started by the runner with no network and no right to write anywhere else.
 */
import { loadAssets, MEMORY_REPORTER_URL } from "./assets.ts";
import { Engines } from "./engines.ts";
import { ExtractionError } from "./error.ts";
import { extract } from "./extract.ts";
import { type ChildRequest, type ChildResult, DOCUMENT_FILE, RESULT_FILE } from "./protocol.ts";

/** Runs one extraction. The result is written last, and whole: a half result cannot be read. */
async function runChild(request: ChildRequest): Promise<void> {
  await dropPermissions();
  const result = await tryExtract(request);
  const path = `${request.outputDir}/${RESULT_FILE}`;
  await Deno.writeTextFile(`${path}.part`, JSON.stringify(result));
  await Deno.rename(`${path}.part`, path);
}

async function tryExtract(request: ChildRequest): Promise<ChildResult> {
  try {
    const { markdown, pageCount, kind } = await extract({
      bytes: await Deno.readFile(request.inputPath),
      declaredType: request.declaredType,
      filename: request.filename,
      maxPages: request.maxPages,
      maxOutputBytes: request.maxOutputBytes,
      engines: new Engines(loadAssets()),
      checkpointDir: request.checkpointDir,
    });
    await Deno.writeTextFile(`${request.outputDir}/${DOCUMENT_FILE}`, markdown);
    return { ok: true, pageCount: pageCount ?? null, kind };
  } catch (error) {
    if (error instanceof ExtractionError) {
      return { ok: false, code: error.code, message: error.message };
    }
    // A parser that loses its way in damaged bytes: the details are for the log, not the client.
    const detail = error instanceof Error ? error.stack ?? error.message : String(error);
    await Deno.stderr.write(new TextEncoder().encode(detail));
    return { ok: false, code: "EXTRACTION_FAILED", message: "The file could not be read" };
  }
}

/** A compiled executable starts with the rights of the server; the child gives them up. */
async function dropPermissions(): Promise<void> {
  for (const name of ["net", "run", "ffi", "env", "sys"] as const) {
    await Deno.permissions.revoke({ name });
  }
}

/**
 * The server holds the other end of standard input. Once it is gone nobody waits for a result, and
 * a long recognition must not go on alone; it is noticed between pages.
 */
async function exitWhenServerExits(): Promise<void> {
  for await (const _ of Deno.stdin.readable) {
    // Nothing is ever sent; only the end matters.
  }
  Deno.exit(1);
}

if (import.meta.main) {
  new Worker(MEMORY_REPORTER_URL, { type: "module" });
  void exitWhenServerExits();
  const request: ChildRequest = JSON.parse(Deno.args[0] ?? "{}");
  await runChild(request);
  // Engines in WebAssembly may leave timers behind; the work is done.
  Deno.exit(0);
}
