/** `commonplace doctor`: checks a data directory, and the records in PostgreSQL. */

import type { ReportStep } from "../../kernel/progress.ts";
import { blobsFromEnvironment, databaseFromEnvironment } from "../../server/config.ts";
import { type CheckResult, runDoctor } from "../../server/doctor/doctor.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  type Terminal,
  UsageError,
  withProgress,
} from "../command.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "check all records and files without changing them",
  usage: ["commonplace doctor"],
  async run(args, terminal) {
    const flags = readFlags(args);
    const directory = dataDirectory(flags, terminal);
    const checks = await withProgress(terminal, (report) => check(directory, terminal, report));
    const failed = checks.filter((check) => !check.ok);
    if (flags.switches.has("json")) {
      printResult(terminal, flags, { ok: failed.length === 0, checks });
    } else printResult(terminal, flags, checks);
    if (failed.length === 0) return;
    const names = failed.map((check) => check.name).join(", ");
    throw new UsageError(`${failed.length} of ${checks.length} checks failed: ${names}`);
  },
};

async function check(
  directory: string,
  terminal: Terminal,
  report: ReportStep,
): Promise<CheckResult[]> {
  const database = databaseFromEnvironment(terminal.environment);
  if (database === undefined) return runDoctor(directory, report);
  // The client for PostgreSQL is only loaded when it's needed.
  const { runPostgresDoctor } = await import("../../server/doctor/postgres.ts");
  const blobs = blobsFromEnvironment(terminal.environment, true);
  return await runPostgresDoctor({ directory, database, blobs }, report);
}
