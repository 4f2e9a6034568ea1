/** The command that runs this program, for texts that suggest one. */

type Environment = (name: string) => string | undefined;

const processEnvironment: Environment = (name) => Deno.env.get(name);

/** Returns what a user types to run this program: `commonplace`, or the task of a clone. */
export function programName(environment: Environment = processEnvironment): string {
  return isClone(environment) ? "deno task commonplace" : "commonplace";
}

/** Checks whether this runs in a clone, which has no command of its own. */
export function isClone(environment: Environment = processEnvironment): boolean {
  // Packages and the executable set the variable.
  return !environment("COMMONPLACE_EXECUTABLE");
}
