/**
 * A section of a snapshot: how records of one kind are exported from a project and imported into
 * another.
 */

import type { Sql } from "sql-template-tag";
import type { z } from "zod";
import type { NumberedTable, Reader, Tx } from "../store/store.ts";

/** Position after a page of records, as its query needs it to continue. */
export type PagePosition = readonly (string | number)[];

/** Some records in order, and the position of the last one. `next` is null if no more follow. */
export interface SnapshotPage {
  readonly records: readonly unknown[];
  readonly next: PagePosition | null;
}

/** A reference from one record to another, which the snapshot must contain too. */
export interface Reference {
  /** The field with the reference, for error messages. */
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** An id that a record defines. `field` is the field with the id and defaults to `id`. */
export interface Definition {
  readonly kind: RecordKind;
  readonly id: string;
  readonly field?: string;
}

/** Kinds of records that others refer to. */
export type RecordKind = "memory" | "episode" | "document" | "document_content" | "source_asset";

/** One kind of record in a snapshot. */
export interface SnapshotSection<Row = unknown> {
  /** Key of the section under `records`. */
  readonly name: string;
  /** Schema of a record. */
  readonly schema: z.ZodType<Row>;
  /** Returns the approximate size of a record in bytes. Only needed if some records are large. */
  bytesOf?(record: Row): number;
  /** Returns records of a project in the order in which they were written. */
  page(
    db: Reader,
    project: number,
    after: PagePosition | null,
    count: number,
  ): Promise<SnapshotPage>;
  /** Returns the ids that a record defines. No other record can define them. */
  defines?(record: Row): readonly Definition[];
  /** Returns the references of a record. */
  refersTo?(record: Row): readonly Reference[];
  /** Returns values, by field, that must be unique within the section. */
  uniqueValues?(record: Row): Readonly<Record<string, string>>;
  /**
   * Returns the names of the totals that a record adds one to. `declaredTotal` uses the same names.
   */
  countsToward?(record: Row): readonly string[];
  /**
   * Returns a total that a record declares. It is checked against the number that the other records
   * add up to.
   */
  declaredTotal?(
    record: Row,
  ): { readonly total: string; readonly field: string; readonly count: number };
  /**
   * Returns the deleted record that a record documents, if any. References to its id don't need a
   * target.
   */
  tombstoneOf?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** Table for the records, if its rows are numbered. */
  readonly rows?: SectionRows;
  /** Computes what takes long, before the unit of work that writes the records. */
  prepare?(project: number, records: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Writes records, numbered from `first`, and returns how many it skipped: records that clients
   * delete during the import stay deleted. Sections without this method are derived from others and
   * are part of a snapshot only as a check.
   */
  insert?(tx: Tx, project: number, records: readonly Row[], first: number): Promise<number>;
}

/** Rows whose numbers are reserved before anything is written. Their ids must be unused by then. */
export interface SectionRows {
  readonly table: NumberedTable;
  /** Kind of record that the ids belong to. */
  readonly kind: RecordKind;
  /** Column of the ids, which is second to the project in an index. Defaults to `id`. */
  readonly column?: "id" | "memory_id";
  /** Condition for the rows that prevent an import into a project. Defaults to all rows. */
  readonly condition?: Sql;
}

/**
 * Size of large records that are read or written at once, in bytes: a unit of work of about 20 ms.
 */
export const BATCH_BYTES = 64 * 1024;

/** Erases the type of the records, which the schema checks at run time. */
export function snapshotSection<Row>(definition: SnapshotSection<Row>): SnapshotSection {
  return definition as unknown as SnapshotSection;
}
