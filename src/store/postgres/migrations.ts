/**
 * The schema's migrations, forward only. They have the same numbers as SQLite's.
 *
 * While processes are replaced by those of the next version, both versions use the same schema. So
 * each migration says which programs can still use it. CONTRIBUTING.md has the rules.
 */

import baseline from "../../../migrations/postgres/0016_baseline.sql" with { type: "text" };
import memoryOrder from "../../../migrations/postgres/0017_memory_order.sql" with { type: "text" };
import taskTurns from "../../../migrations/postgres/0018_task_turns.sql" with { type: "text" };

/** A migration. */
export interface Migration {
  /** The schema version that it creates. */
  readonly version: number;
  /**
   * The oldest version whose programs can use the schema afterwards. If it's that of the migration
   * before, this one only adds tables, columns and indexes. It's never lower.
   */
  readonly oldest: number;
  readonly text: string;
}

/** Migrations in order. The first one creates the whole schema. */
export const PG_MIGRATIONS: readonly Migration[] = [
  { version: 16, oldest: 16, text: baseline },
  { version: 17, oldest: 17, text: memoryOrder },
  // Since then, files in a data directory have a "." in their names. Programs of version 17 don't
  // accept such names.
  { version: 18, oldest: 18, text: taskTurns },
];

/** Schema version written by this program. */
export const PG_SCHEMA_VERSION = PG_MIGRATIONS.at(-1)!.version;
