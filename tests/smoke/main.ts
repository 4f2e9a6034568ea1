/** `deno task smoke [FILE]`: runs the smoke test against the source or an executable. */

import { join, resolve } from "node:path";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { smoke } from "./smoke.ts";

const [file] = Deno.args;
const directory = makeTempDirSync();
try {
  // Uses the caller's unpacked folder, if any.
  const unpackRoot = Deno.env.get("COMMONPLACE_UNPACK_DIR") ?? join(directory, "program");
  const environment = { COMMONPLACE_UNPACK_DIR: unpackRoot };
  const options = file === undefined ? {} : { executable: resolve(file), environment };
  await smoke(directory, options, report);
} finally {
  await rm(directory);
}

async function report(name: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  print(`${Math.round(performance.now() - began).toString().padStart(6)} ms  ${name}\n`);
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
