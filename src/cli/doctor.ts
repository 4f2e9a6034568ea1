/** `commonplace doctor`: checks a data directory. */

import { runDoctor } from "../server/doctor/doctor.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requireRecordsInDirectory,
  UsageError,
  withProgress,
} from "./command.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "check the data directory without changing it",
  usage: ["commonplace doctor"],
  async run(args, terminal) {
    const flags = readFlags(args);
    requireRecordsInDirectory(terminal, "doctor", "check the database with pg_amcheck");
    const checks = await withProgress(
      terminal,
      (report) => Promise.resolve(runDoctor(dataDirectory(flags, terminal), report)),
    );
    const failed = checks.filter((check) => !check.ok);
    if (flags.switches.has("json")) {
      printResult(terminal, flags, { ok: failed.length === 0, checks });
    } else printResult(terminal, flags, checks);
    if (failed.length === 0) return;
    const names = failed.map((check) => check.name).join(", ");
    throw new UsageError(`${failed.length} of ${checks.length} checks failed: ${names}`);
  },
};
