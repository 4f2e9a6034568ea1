/** `commonplace copy`: copies a whole instance to or from PostgreSQL. */

import { existsSync } from "node:fs";
import { ArgumentError } from "../../server/config_error.ts";
import {
  blobsFromEnvironment,
  databaseFromEnvironment,
  environmentName,
} from "../../server/config.ts";
import type { InstanceLocation } from "../../server/instance_copy/copy_instance.ts";
import { startInstanceCopy } from "../../server/instance_copy/running_instance_copy.ts";
import { lockDataDirectory } from "../../server/lock.ts";
import { databasePath } from "../../store/sqlite/store.ts";
import {
  type Command,
  dataDirectory,
  type Flags,
  printResult,
  readFlags,
  type Terminal,
  UsageError,
} from "../command.ts";
import { runCopy } from "./run_copy.ts";

export const copy: Command = {
  name: "copy",
  summary: "copy a whole instance between a data directory and PostgreSQL",
  usage: [
    "commonplace copy --from DIR            (to the database of COMMONPLACE_DATABASE_URL)",
    "commonplace copy --to DIR              (from the database of COMMONPLACE_DATABASE_URL)",
    "commonplace copy --from DIR|URL --to URL|DIR",
  ],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["from", "to"] });
    if (flags.text["from"] === undefined && flags.text["to"] === undefined) {
      throw new ArgumentError("Specify --from, --to or both: a data directory or a PostgreSQL URL");
    }
    const from = locationOf(flags, terminal, "from");
    const to = locationOf(flags, terminal, "to");
    // What a server writes during the copy would be missing. A database is read as of one moment.
    const isLocked = from.database === undefined && existsSync(databasePath(from.data));
    const unlock = isLocked ? await lockDataDirectory(from.data) : undefined;
    try {
      const report = await runCopy(terminal, (report) => startInstanceCopy(from, to, report));
      printResult(terminal, flags, report);
    } finally {
      unlock?.();
    }
  },
};

/**
 * Returns a side of the copy. The files of a database are in the data directory, unless a setting
 * says where they are.
 */
function locationOf(flags: Flags, terminal: Terminal, side: "from" | "to"): InstanceLocation {
  const text = flags.text[side];
  if (text !== undefined && !/^postgres(ql)?:/.test(text)) return { data: text };
  const data = dataDirectory(flags, terminal);
  const database = databaseFromEnvironment(
    text === undefined
      ? terminal.environment
      : (name) => name === environmentName("database-url") ? text : undefined,
  );
  if (database === undefined) {
    throw new UsageError(`Specify --${side}, or set ${environmentName("database-url")}`);
  }
  return { data, database, blobs: blobsFromEnvironment(terminal.environment, true) };
}
