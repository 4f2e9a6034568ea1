/** This program as a process that clients start. */

import { join } from "node:path";
import type { ProcessTarget } from "./clients.ts";

/**
 * Returns this program as a command that works from any directory and without a `PATH`.
 *
 * @param env environment of the process
 * @param environment returns the value of an environment variable of this process
 */
export function ownProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  environment: (name: string) => string | undefined = (name) => Deno.env.get(name),
): ProcessTarget {
  const executable = environment("COMMONPLACE_EXECUTABLE");
  if (executable) {
    // Set by packages whose executable is a script.
    const runtime = environment("COMMONPLACE_RUNTIME");
    return runtime
      ? { kind: "process", program: runtime, args: [executable, ...args], environment: env }
      : { kind: "process", program: executable, args, environment: env };
  }
  const root = join(import.meta.dirname!, "../..");
  const task = ["task", "--quiet", "--cwd", root, "commonplace"];
  return { kind: "process", program: Deno.execPath(), args: [...task, ...args], environment: env };
}
