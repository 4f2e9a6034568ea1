/** Reads a project's records as of one point in time, in the order in which they were written. */

import sql from "sql-template-tag";
import type { SCOPE_KEYS } from "../contract/fields.ts";
import { COLUMNS as VERSION_COLUMNS, findContent } from "../documents/repository.ts";
import { showDocument, type VersionRow } from "../documents/row.ts";
import type { Document } from "../documents/schema.ts";
import { HAS_CONTENT, IS_HEAD } from "../documents/version_states.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import { COLUMNS as MEMORY_COLUMNS } from "../memories/repository.ts";
import { type MemoryRow, showMemory } from "../memories/row.ts";
import type { Memory } from "../memories/schema.ts";
import { integers } from "../store/sql.ts";
import { nextRowBatch } from "../store/row_batches.ts";
import type { NumberedTable, Reader } from "../store/store.ts";

/** Number of rows to read at once. Other requests can run in between. */
const PAGE_ROWS = 100;

/** A document with its text. */
export interface ExportedDocument extends Document {
  readonly content: string;
}

/** Who a memory belongs to, by its number. */
export type MemoryOwner = Pick<MemoryRow, "seq" | typeof SCOPE_KEYS[number]>;

/** Condition on versions. Those that an import hasn't completed have no content yet. */
const IS_DOCUMENT = sql`${IS_HEAD} and ${HAS_CONTENT}`;

/** The records of a project. Each list can be read any number of times. */
export class ProjectRecords {
  readonly #db: Reader;
  readonly #project: number;
  readonly #advance: () => void;

  /**
   * @param db read transaction, so that all records come from the same point in time
   * @param advance called before each page. May throw, which ends the list
   */
  constructor(db: Reader, project: number, advance: () => void) {
    this.#db = db;
    this.#project = project;
    this.#advance = advance;
  }

  /** Yields all memories. */
  async *memories(): AsyncGenerator<Memory> {
    for await (const row of this.#rows<MemoryRow>("memories", MEMORY_COLUMNS)) {
      yield showMemory(row);
    }
  }

  /** Yields the numbers of all memories with their owners, for `memoriesAt`. */
  owners(): AsyncGenerator<MemoryOwner> {
    return this.#rows<MemoryOwner>("memories", sql`seq, user_id, agent_id, run_id`);
  }

  /** Yields the memories with the given numbers, in this order. */
  async *memoriesAt(numbers: readonly number[]): AsyncGenerator<Memory> {
    for (let from = 0; from < numbers.length; from += PAGE_ROWS) {
      this.#advance();
      const page = numbers.slice(from, from + PAGE_ROWS);
      const rows = await this.#db.all<MemoryRow>(sql`select ${MEMORY_COLUMNS} from memories
        where +project = ${this.#project} and seq in ${integers(page)} order by seq`);
      yield* rows.map(showMemory);
      await yieldToEventLoop();
    }
  }

  /** Returns how many memories and documents there are. */
  async counts(): Promise<{ readonly memories: number; readonly documents: number }> {
    const count = await this.#db.first<{ memories: number; documents: number }>(sql`select
      (select count(*) from memories where project = ${this.#project}) as memories,
      (select count(*) from document_versions
        where project = ${this.#project} and ${IS_DOCUMENT}) as documents`);
    return count!;
  }

  /** Yields the current version of each document. */
  async *documents(): AsyncGenerator<ExportedDocument> {
    const rows = this.#rows<VersionRow>(
      "document_versions",
      VERSION_COLUMNS,
      sql`and ${IS_DOCUMENT}`,
    );
    for await (const row of rows) {
      const content = await findContent(this.#db, this.#project, row.seq);
      yield { ...showDocument(row), content };
    }
  }

  async *#rows<Row extends { readonly seq: number }>(
    table: NumberedTable,
    columns: ReturnType<typeof sql>,
    condition = sql``,
  ): AsyncGenerator<Row> {
    let after: readonly (string | number)[] | null = null;
    do {
      this.#advance();
      const { rows, next }: Awaited<ReturnType<typeof nextRowBatch<Row>>> = await nextRowBatch<Row>(
        this.#db,
        { table, columns, project: this.#project, after, count: PAGE_ROWS, condition },
      );
      yield* rows;
      after = next;
      await yieldToEventLoop();
    } while (after !== null);
  }
}
