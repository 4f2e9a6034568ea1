/**
 * `commonplace import`: restores a snapshot from a file or standard input into an empty project.
 */

import { open } from "node:fs/promises";
import { runTaskInProcess } from "../server/services.ts";
import { failureMessage } from "../tasks/run_task.ts";
import {
  type Command,
  printResult,
  readFlags,
  requiredFlag,
  UsageError,
  withServices,
} from "./command.ts";

export const importCommand: Command = {
  name: "import",
  summary: "import a snapshot into an empty project",
  usage: ["commonplace import --project NAME --input FILE   (- is standard input)"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "input"] });
    const [name, input] = [requiredFlag(flags, "project"), requiredFlag(flags, "input")];
    // Open the file up front. A stream would report a missing file before anyone listens for its
    // errors.
    const file = input === "-" ? null : await open(input);
    if ((await file?.stat())?.isDirectory()) {
      throw new UsageError(`--input must be a file, but "${input}" is a directory`);
    }
    const bytes = file?.createReadStream({ autoClose: false }) ?? Deno.stdin.readable;
    const imported = await withServices(flags, terminal, async (services) => {
      const { appContext: { store, ids }, projects, snapshots } = services;
      const project = await store.read((db) => projects.getByName(db, name));
      const actor = {
        project: project.number,
        projectId: project.id,
        requestId: ids.next("req"),
      };
      const { body, release } = await snapshots.receive(bytes, false);
      try {
        const change = await snapshots.enqueueImport(actor, body);
        const { id } = await store.write(project.number, change);
        return await runTaskInProcess(services, project.number, id);
      } finally {
        await release();
      }
    }).finally(() => file?.close());
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
  },
};
