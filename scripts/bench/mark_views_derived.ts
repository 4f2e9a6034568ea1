/**
 * Marks generated memories as already processed for derived views. Otherwise the server would spend
 * minutes processing their text during every measurement.
 */

import sql from "sql-template-tag";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import { BUILTIN_CONFIG } from "../../src/inference/engine.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";

/** The engine that has read the texts. Another one reads them again. */
export const READER = new BuiltinWorkers(BUILTIN_CONFIG).reader;

/**
 * Moves every project's views to the end of its journal, as if all text had been processed. We skip
 * the claims in generated texts, since only two texts in 100,000 contain any. Documents have no
 * claims.
 */
export function markViewsDerived(directory: string): void {
  const connection = new Connection(databasePath(directory));
  try {
    connection.exec("begin");
    connection.run(sql`delete from tasks where kind in ('derive', 'rebuild')`);
    connection.run(sql`insert or replace into derived_progress (project, position, reader)
      select project, max(seq), ${READER} from journal group by project`);
    connection.exec("commit");
  } finally {
    connection.close();
  }
}
