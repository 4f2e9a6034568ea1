/**
 * `commonplace backup`: makes a verified copy of the data directory. Safe to run while a server is
 * up.
 */

import { programName } from "../../kernel/process/program_name.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requireRecordsInDirectory,
  singlePositional,
} from "../command.ts";
import { copyDirectory } from "./copy_directory.ts";

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
    printResult(terminal, flags, await copyDirectory(source, target, terminal));
  },
};
