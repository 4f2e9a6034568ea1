/**
 * `commonplace backup`: makes a verified copy of the data directory. Safe to run while a server is
 * up.
 */

import { startCopy } from "../../backup/running_copy.ts";
import { programName } from "../../kernel/process/program_name.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requireRecordsInDirectory,
  singlePositional,
} from "../command.ts";
import { runCopy } from "./run_copy.ts";

export const backup: Command = {
  name: "backup",
  summary: "back up the data directory, even while a server is running",
  usage: ["commonplace backup DIR   (DIR must not exist or must be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    const copy = `${programName(terminal.environment)} copy`;
    requireRecordsInDirectory(terminal, "backup", `use pg_dump, or \`${copy}\``);
    const target = singlePositional(flags, "target directory");
    const source = dataDirectory(flags, terminal);
    const report = await runCopy(terminal, (report) => startCopy(source, target, report));
    printResult(terminal, flags, report);
  },
};
