/**
 * A worker that runs alongside the extraction and writes the process's memory usage to standard
 * output for the runner. It has its own thread, so it keeps reporting while the extraction is busy.
 * The runner can't measure the child itself, since Deno denies access to /proc unless a program has
 * all permissions.
 */

import { REPORT_INTERVAL_MS } from "./protocol.ts";

const encoder = new TextEncoder();

// Report resident memory, since V8's own limits don't cover WebAssembly memory.
setInterval(
  () => Deno.stdout.writeSync(encoder.encode(`${Deno.memoryUsage().rss}\n`)),
  REPORT_INTERVAL_MS,
);
