/** One server a data directory: a second one would take the first one's work for abandoned. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

/**
 * Takes the lock of a data directory until the process ends or the answer is called. The lock is
 * the operating system's, so that a killed server leaves none behind.
 *
 * @throws ConfigError when another server holds it
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = Deno.openSync(join(directory, "server.lock"), { create: true, write: true });
  if (!file.tryLockSync(true)) {
    file.close();
    throw new ConfigError(`A server is running on ${directory} already`);
  }
  return () => file.close();
}
