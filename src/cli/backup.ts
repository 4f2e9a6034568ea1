/** `commonplace backup`: a checked copy of the data directory, also while a server runs on it. */

import { copyDataDirectory } from "../backup/copy.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  singlePositional,
} from "./command.ts";

export const backup: Command = {
  name: "backup",
  summary: "copy the data directory, also while a server runs on it",
  usage: ["commonplace backup DIR   (DIR must not exist, or be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    const target = singlePositional(flags, "directory for the backup");
    const report = await copyDataDirectory(dataDirectory(flags, terminal), target);
    printResult(terminal, flags, report);
  },
};
