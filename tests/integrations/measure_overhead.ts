/**
 * Measures what a call through a framework adds to the same call of the client. `withPrograms` copies
 * this file to the programs of an integration.
 */

import { Commonplace } from "@commonplace/client";
import process from "node:process";

const WARM_UP_CALLS = 30;
const CALLS = 300;

export const QUERY = "Who has the spare key?";

/** Returns a client of a new user with some memories. */
export async function clientWithMemories(): Promise<Commonplace> {
  const client = new Commonplace({ userId: crypto.randomUUID() });
  for (let number = 0; number < 20; number++) {
    await client.memories.add(`Spare key number ${number} is with Ben.`);
  }
  return client;
}

/** Prints the CPU time of this process for both calls, which take turns. */
export async function printOverhead(
  name: string,
  plain: () => Promise<unknown>,
  adapted: () => Promise<unknown>,
): Promise<void> {
  const total = { plain: 0, adapted: 0 };
  for (let number = 0; number < WARM_UP_CALLS + CALLS; number++) {
    if (number === WARM_UP_CALLS) total.plain = total.adapted = 0;
    const began = cpuMs();
    await plain();
    const between = cpuMs();
    await adapted();
    total.plain += between - began;
    total.adapted += cpuMs() - between;
  }
  const before = (total.plain / CALLS).toFixed(2);
  const added = ((total.adapted - total.plain) / CALLS).toFixed(2);
  process.stdout.write(`${name}: adds ${added} ms to ${before} ms of the client, in CPU time\n`);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
