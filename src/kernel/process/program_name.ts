/** The command that runs this program, for texts that suggest one. */

/**
 * Returns what a user types to run this program: `commonplace`, or the task of a clone.
 *
 * @param environment returns the value of an environment variable
 */
export function programName(
  environment: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string {
  // Packages and the executable set the variable. A clone has no command of its own.
  return environment("COMMONPLACE_EXECUTABLE") ? "commonplace" : "deno task commonplace";
}
