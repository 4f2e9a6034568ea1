/** Where the server of a data directory listens, for commands that run beside it. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverRuns } from "./lock.ts";

const FILE = "server.url";

/** Writes the address down, over that of an earlier server. */
export function noteAddress(directory: string, url: string): void {
  writeFileSync(join(directory, FILE), `${url}\n`, { mode: 0o600 });
}

/** The address of the server that runs on a data directory; null when none does. */
export function addressOfServer(directory: string): string | null {
  const file = join(directory, FILE);
  if (!existsSync(file) || !serverRuns(directory)) return null;
  return readFileSync(file, "utf8").trim() || null;
}
