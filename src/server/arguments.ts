/** Parses the flags and arguments of a command line. */

import { parseArgs } from "node:util";
import { ArgumentError } from "./config_error.ts";

/** The value of each flag that is set: true for a switch. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses flags, `--name VALUE` or `--name=VALUE`, and the arguments between them.
 *
 * @param flags the name of each flag, and whether it has a value or is a switch
 * @throws ArgumentError
 */
export function parseArguments(
  args: readonly string[],
  flags: ReadonlyMap<string, "text" | "switch">,
  allowPositionals = false,
): { readonly values: FlagValues; readonly positionals: readonly string[] } {
  const options = Object.fromEntries([...flags].map(([name, kind]) => [
    name,
    { type: kind === "text" ? "string" as const : "boolean" as const },
  ]));
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals });
  } catch (error) {
    throw new ArgumentError(explain((error as Error).message));
  }
}

/** Returns an error of `parseArgs` as one line. */
function explain(message: string): string {
  const [, flag, problem] = /^Option '(--[\w-]+).*?' argument (missing|is ambiguous)/
    .exec(message) ?? [];
  if (problem === "missing") return `${flag} needs a value`;
  if (problem !== undefined) {
    return `${flag} needs a value; use ${flag}=VALUE if it begins with "-"`;
  }
  return message.split(". ")[0]!;
}
