/** What the commands that run a campaign have in common. */

import { parseArgs } from "node:util";

/** Prints a line at once, even if the process is about to end. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** The values of options. Those whose default is a number are numbers. */
export type OptionValues<Defaults> = {
  readonly [Name in keyof Defaults]: Defaults[Name] extends number ? number : string;
};

/**
 * Parses the options of a campaign, prints its seed, and runs it. If a check fails, prints the error
 * and exits with 1.
 *
 * @param defaults options with their defaults. There's also `seed`, which is random by default
 * @throws Error if an option is unknown, or a number isn't one
 */
export async function runCommand<const Defaults extends Readonly<Record<string, string | number>>>(
  defaults: Defaults,
  work: (values: OptionValues<Defaults> & { readonly seed: number }) => Promise<void>,
): Promise<void> {
  const all = { ...defaults, seed: Math.floor(Math.random() * 2 ** 32) };
  const { values: given } = parseArgs({
    args: Deno.args,
    options: Object.fromEntries(Object.keys(all).map((name) => [name, { type: "string" }])),
  });
  const values = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, valueOf(name, given[name], value)]),
  ) as OptionValues<Defaults> & { readonly seed: number };
  print(`seed ${values.seed}`);
  try {
    await work(values);
  } catch (error) {
    print(`seed ${values.seed}: ${Deno.inspect(error)}`);
    Deno.exit(1);
  }
}

function valueOf(name: string, given: unknown, value: string | number): string | number {
  if (given === undefined) return value;
  if (typeof value === "string") return String(given);
  const number = Number(given);
  if (Number.isNaN(number)) throw new Error(`--${name} must be a number, not "${given}"`);
  return number;
}
