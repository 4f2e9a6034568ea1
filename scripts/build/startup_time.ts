/**
 * Measures how long the executable takes to print its ready line, both when it has to unpack itself
 * and when it's already unpacked.
 */

import { join } from "node:path";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const WARM_STARTS = 3;

/**
 * Starts the executable several times, each time on a fresh data directory. Only the first start
 * unpacks it.
 *
 * @returns durations in milliseconds
 */
export async function measureStartup(
  executable: string,
): Promise<{ first: number; next: number[] }> {
  const directory = makeTempDirSync();
  try {
    const first = await measure(executable, directory, 0);
    const next: number[] = [];
    while (next.length < WARM_STARTS) {
      next.push(await measure(executable, directory, next.length + 1));
    }
    return { first, next };
  } finally {
    await rm(directory);
  }
}

async function measure(executable: string, directory: string, run: number): Promise<number> {
  const start = performance.now();
  const child = new Deno.Command(executable, {
    args: ["serve", "--data", join(directory, `data-${run}`), "--port", "0"],
    env: { COMMONPLACE_UNPACK_DIR: join(directory, "program"), COMMONPLACE_LOG_LEVEL: "off" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  let ready: number | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (ready !== undefined || !printed.includes("commonplace listening on ")) continue;
    ready = Math.round(performance.now() - start);
    child.kill("SIGTERM");
  }
  await child.status;
  if (ready === undefined) throw new Error("The executable exited before it was ready");
  return ready;
}
