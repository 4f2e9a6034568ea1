/**
 * A worker that runs next to the extraction and writes the memory usage of the process to standard
 * output, where the runner reads it. It has its own thread, so it keeps reporting while the
 * extraction is busy. The runner can't measure the child itself, because Deno denies access to
 * /proc unless a program has all permissions.
 */

import { REPORT_INTERVAL_MS } from "./protocol.ts";

const encoder = new TextEncoder();

// Reports resident memory, because V8's own limits don't include the memory of WebAssembly.
setInterval(
  () => Deno.stdout.writeSync(encoder.encode(`${Deno.memoryUsage().rss}\n`)),
  REPORT_INTERVAL_MS,
);
