/** `commonplace import --from`: imports a file or folder of another product. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { scopeOf, scopeValue } from "../../contract/fields.ts";
import { IMPORT_FORMATS } from "../../imports/formats/all.ts";
import type { SetAside } from "../../imports/model.ts";
import { openFolder } from "../../imports/pack_folder.ts";
import type { ImportReport } from "../../imports/report.ts";
import { tallied } from "../../imports/tally.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { failureMessage } from "../../tasks/run_task.ts";
import {
  type Flags,
  formatTable,
  requiredFlag,
  singlePositional,
  type Terminal,
  UsageError,
  withProgress,
  withServices,
} from "../command.ts";
import { reportRead, runImportTask } from "./import_task.ts";

/** The project to import into, unless `--project` names another one. */
const DEFAULT_PROJECT = "default";

/** The formats that `--from` accepts. */
export const FORMAT_NAMES: readonly string[] = IMPORT_FORMATS.map(({ name }) => name);

/** Given in place of a file. */
const STANDARD_INPUT = "-";

/** Imports the file given as the only argument, and prints what was done with its records. */
export async function importFile(flags: Flags, terminal: Terminal): Promise<void> {
  if (flags.text["input"] !== undefined) {
    throw new UsageError("Pass the file after --from FORMAT instead of with --input");
  }
  const path = singlePositional(flags, "the file or folder to import");
  const name = flags.text["project"] ?? DEFAULT_PROJECT;
  const options = {
    format: requireFormat(requiredFlag(flags, "from")),
    scope: scopeOf({
      user_id: scopeFlag(flags, "user-id"),
      agent_id: scopeFlag(flags, "agent-id"),
      run_id: scopeFlag(flags, "run-id"),
    }),
    infer: flags.switches.has("infer"),
    dryRun: flags.switches.has("dry-run"),
    filename: path === STANDARD_INPUT ? "" : basename(path),
  };
  const { bytes, unreadable } = await openInput(path);
  await withServices(flags, terminal, async (services) => {
    const { appContext: { store, ids }, projects, imports } = services;
    const project = await store.read((db) => projects.getByName(db, name));
    const { number, id: projectId } = project;
    const actor = { project: number, projectId, requestId: ids.next("req") };
    const { body, release } = await withProgress(
      terminal,
      (report) => imports.receive(reportRead(bytes, report), number, options),
    );
    try {
      if (options.dryRun) {
        const report = unreadable.reduce(tallied, body.report);
        return printReport(terminal, flags, { project: name, dry_run: true }, report);
      }
      const { id } = await store.write(number, (tx) => imports.enqueue(tx, actor, body));
      const task = await withProgress(
        terminal,
        (report) => runImportTask(services, number, id, report),
      );
      if (task.status !== "success") {
        throw new UsageError(`Import failed: ${failureMessage(task)}`);
      }
      const report = unreadable.reduce(tallied, JSON.parse(task.result!) as ImportReport);
      printReport(terminal, flags, { project: name, operation_id: id }, report);
    } finally {
      await release();
    }
  });
}

/** What to import, and what of it can't be read. */
interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly unreadable: readonly SetAside[];
}

/**
 * Opens a file or folder. As through the API, it can't be larger than the limit.
 *
 * @throws {UsageError} if it is larger
 */
async function openInput(path: string): Promise<Input> {
  if (path === STANDARD_INPUT) {
    return { unreadable: [], bytes: withinLimit("Standard input", Deno.stdin.readable) };
  }
  const info = await stat(path);
  if (info.isDirectory()) {
    const { unreadable, pack } = await openFolder(path);
    return { unreadable, bytes: withinLimit(path, pack()) };
  }
  if (info.size > LIMITS.importFileBytes) throw tooLarge(path);
  return { unreadable: [], bytes: withinLimit(path, readFile(path)) };
}

/** Opens the file once it's read. A stream that fails before that ends the process. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** A folder's size is known once it's packed, and a pipe's once it ends. */
async function* withinLimit(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > LIMITS.importFileBytes) throw tooLarge(path);
    yield piece;
  }
}

function tooLarge(path: string): UsageError {
  return new UsageError(
    `${path} is larger than ${LIMITS.importFileBytes} bytes; split it and import the parts`,
  );
}

function requireFormat(name: string): string {
  if (FORMAT_NAMES.includes(name)) return name;
  throw new UsageError(`--from must be one of ${FORMAT_NAMES.join(", ")}`);
}

function scopeFlag(flags: Flags, name: string): string | undefined {
  const value = flags.text[name];
  if (value === undefined) return undefined;
  const parsed = scopeValue.safeParse(value);
  if (!parsed.success) throw new UsageError(`--${name}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

/** Prints a report as JSON with `--json`, or else as a table and a list of what is missing. */
function printReport(
  terminal: Terminal,
  flags: Flags,
  head: Readonly<Record<string, unknown>>,
  report: ImportReport,
): void {
  if (flags.switches.has("json")) {
    return terminal.print(JSON.stringify({ ...head, ...report }));
  }
  const kinds = ["memories", "documents", "inferred_adds"] as const;
  const rows = kinds.filter((kind) => report[kind].found > 0)
    .map((kind) => ({ kind: kind.replace("_", " "), ...report[kind] }));
  terminal.print(formatTable(rows));
  for (const [what, count] of Object.entries(report.not_carried)) {
    terminal.print(`not carried over: ${count} ${what}`);
  }
  for (const [what, count] of Object.entries(report.cut)) {
    terminal.print(`over the limits: ${count} ${what}`);
  }
  const { count, first } = report.set_aside;
  if (count > 0) terminal.print(`set aside: ${count} records`);
  for (const { where, reason } of first) terminal.print(`  ${where}: ${reason}`);
  if (first.length < count) terminal.print(`  … and ${count - first.length} more`);
  if (head["dry_run"] === true) terminal.print("This was a dry run; nothing has changed");
}
