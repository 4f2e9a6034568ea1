/**
 * Exports a project as of a single point in time, keeping at most one page of records in memory.
 */

import { createHash } from "node:crypto";
import type { PagePosition, SnapshotSection } from "../contract/snapshot.ts";
import { canonicalJson } from "../kernel/hash.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import { journalHead } from "../store/journal.ts";
import type { Reader } from "../store/store.ts";
import { SNAPSHOT_FORMAT, SNAPSHOT_VERSION, type SnapshotOutline } from "./schema.ts";

/** Number of records per page. Other requests can run between pages. */
const PAGE_RECORDS = 100;

/** The project to export, and the metadata for the outline. */
export interface ExportRequest {
  readonly project: number;
  readonly projectId: string;
  readonly exportedAt: string;
  readonly schemaVersion: number;
  /** Called before each page. May throw, which ends the export. */
  readonly advance: () => void;
}

/**
 * Writes a snapshot and returns its outline.
 *
 * @param db read transaction, so that all records come from the same point in time
 * @param sections sorted by name, as required by the canonical form
 */
export async function writeSnapshot(
  db: Reader,
  sections: readonly SnapshotSection[],
  request: ExportRequest,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<SnapshotOutline> {
  const digest = createHash("sha256");
  const encoder = new TextEncoder();
  const put = (text: string) => write(encoder.encode(text));
  const putRecords = (text: string) => {
    const bytes = encoder.encode(text);
    digest.update(bytes);
    return write(bytes);
  };
  const head = {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    exported_at: request.exportedAt,
    source: { project_id: request.projectId, schema_version: request.schemaVersion },
    journal: { position: await journalHead(db, request.project) },
    projections: { vector: "rebuild", state: "rebuild", chunks: "rebuild" },
  } as const;
  await put(`${JSON.stringify(head).slice(0, -1)},"records":`);
  const counts: Record<string, number> = {};
  for (const [index, section] of sections.entries()) {
    await putRecords(`${index === 0 ? "{" : ","}${JSON.stringify(section.name)}:[`);
    counts[section.name] = 0;
    for await (const records of pagesOf(db, section, request)) {
      const texts = records.map(canonicalJson).join(",");
      await putRecords((counts[section.name] === 0 ? "" : ",") + texts);
      counts[section.name]! += records.length;
    }
    await putRecords("]");
  }
  await putRecords("}");
  const tail = { counts, checksum: digest.digest("hex") };
  await put(`,${JSON.stringify(tail).slice(1)}`);
  return { ...head, ...tail };
}

/** Yields a section's non-empty pages. */
async function* pagesOf(
  db: Reader,
  section: SnapshotSection,
  { project, advance }: ExportRequest,
): AsyncGenerator<readonly unknown[]> {
  let position: PagePosition | null = null;
  do {
    advance();
    const { records, next } = await section.page(db, project, position, PAGE_RECORDS);
    if (records.length > 0) yield records;
    position = next;
    await yieldToEventLoop();
  } while (position !== null);
}
