/** `commonplace doctor`: what is wrong with a data directory, if anything is. */

import { examine } from "../server/doctor/doctor.ts";
import { dataDirectory, readFlags, show, UsageError, type Verb } from "./verb.ts";

export const doctor: Verb = {
  name: "doctor",
  summary: "check the data directory; changes nothing",
  usage: ["commonplace doctor"],
  run(args, terminal) {
    const flags = readFlags(args);
    const checks = examine(dataDirectory(flags, terminal));
    const failed = checks.filter((check) => !check.ok);
    if (flags.switches.has("json")) {
      show(terminal, flags, { ok: failed.length === 0, checks });
    } else show(terminal, flags, checks);
    if (failed.length === 0) return Promise.resolve();
    const names = failed.map((check) => check.name).join(", ");
    throw new UsageError(`${failed.length} of ${checks.length} checks failed: ${names}`);
  },
};
