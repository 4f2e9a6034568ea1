/** `deno task build [FILE]`: the single executable, what is in it, and how long it takes to start. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { table } from "../../src/cli/verb.ts";
import { KINDS } from "./contents.ts";
import { buildExecutable, type PackedContent } from "./executable.ts";
import { measureStarts } from "./starts.ts";

const root = join(import.meta.dirname!, "../..");
const target = Deno.args[0] ?? join(root, "dist/commonplace");

const began = performance.now();
const packed = await buildExecutable(root, target);
say(`${target} for ${Deno.build.target}: ${megabytes(statSync(target).size)} MB, `);
say(`built in ${((performance.now() - began) / 1_000).toFixed(1)} s\n\n`);
say(
  `${
    table([
      ...KINDS.map((kind) =>
        row(
          kind,
          packed.filter((each) => each.kind === kind),
        )
      ),
      row("all", packed),
    ])
  }\n\n`,
);
const { first, next } = await measureStarts(target);
say(`first start ${first} ms, next starts ${next.join(", ")} ms, to the ready line\n`);

function row(what: string, files: readonly PackedContent[]): Record<string, string> {
  const sum = (field: "size" | "stored") => files.reduce((total, each) => total + each[field], 0);
  return {
    "what": what,
    "files": String(files.length),
    "MB": megabytes(sum("size")),
    "MB inside": megabytes(sum("stored")),
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
