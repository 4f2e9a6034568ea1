/** `commonplace export`: writes a project snapshot to a file or standard output. */

import { statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { EXPORT_FORMAT_NAMES } from "../../exports/schema.ts";
import { formatMegabytes, type ReportStep } from "../../kernel/progress.ts";
import {
  type Command,
  printResult,
  readFlags,
  requiredFlag,
  UsageError,
  withProgress,
  withServices,
} from "../command.ts";
import { writeOutput } from "../terminal.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "export a project as a snapshot, or in an open format",
  usage: [
    "commonplace export --project NAME --output FILE   (- is standard output)",
    `commonplace export --format ${EXPORT_FORMAT_NAMES.join("|")} --project NAME --output FILE`,
  ],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "output", "format"] });
    const format = flags.text["format"];
    const [name, output] = [requiredFlag(flags, "project"), requiredFlag(flags, "output")];
    if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`--output must be a file, but "${output}" is a directory`);
    }
    if (format !== undefined) requireFormat(format);
    await withServices(flags, terminal, async ({ appContext, projects, snapshots, exports }) => {
      const project = await appContext.store.read((db) => projects.getByName(db, name));
      const write = async (to: (bytes: Uint8Array) => Promise<void>) => {
        if (format === undefined) return await snapshots.write(project.number, project.id, to);
        return await exports.write({ format, projectId: project.id }, project.number, to);
      };
      if (output === "-") {
        // deno-lint-ignore require-await -- a file needs promises
        await write(async (bytes) => writeOutput(bytes));
        return;
      }
      const written = await withProgress(
        terminal,
        (report) => toFile(output, write, report),
      );
      const details = "checksum" in written
        ? { checksum: written.checksum }
        : { not_carried: written.not_carried };
      printResult(terminal, flags, { project: name, output, ...written.counts, ...details });
    });
  },
};

function requireFormat(format: string): void {
  if (EXPORT_FORMAT_NAMES.includes(format)) return;
  throw new UsageError(`--format must be one of ${EXPORT_FORMAT_NAMES.join(", ")}`);
}

/** Writes to a temporary file first and renames it once complete. */
async function toFile<T>(
  path: string,
  write: (to: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
  report: ReportStep,
): Promise<T> {
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    let size = 0;
    const written = await write(async (bytes) => {
      report(`Exporting, ${formatMegabytes(size += bytes.length)}`);
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
