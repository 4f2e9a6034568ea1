/** `commonplace restore`: creates a data directory from a backup. */

import { copyDataDirectory } from "../../backup/copy.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requireRecordsInDirectory,
  singlePositional,
  withProgress,
} from "../command.ts";

export const restore: Command = {
  name: "restore",
  summary: "create a data directory from a backup",
  usage: ["commonplace restore DIR --data NEW   (NEW must not exist or must be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    requireRecordsInDirectory(terminal, "restore", "restore the database with pg_restore");
    const source = singlePositional(flags, "backup directory");
    const report = await withProgress(
      terminal,
      (report) => copyDataDirectory(source, dataDirectory(flags, terminal), report),
    );
    printResult(terminal, flags, report);
  },
};
