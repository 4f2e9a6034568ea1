/** Starts workerd, the runtime of edge workers, with one program. */

import { build, stop } from "esbuild";
import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The program may connect to this machine only. */
const configOf = (program: string) =>
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "${program}")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** A running workerd. */
export interface Workerd {
  readonly url: string;
  stop(): Promise<void>;
}

/** Bundles a program for workerd and starts it. */
export async function startWorkerd(binary: string, program: string): Promise<Workerd> {
  const outfile = program.replace(/\.js$/, ".bundle.js");
  const conditions = ["workerd", "worker"];
  await build({ entryPoints: [program], bundle: true, format: "esm", conditions, outfile });
  await stop();
  const config = join(dirname(program), "workerd.capnp");
  writeFileSync(config, configOf(basename(outfile)));
  const child = new Deno.Command(binary, {
    // workerd prints its port to this file, which is its output.
    args: ["serve", "--control-fd=1", config],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += part;
    const port = /"port":(\d+)/.exec(printed)?.[1];
    if (port === undefined) continue;
    return {
      url: `http://127.0.0.1:${port}/`,
      async stop() {
        child.kill();
        await child.status;
      },
    };
  }
  throw new Error(`workerd didn't start: ${printed}`);
}
