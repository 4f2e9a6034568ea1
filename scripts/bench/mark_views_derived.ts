/**
 * Derived views of generated memories, written as read: a server that is measured would else read
 * their texts beside every measurement, for minutes.
 */

import sql from "sql-template-tag";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";

/**
 * Moves the views of every project to the end of its journal, as if all texts had been read. What
 * generated texts claim is left out: two of 100,000 claim anything. Documents have no claims.
 */
export function markViewsDerived(directory: string): void {
  const connection = new Connection(databasePath(directory));
  try {
    connection.exec("begin");
    connection.run(sql`delete from tasks where kind in ('derive', 'rebuild')`);
    connection.run(sql`insert or replace into derived_progress (project, position)
      select project, max(seq) from journal group by project`);
    connection.exec("commit");
  } finally {
    connection.close();
  }
}
