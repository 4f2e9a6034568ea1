/** Runs the smoke test on an installed program, with an empty home directory and no network. */

import { join } from "node:path";
import { makeTempDirSync, rm } from "./temp_dir.ts";

const ROOT = join(import.meta.dirname!, "..");

/** Runs a program to its end. Throws if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { success, code } = await new Deno.Command(program, { args: [...args], env }).spawn()
    .status;
  if (!success) throw new Error(`${program} ${args.join(" ")} exited with ${code}`);
}

/**
 * Runs the smoke test with the network cut off, except for loopback. Throws if it fails.
 *
 * @param command path of the installed program
 * @param path folder to search for programs first, e.g. that of a Node version
 */
export async function smokeOffline(command: string, path?: string): Promise<void> {
  const home = makeTempDirSync();
  const script = 'ip link set lo up && exec "$@"';
  try {
    await runProgram(
      "unshare",
      [
        ...["--net", "sh", "-c", script, "sh"],
        ...[Deno.execPath(), "run", "--quiet", "--allow-all", "--config", join(ROOT, "deno.json")],
        ...[join(ROOT, "tests/smoke/main.ts"), command],
      ],
      {
        HOME: home,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME")!, ".cache/deno"),
        PATH: [...path === undefined ? [] : [path], Deno.env.get("PATH")!].join(":"),
      },
    );
  } finally {
    await rm(home);
  }
}
