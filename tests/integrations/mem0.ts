/** A server for tests with mem0's clients, and how their programs are run. */

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Environment of a program that uses mem0's clients. */
export type Mem0Environment = Readonly<Record<string, string>>;

/**
 * Starts a server and runs `work` with the environment for clients: the server's address and key, a
 * folder for their own configuration, and their telemetry off.
 */
export async function withMem0Server(
  work: (environment: Mem0Environment, server: TestServer) => Promise<void>,
): Promise<void> {
  const home = makeTempDirSync();
  try {
    await withServer((server) =>
      work({
        COMMONPLACE_URL: server.url,
        COMMONPLACE_API_KEY: server.key,
        HOME: home,
        MEM0_DIR: join(home, ".mem0"),
        MEM0_TELEMETRY: "false",
      }, server)
    );
  } finally {
    await rm(home);
  }
}

/** Installs the packages of an integration's `package.json` and returns the folder. */
export async function installPackages(source: string, name: string): Promise<string> {
  const folder = join(import.meta.dirname!, "../../dist/integrations", name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, "package.json"), join(folder, "package.json"));
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], folder);
  return folder;
}

/** Runs a program of an integration with the packages installed for it, and prints its output. */
export async function runProgram(
  interpreter: readonly [command: string, ...args: string[]],
  program: string,
  folder: string,
  environment: Mem0Environment,
): Promise<void> {
  // Packages are resolved from where the program is, so it's copied next to them.
  const copy = join(folder, program.split("/").at(-1)!);
  copyFileSync(program, copy);
  const [command, ...args] = interpreter;
  reportOutput(await run(command, [...args, copy], folder, environment));
}

/**
 * Returns the program of docs/mem0.md that begins with a line, with the server's address and key.
 */
export function documentedProgram(beginning: string, environment: Mem0Environment): string {
  const page = readFileSync(join(import.meta.dirname!, "../../docs/mem0.md"), "utf8");
  const blocks = [...page.matchAll(/```(?:python|js)\n([\s\S]*?)```/g)].map(([, text]) => text!);
  const [url, key] = [environment["COMMONPLACE_URL"]!, environment["COMMONPLACE_API_KEY"]!];
  return blocks.find((text) => text.startsWith(beginning))!
    .replace("http://127.0.0.1:8420", url).replace("cpl_…", key)
    // The program that leaves mem0's platform, which can't be reached in a test.
    .replace('api_key="m0-…"', `host="${url}/mem0", api_key="${key}"`);
}

/** Prints the output of a program. */
export function reportOutput(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** Runs a command and returns its output. Throws if it fails. */
export async function run(
  command: string,
  args: string[],
  cwd: string,
  env: Mem0Environment = {},
): Promise<string> {
  const output = await new Deno.Command(command, { args, cwd, env }).output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (!output.success) throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout!;
}
