/**
 * Entry point of the child process, which runs a single extraction attempt: reads the input file
 * and writes the result to its output folder. The runner starts it without network access and
 * without write permission for anything else.
 */
import { loadAssets, MEMORY_REPORTER_URL } from "./assets.ts";
import { Engines } from "./engines.ts";
import { ExtractionError } from "./error.ts";
import { extract } from "./extract.ts";
import { type ChildRequest, type ChildResult, DOCUMENT_FILE, RESULT_FILE } from "./protocol.ts";

/**
 * Runs a single extraction. The result file is written last and renamed into place, so no one ever
 * reads an incomplete one.
 */
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
    // An unexpected parser error, usually due to damaged bytes. The details go to the log, not to
    // the client.
    const detail = error instanceof Error ? error.stack ?? error.message : String(error);
    await Deno.stderr.write(new TextEncoder().encode(detail));
    return {
      ok: false,
      code: "EXTRACTION_FAILED",
      message: "Failed to read the file; check that it opens in its own program",
    };
  }
}

/** Drops permissions. In a compiled executable, the child starts out with all of the server's. */
async function dropPermissions(): Promise<void> {
  for (const name of ["net", "run", "ffi", "env", "sys"] as const) {
    await Deno.permissions.revoke({ name });
  }
}

/**
 * Exits when standard input closes. The server holds the other end, so this means the server is
 * gone and no one is waiting for the result. During a long OCR run, we only notice between pages.
 */
async function exitWhenServerExits(): Promise<void> {
  for await (const _ of Deno.stdin.readable) {
    // The server never sends anything, so all that matters is when the stream ends.
  }
  Deno.exit(1);
}

if (import.meta.main) {
  new Worker(MEMORY_REPORTER_URL, { type: "module" });
  void exitWhenServerExits();
  const request: ChildRequest = JSON.parse(Deno.args[0] ?? "{}");
  await runChild(request);
  // WebAssembly engines can leave timers behind that would keep the process alive.
  Deno.exit(0);
}
