/** Reads a source as a sequence of steps, each of which is a record or a reason why there is none. */

import { LIMITS } from "../kernel/limits.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import { IdentitySet } from "./identity_set.ts";
import type { ImportFormat, NotCarried, SetAside } from "./model.ts";
import { type ImportedRecords, RecordError, type RecordOptions, recordsOf } from "./records.ts";
import { invalidImport, type SourceFiles } from "./source_files.ts";

/** Number of items to read before yielding to the event loop. */
const ITEMS_PER_TURN = 50;

/** What one item in the source becomes. */
export type ImportStep =
  | { readonly kind: "records"; readonly where: string; readonly records: ImportedRecords }
  | SetAside
  | NotCarried;

/**
 * Yields one step per item. Reading the same source with the same options again yields the same
 * steps. A record with the id of an earlier one in the source is set aside.
 *
 * @throws {ApiError} INVALID_IMPORT if the source as a whole can't be read or has too many records
 */
export async function* stepsOf(
  format: ImportFormat,
  source: SourceFiles,
  options: RecordOptions,
): AsyncGenerator<ImportStep> {
  const seen = new IdentitySet();
  let items = 0;
  for await (const item of format.read(source)) {
    if (++items > LIMITS.importRecords) {
      throw invalidImport(
        `The file has more than ${LIMITS.importRecords} records; split it and import the parts`,
      );
    }
    if (items % ITEMS_PER_TURN === 0) await yieldToEventLoop();
    if (item.kind === "set_aside" || item.kind === "not_carried") {
      yield item;
      continue;
    }
    const { where } = item;
    try {
      const records = recordsOf(item, options);
      if (!seen.add(records.identity)) {
        yield { kind: "set_aside", where, reason: "Has the same id as an earlier record" };
      } else yield { kind: "records", where, records };
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield { kind: "set_aside", where, reason: error.message };
    }
  }
}
