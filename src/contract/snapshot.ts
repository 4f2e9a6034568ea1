/** A section of a snapshot: how one kind of record leaves a project and comes into another. */

import type { Sql } from "sql-template-tag";
import type { z } from "zod";
import type { NumberedTable, Reader, Tx } from "../store/store.ts";

/** Where a page of records ended: what its query needs to go on. */
export type PagePosition = readonly (string | number)[];

/** Some records in order, and the place of the last; null when no more follow. */
export interface SnapshotPage {
  readonly records: readonly unknown[];
  readonly next: PagePosition | null;
}

/** One record named by another: it must be in the snapshot too. */
export interface Reference {
  /** The field that names it, for the message. */
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** An id that a record brings into the world; the field that holds it is `id`, unless given. */
export interface Definition {
  readonly kind: RecordKind;
  readonly id: string;
  readonly field?: string;
}

/** Kinds of records that others name. */
export type RecordKind = "memory" | "episode" | "document" | "document_content" | "source_asset";

/** One kind of record in a snapshot. */
export interface SnapshotSection<Row = unknown> {
  /** Its key under `records`. */
  readonly name: string;
  /** What a record must be. */
  readonly schema: z.ZodType<Row>;
  /** About how many bytes a record has, where some have many. */
  bytesOf?(record: Row): number;
  /** Records of a project in the order of their writing. */
  page(
    db: Reader,
    project: number,
    after: PagePosition | null,
    count: number,
  ): Promise<SnapshotPage>;
  /** The ids that a record brings into the world: no other record has them. */
  defines?(record: Row): readonly Definition[];
  /** What the record names. */
  refersTo?(record: Row): readonly Reference[];
  /** Values that no two records of the section share, by the field that holds each. */
  uniqueValues?(record: Row): Readonly<Record<string, string>>;
  /** Totals that a record adds one to, by names that `states` knows. */
  countsToward?(record: Row): readonly string[];
  /** A total that a record states, to be held against what the others add up to. */
  declaredTotal?(
    record: Row,
  ): { readonly total: string; readonly field: string; readonly count: number };
  /** A record of what is gone: its references to this id need nobody. */
  tombstoneOf?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** The rows that the records become, where those are numbered. */
  readonly rows?: SectionRows;
  /** Works out, before the unit of work that writes them, what takes long. */
  prepare?(project: number, records: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Writes records, the first of them under the row number given, and answers how many of them it
   * has passed over: what clients delete while the import goes on stays deleted. Sections without
   * it follow from others, and stand in a snapshot as a check.
   */
  insert?(tx: Tx, project: number, records: readonly Row[], first: number): Promise<number>;
}

/** Rows whose numbers are taken before anything is written, and whose ids must be free by then. */
export interface SectionRows {
  readonly table: NumberedTable;
  /** What their ids name. */
  readonly kind: RecordKind;
  /** The column of those ids, second to the project in an index; `id` unless given. */
  readonly column?: "id" | "memory_id";
  /** Which of them keep a project from being restored into; all, unless given. */
  readonly condition?: Sql;
}

/** Bytes of large records that are read or written at once: a unit of work of some 20 ms. */
export const BATCH_BYTES = 64 * 1024;

/** Forgets the type of the records, which the schema holds to. */
export function snapshotSection<Row>(definition: SnapshotSection<Row>): SnapshotSection {
  return definition as unknown as SnapshotSection;
}
