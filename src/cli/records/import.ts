/**
 * `commonplace import`: restores a snapshot into an empty project, or imports a file of another
 * product with `--from`.
 */

import { open } from "node:fs/promises";
import type { ReportStep } from "../../kernel/progress.ts";
import type { Services } from "../../server/services.ts";
import { failureMessage } from "../../tasks/run_task.ts";
import {
  type Command,
  type Flags,
  printResult,
  readFlags,
  requiredFlag,
  type Terminal,
  UsageError,
  withProgress,
  withServices,
} from "../command.ts";
import { FORMAT_NAMES, importFile } from "./import_file.ts";
import { reportRead, runImportTask } from "./import_task.ts";

export const importCommand: Command = {
  name: "import",
  summary: "import a snapshot, or a file of another product",
  usage: [
    "commonplace import --project NAME --input FILE   (- is standard input)",
    "commonplace import --from FORMAT FILE [--project NAME] [--user-id ID] [--agent-id ID] " +
    "[--run-id ID] [--dry-run] [--infer]   (- is standard input)",
    "",
    `FORMAT is one of ${FORMAT_NAMES.join(", ")}.`,
  ],
  async run(args, terminal) {
    const flags = readFlags(args, {
      text: ["project", "input", "from", "user-id", "agent-id", "run-id"],
      switches: ["dry-run", "infer"],
      positionals: true,
    });
    if (flags.text["from"] !== undefined) return await importFile(flags, terminal);
    if (flags.positionals.length > 0) {
      throw new UsageError(
        `Pass --from FORMAT to import "${flags.positionals[0]}", or --input for a snapshot`,
      );
    }
    await importSnapshot(flags, terminal);
  },
};

async function importSnapshot(flags: Flags, terminal: Terminal): Promise<void> {
  const [name, input] = [requiredFlag(flags, "project"), requiredFlag(flags, "input")];
  // Open the file up front. A stream would report a missing file before anyone listens for its
  // errors.
  const file = input === "-" ? null : await open(input);
  if ((await file?.stat())?.isDirectory()) {
    throw new UsageError(`--input must be a file, but "${input}" is a directory`);
  }
  const bytes = file?.createReadStream({ autoClose: false }) ?? Deno.stdin.readable;
  const run = async (services: Services, report: ReportStep) => {
    const { appContext: { store, ids }, projects, snapshots } = services;
    const project = await store.read((db) => projects.getByName(db, name));
    const actor = {
      project: project.number,
      projectId: project.id,
      requestId: ids.next("req"),
    };
    const { body, release } = await snapshots.receive(reportRead(bytes, report), false);
    try {
      const change = await snapshots.enqueueImport(actor, body);
      const { id } = await store.write(project.number, change);
      return await runImportTask(services, project.number, id, report);
    } finally {
      await release();
    }
  };
  const imported = await withServices(
    flags,
    terminal,
    (services) => withProgress(terminal, (report) => run(services, report)),
  ).finally(() => file?.close());
  if (imported.status !== "success") {
    throw new UsageError(`Import failed: ${failureMessage(imported)}`);
  }
  const { restored, passed_over = {} } = JSON.parse(imported.result ?? "{}");
  printResult(terminal, flags, {
    project: name,
    operation_id: imported.id,
    ...restored,
    ...(Object.keys(passed_over).length === 0 ? {} : { passed_over }),
  });
}
