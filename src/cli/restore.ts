/** `commonplace restore`: a backup becomes a data directory. */

import { copyDataDirectory } from "../backup/copy.ts";
import { dataDirectory, onlyPositional, readFlags, show, type Verb } from "./verb.ts";

export const restore: Verb = {
  name: "restore",
  summary: "make a data directory out of a backup",
  usage: ["commonplace restore DIR --data NEW   (NEW must not exist, or be empty)"],
  async run(args, terminal) {
    const flags = readFlags(args, { positionals: true });
    const source = onlyPositional(flags, "directory of a backup");
    const report = await copyDataDirectory(source, dataDirectory(flags, terminal));
    show(terminal, flags, report);
  },
};
