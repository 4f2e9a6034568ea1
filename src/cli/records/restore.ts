/** `commonplace restore`: creates a data directory from a backup. */

import { startCopy } from "../../backup/running_copy.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requireRecordsInDirectory,
  singlePositional,
} from "../command.ts";
import { runCopy } from "./run_copy.ts";

export const restore: Command = {
  name: "restore",
  summary: "create a data directory from a backup",
  usage: ["commonplace restore DIR --data NEW   (NEW must not exist or must be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    requireRecordsInDirectory(terminal, "restore", "restore the database with pg_restore");
    const source = singlePositional(flags, "backup directory");
    const target = dataDirectory(flags, terminal);
    const report = await runCopy(terminal, (report) => startCopy(source, target, report));
    printResult(terminal, flags, report);
  },
};
