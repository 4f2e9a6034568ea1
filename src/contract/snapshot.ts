/** A section of a snapshot: how one kind of record leaves a project and comes into another. */

import type { z } from "zod";
import type { Reader, Tx } from "../store/store.ts";
import type { NumberedTable } from "../store/store.ts";

/** Where a page of records ended: what its query needs to go on. */
export type Place = readonly (string | number)[];

/** Some records in order, and the place of the last; null when no more follow. */
export interface SnapshotPage {
  readonly records: readonly unknown[];
  readonly next: Place | null;
}

/** One record named by another: it must be in the snapshot too. */
export interface Reference {
  /** The field that names it, for the message. */
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** Kinds of records that others name. */
export type RecordKind = "memory" | "episode" | "document" | "document_content" | "source_asset";

/** One kind of record in a snapshot. */
export interface SnapshotSection<Row = unknown> {
  /** Its key under `records`. */
  readonly name: string;
  /** What a record must be. */
  readonly schema: z.ZodType<Row>;
  /** Records that are read or written at once, when they are large; else what suits small ones. */
  readonly atOnce?: number;
  /** Records of a project in the order of their writing. */
  page(db: Reader, project: number, after: Place | null, count: number): Promise<SnapshotPage>;
  /** The id that a record brings into the world, if it is one that others can name. */
  defines?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** What the record names. */
  refersTo?(record: Row): readonly Reference[];
  /** Values that no two records of the section share, by the field that holds each. */
  unique?(record: Row): Readonly<Record<string, string>>;
  /** Totals that a record adds one to, by names that `states` knows. */
  addsTo?(record: Row): readonly string[];
  /** A total that a record states, to be held against what the others add up to. */
  states?(record: Row): { readonly total: string; readonly field: string; readonly count: number };
  /** A record of what is gone: its references to this id need nobody. */
  buries?(record: Row): { readonly kind: RecordKind; readonly id: string } | null;
  /** The table whose rows the records become; their numbers are taken beforehand. */
  readonly table?: NumberedTable;
  /** Whether a project has none of it, and so can be restored into. */
  isEmpty?(db: Reader, project: number): Promise<boolean>;
  /** Works out, before the unit of work that writes them, what takes long. */
  prepare?(project: number, records: readonly Row[]): Promise<readonly Row[]>;
  /**
   * Writes records, the first of them under the row number given. Sections without it follow from
   * others, and stand in a snapshot as a check.
   */
  insert?(tx: Tx, project: number, records: readonly Row[], first: number): Promise<void>;
  /** Ids that live in the database, in pages by project and id. */
  readonly live?: {
    readonly kind: RecordKind;
    page(db: Reader, after: Place | null, count: number): Promise<readonly LiveId[]>;
  };
}

/** An id that is taken. */
export interface LiveId {
  readonly project: number;
  readonly id: string;
}

/** Forgets the type of the records, which the schema holds to. */
export function section<Row>(described: SnapshotSection<Row>): SnapshotSection {
  return described as unknown as SnapshotSection;
}
