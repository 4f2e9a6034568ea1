/** `commonplace restore`: a backup becomes a data directory. */

import { copyDataDirectory } from "../backup/copy.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  singlePositional,
} from "./command.ts";

export const restore: Command = {
  name: "restore",
  summary: "make a data directory out of a backup",
  usage: ["commonplace restore DIR --data NEW   (NEW must not exist, or be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    const source = singlePositional(flags, "directory of a backup");
    const report = await copyDataDirectory(source, dataDirectory(flags, terminal));
    printResult(terminal, flags, report);
  },
};
