/** How long the executable takes to its ready line: unpacking, and when it is unpacked. */

import { join } from "node:path";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const WARM_STARTS = 3;

/** Starts the executable on a new data directory, first with nothing unpacked; milliseconds. */
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

async function measure(executable: string, directory: string, start: number): Promise<number> {
  const began = performance.now();
  const child = new Deno.Command(executable, {
    args: ["serve", "--data", join(directory, `data-${start}`), "--port", "0"],
    env: { COMMONPLACE_UNPACK_DIR: join(directory, "program"), COMMONPLACE_LOG_LEVEL: "off" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  let ready: number | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (ready !== undefined || !printed.includes("commonplace listening on ")) continue;
    ready = Math.round(performance.now() - began);
    child.kill("SIGTERM");
  }
  await child.status;
  if (ready === undefined) throw new Error("The executable ended before it was ready");
  return ready;
}
