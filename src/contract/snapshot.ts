/**
 * Defines a snapshot section: how records of one kind are exported from one project and imported
 * into another.
 */

import type { Sql } from "sql-template-tag";
import type { z } from "zod";
import type { NumberedTable, Reader, Tx } from "../store/store.ts";

/** Position after a page of records, as needed by its query to continue. */
export type PagePosition = readonly (string | number)[];

/** Consecutive records, and the position of the last one. `next` is null if there are no more. */
export interface SnapshotPage {
  readonly records: readonly unknown[];
  readonly next: PagePosition | null;
}

/** A reference to another record, which must also be part of the snapshot. */
export interface Reference {
  /** The field with the reference, for error messages. */
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** An id defined by a record. `field` is the field it's in; defaults to `id`. */
export interface Definition {
  readonly kind: RecordKind;
  readonly id: string;
  readonly field?: string;
}

/** Record kinds that others refer to. */
export type RecordKind = "memory" | "episode" | "document" | "document_content" | "source_asset";

/** One kind of record in a snapshot. */
export interface SnapshotSection<Row = unknown> {
  /** Key of this section under `records`. */
  readonly name: string;
  /** Schema for a record. */
  readonly schema: z.ZodType<Row>;
  /** Returns the approximate size of a record in bytes. Only needed if some records are large. */
  bytesOf?(record: Row): number;
  /** Returns a project's records in the order they were written. */
  page(
    db: Reader,
    project: number,
    after: PagePosition | null,
    count: number,
  ): Promise<SnapshotPage>;
  /** Returns the ids defined by a record. No other record may define the same ones. */
  defines?(record: Row): readonly Definition[];
  /** Returns a record's references. */
  refersTo?(record: Row): readonly Reference[];
  /** Returns values that must be unique within the section, keyed by field. */
  uniqueValues?(record: Row): Readonly<Record<string, string>>;
  /**
   * Returns the names of the totals a record counts toward. `declaredTotal` uses the same names.
   */
  countsToward?(record: Row): readonly string[];
  /**
   * Returns a total declared by a record. It's compared with how many other records count toward
   * it.
   */
  declaredTotal?(
    record: Row,
  ): { readonly total: string; readonly field: string; readonly count: number };
  /**
   * Returns the deleted record documented by a record, if any. References to a deleted record's id
   * don't need a target.
   */
  tombstoneOf?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** Table the records are stored in, if its rows are numbered. */
  readonly rows?: SectionRows;
  /** Does the slow computations ahead of the unit of work that writes the records. */
  prepare?(project: number, records: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Writes records, numbered from `first`, and returns how many were skipped. Records deleted by
   * clients during the import are skipped, so they stay deleted. A section without this method is
   * derived from other sections and only included in snapshots as a check.
   */
  insert?(tx: Tx, project: number, records: readonly Row[], first: number): Promise<number>;
}

/** Rows whose numbers are reserved up front. Their ids must not be in use yet. */
export interface SectionRows {
  readonly table: NumberedTable;
  /** Kind of record the ids belong to. */
  readonly kind: RecordKind;
  /** Column with the ids. Must come right after the project in an index. Defaults to `id`. */
  readonly column?: "id" | "memory_id";
  /** Condition for rows that block an import into a project. Defaults to all rows. */
  readonly condition?: Sql;
}

/**
 * Total size of large records read or written in one go, in bytes. Results in units of work of
 * about 20 ms.
 */
export const BATCH_BYTES = 64 * 1024;

/** Erases the record type; the schema checks it at run time. */
export function snapshotSection<Row>(definition: SnapshotSection<Row>): SnapshotSection {
  return definition as SnapshotSection;
}
