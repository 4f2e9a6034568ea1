/** `commonplace export`: writes a project snapshot to a file or standard output. */

import { EXPORT_FORMAT_NAMES } from "../../exports/schema.ts";
import { formatMegabytes } from "../../kernel/progress.ts";
import {
  type Command,
  dataDirectory,
  printResult,
  readFlags,
  requiredFlag,
  UsageError,
  withProgress,
  withServices,
} from "../command.ts";
import { writeOutput } from "../terminal.ts";
import { requireForeign, requireWritable, writeFile } from "./output_file.ts";

/** Given in place of a file. */
const STANDARD_OUTPUT = "-";

export const exportCommand: Command = {
  name: "export",
  summary: "export a project as a snapshot, or in an open format",
  usage: [
    "commonplace export --project NAME --output FILE   (- is standard output)",
    `commonplace export --format ${EXPORT_FORMAT_NAMES.join("|")} --project NAME --output FILE`,
    "",
    "An existing FILE is replaced once the export is complete. The service's own files are refused.",
  ],
  async run(args, terminal) {
    const flags = readFlags(args, { text: ["project", "output", "format"] });
    const format = flags.text["format"];
    const [name, path] = [requiredFlag(flags, "project"), requiredFlag(flags, "output")];
    if (format !== undefined) requireFormat(format);
    if (path !== STANDARD_OUTPUT) {
      requireWritable(path);
      requireForeign(path, dataDirectory(flags, terminal));
    }
    await withServices(flags, terminal, async ({ appContext, projects, snapshots, exports }) => {
      const project = await appContext.store.read((db) => projects.getByName(db, name));
      const write = async (to: (bytes: Uint8Array) => Promise<void>) => {
        if (format === undefined) return await snapshots.write(project.number, project.id, to);
        return await exports.write({ format, projectId: project.id }, project.number, to);
      };
      if (path === STANDARD_OUTPUT) {
        // deno-lint-ignore require-await -- a file needs promises
        await write(async (bytes) => writeOutput(bytes));
        return;
      }
      const written = await withProgress(terminal, (report) => {
        let size = 0;
        return writeFile(path, (append) =>
          write(async (bytes) => {
            report(`Exporting, ${formatMegabytes(size += bytes.length)}`);
            await append(bytes);
          }));
      });
      const details = "checksum" in written
        ? { checksum: written.checksum }
        : { not_carried: written.not_carried };
      printResult(terminal, flags, { project: name, output: path, ...written.counts, ...details });
    });
  },
};

function requireFormat(format: string): void {
  if (EXPORT_FORMAT_NAMES.includes(format)) return;
  throw new UsageError(`--format must be one of ${EXPORT_FORMAT_NAMES.join(", ")}`);
}
