/** Runs published MCP clients in a home directory of their own, next to a running service. */

import { copyFileSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, ServeProcess } from "./program.ts";
import { makeTempDirSync, rm } from "./temp_dir.ts";

const ROOT = join(import.meta.dirname!, "..");

/** A client's package, installed, with a service and a folder to work in. */
export interface ClientProgram {
  /** URL of the service. */
  readonly url: string;
  /** The service's first key. */
  readonly key: string;
  /** Data directory of the service. */
  readonly data: string;
  readonly home: string;
  /** A folder that the client is started in. */
  readonly folder: string;
  /** Runs a program of the package, and returns what it prints. Fails if it fails. */
  client(
    program: string,
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Runs `commonplace` with the service's data directory, and returns what it prints. */
  commonplace(...args: readonly string[]): Promise<string>;
}

/**
 * Installs the package in an integration's folder, starts a service and runs `work`.
 *
 * @param name the integration
 */
export async function withClientProgram(
  name: string,
  work: (program: ClientProgram) => Promise<void>,
): Promise<void> {
  const installed = join(ROOT, "dist/integrations", name);
  mkdirSync(installed, { recursive: true });
  copyFileSync(
    join(ROOT, "tests/integrations", name, "package.json"),
    join(installed, "package.json"),
  );
  await execute("npm", ["install", "--silent", "--no-audit", "--no-fund"], {
    cwd: installed,
    env: {},
  });
  const [data, home, folder] = [makeTempDirSync(), makeTempDirSync(), makeTempDirSync()];
  const path = [join(installed, "node_modules/.bin"), Deno.env.get("PATH")].join(delimiter);
  try {
    await using service = await ServeProcess.serve(data);
    await work({
      url: service.url,
      key: service.apiKey,
      data,
      home,
      folder,
      client: (program, args, environment = {}) =>
        execute(program, args, {
          cwd: folder,
          env: { HOME: home, PATH: path, ...denoDirectory(), NO_COLOR: "1", ...environment },
        }),
      async commonplace(...args) {
        const environment = { HOME: home, PATH: path, ...denoDirectory() };
        const ended = await run([...args, "--data", data], { environment, cwd: folder });
        if (ended.code !== 0) throw new Error(`commonplace ${args.join(" ")}\n${ended.stderr}`);
        return ended.stdout;
      },
    });
  } finally {
    await Promise.all([data, home, folder].map(rm));
  }
}

/** Prints a line of an integration's report. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}

async function execute(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const output = await new Deno.Command(program, {
    args: [...args],
    cwd: options.cwd,
    env: options.env,
    stdin: "null",
  }).output();
  const [out, error] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (!output.success) throw new Error(`${program} ${args.join(" ")}\n${out}\n${error}`);
  return `${out}${error}`;
}

/** The home directory is another one, but what Deno has downloaded is not. */
function denoDirectory(): Record<string, string> {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME")!, ".cache");
  return { DENO_DIR: Deno.env.get("DENO_DIR") ?? join(cache, "deno") };
}
