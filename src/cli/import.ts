/** `commonplace import`: a snapshot, from a file or from standard input, into an empty project. */

import { open } from "node:fs/promises";
import { runHere } from "../server/services.ts";
import { failureOf } from "../tasks/run_task.ts";
import { readFlags, requiredFlag, show, UsageError, type Verb, withServices } from "./verb.ts";

export const importVerb: Verb = {
  name: "import",
  summary: "restore a snapshot into an empty project",
  usage: ["commonplace import --project NAME --input FILE   (- is standard input)"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "input"] });
    const [name, input] = [requiredFlag(flags, "project"), requiredFlag(flags, "input")];
    // Opened before anything else: a stream would tell of a missing file before it is listened to.
    const file = input === "-" ? null : await open(input);
    if ((await file?.stat())?.isDirectory()) {
      throw new UsageError(`--input must be a file, and "${input}" is a directory`);
    }
    const bytes = file?.createReadStream({ autoClose: false }) ?? Deno.stdin.readable;
    const imported = await withServices(flags, terminal, async (services) => {
      const { foundation: { store, ids }, projects, snapshots } = services;
      const project = await store.read((db) => projects.named(db, name));
      const actor = {
        project: project.number,
        projectId: project.id,
        requestId: ids.next("req"),
      };
      const { body, release } = await snapshots.receive(bytes, false);
      try {
        const change = await snapshots.enqueueImport(actor, body);
        const { id } = await store.write(change);
        return await runHere(services, project.number, id);
      } finally {
        await release();
      }
    }).finally(() => file?.close());
    if (imported.status !== "success") {
      throw new UsageError(`The import failed: ${failureOf(imported)}`);
    }
    const { restored, passed_over = {} } = JSON.parse(imported.result ?? "{}");
    show(terminal, flags, {
      project: name,
      operation_id: imported.id,
      ...restored,
      ...(Object.keys(passed_over).length === 0 ? {} : { passed_over }),
    });
  },
};
