/** `commonplace export`: writes a project snapshot to a file or standard output. */

import { statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import {
  type Command,
  printResult,
  readFlags,
  requiredFlag,
  UsageError,
  withServices,
} from "./command.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "export a project as a snapshot",
  usage: ["commonplace export --project NAME --output FILE   (- is standard output)"],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "output"] });
    const [name, output] = [requiredFlag(flags, "project"), requiredFlag(flags, "output")];
    if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`--output must be a file, but "${output}" is a directory`);
    }
    await withServices(flags, terminal, async ({ appContext, projects, snapshots }) => {
      const project = await appContext.store.read((db) => projects.getByName(db, name));
      const write = (to: (bytes: Uint8Array) => Promise<void>) =>
        snapshots.write(project.number, project.id, to);
      if (output === "-") {
        await write(toStandardOutput);
        return;
      }
      const { counts, checksum } = await toFile(output, write);
      printResult(terminal, flags, { project: name, output, ...counts, checksum });
    });
  },
};

/** Writes to a temporary file first and renames it once complete. */
async function toFile<T>(
  path: string,
  write: (to: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    const written = await write(async (bytes) => {
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
    });
    await file.sync();
    await rename(partial, path);
    return written;
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

async function toStandardOutput(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}
