/**
 * A worker beside the extraction: tells the runner, on standard output, how much memory the process
 * holds. It has a thread of its own, so that it goes on while the extraction is busy; the runner
 * can't look for itself, since Deno keeps /proc from any program without every permission.
 */

import { REPORT_INTERVAL_MS } from "./protocol.ts";

const encoder = new TextEncoder();

// V8's own limits do not bound the memory of WebAssembly; resident bytes are what counts.
setInterval(
  () => Deno.stdout.writeSync(encoder.encode(`${Deno.memoryUsage().rss}\n`)),
  REPORT_INTERVAL_MS,
);
