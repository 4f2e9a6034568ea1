/**
 * A snapshot section: how records of one kind are exported from one project and imported into
 * another.
 */

import type { Sql } from "sql-template-tag";
import type { z } from "zod";
import type { NumberedTable, Reader, Tx } from "../store/store.ts";

/** Position after a page of records, in the form that its query needs to continue. */
export type PagePosition = readonly (string | number)[];

/** Consecutive records, and the position of the last one. `next` is null if there are no more. */
export interface SnapshotPage {
  readonly records: readonly unknown[];
  readonly next: PagePosition | null;
}

/** A reference from one record to another, which must also be part of the snapshot. */
export interface Reference {
  /** The field that contains the reference, for error messages. */
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** An id that a record defines. `field` is the field that contains the id and defaults to `id`. */
export interface Definition {
  readonly kind: RecordKind;
  readonly id: string;
  readonly field?: string;
}

/** Record kinds that other records refer to. */
export type RecordKind = "memory" | "episode" | "document" | "document_content" | "source_asset";

/** One kind of record in a snapshot. */
export interface SnapshotSection<Row = unknown> {
  /** Key of this section under `records`. */
  readonly name: string;
  /** Schema for a record. */
  readonly schema: z.ZodType<Row>;
  /**
   * Returns the approximate size of a record in bytes. Needed only if some of the records are
   * large.
   */
  bytesOf?(record: Row): number;
  /** Returns records from a project in the order in which they were written. */
  page(
    db: Reader,
    project: number,
    after: PagePosition | null,
    count: number,
  ): Promise<SnapshotPage>;
  /** Returns the ids that a record defines. No other record may define the same ids. */
  defines?(record: Row): readonly Definition[];
  /** Returns the references in a record. */
  refersTo?(record: Row): readonly Reference[];
  /** Returns values, by field, that must be unique within the section. */
  uniqueValues?(record: Row): Readonly<Record<string, string>>;
  /**
   * Returns the names of the totals that a record counts toward. `declaredTotal` uses the same
   * names.
   */
  countsToward?(record: Row): readonly string[];
  /**
   * Returns a total that a record declares. It is compared with the number of other records that
   * count toward the total.
   */
  declaredTotal?(
    record: Row,
  ): { readonly total: string; readonly field: string; readonly count: number };
  /**
   * Returns the deleted record that a record documents, if there is one. References to the id of a
   * deleted record don't need a target.
   */
  tombstoneOf?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** Table that the records are stored in, if its rows are numbered. */
  readonly rows?: SectionRows;
  /** Does the slow computations before the unit of work that writes the records. */
  prepare?(project: number, records: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Writes records, numbered from `first`, and returns how many of them it skipped. Records that
   * clients delete during the import are skipped, so they stay deleted. A section without this
   * method is derived from other sections and is included in a snapshot only as a check.
   */
  insert?(tx: Tx, project: number, records: readonly Row[], first: number): Promise<number>;
}

/** Rows whose numbers are reserved before anything is written. Their ids must not be in use yet. */
export interface SectionRows {
  readonly table: NumberedTable;
  /** Kind of record that the ids belong to. */
  readonly kind: RecordKind;
  /**
   * Column that contains the ids. It must come right after the project in an index. Defaults to
   * `id`.
   */
  readonly column?: "id" | "memory_id";
  /** Condition for the rows that block an import into a project. Defaults to all rows. */
  readonly condition?: Sql;
}

/**
 * Total size of the large records that are read or written in one go, in bytes. This makes for a
 * unit of work that takes about 20 ms.
 */
export const BATCH_BYTES = 64 * 1024;

/** Erases the record type, which the schema checks at run time. */
export function snapshotSection<Row>(definition: SnapshotSection<Row>): SnapshotSection {
  return definition as unknown as SnapshotSection;
}
