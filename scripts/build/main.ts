/**
 * `deno task build [FILE]`: builds the single-file executable, then prints its contents and startup
 * time.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { formatTable } from "../../src/cli/command.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { stderrLog } from "../../src/kernel/log.ts";
import { Progress } from "../../src/kernel/progress.ts";
import { CONTENT_KINDS } from "./contents.ts";
import { buildExecutable, type PackedContent } from "./executable.ts";
import { measureStartup } from "./startup_time.ts";

const root = join(import.meta.dirname!, "../..");
const target = Deno.args[0] ?? join(root, "dist/commonplace");

const start = performance.now();
const progress = new Progress(stderrLog(systemClock(), "info"));
const packed = await buildExecutable(root, target, progress.update).finally(() => progress.end());
print(`${target} for ${Deno.build.target}: ${megabytes(statSync(target).size)} MB, `);
print(`built in ${((performance.now() - start) / 1_000).toFixed(1)} s\n\n`);
print(
  `${
    formatTable([
      ...CONTENT_KINDS.map((kind) =>
        row(
          kind,
          packed.filter((file) => file.kind === kind),
        )
      ),
      row("all", packed),
    ])
  }\n\n`,
);
progress.update("Measuring the time that starts take");
const { first, next } = await measureStartup(target).finally(() => progress.end());
print(`time until the ready line: first start ${first} ms, later starts ${next.join(", ")} ms\n`);

function row(what: string, files: readonly PackedContent[]): Record<string, string> {
  const sum = (field: "size" | "stored") => files.reduce((total, file) => total + file[field], 0);
  return {
    "what": what,
    "files": String(files.length),
    "MB": megabytes(sum("size")),
    "MB packed": megabytes(sum("stored")),
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
