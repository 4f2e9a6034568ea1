/** A data directory as a side of a copy of an instance. */

import { mkdirSync, rmSync } from "node:fs";
import sql, { raw } from "sql-template-tag";
import { reindexChunksIfOutdated } from "../../documents/reindex.ts";
import { reindexIfOutdated } from "../../memories/reindex.ts";
import { blobFolder } from "../../store/blobs/folder.ts";
import { syncPath } from "../../store/folders.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { SCHEMA_VERSION, schemaVersion } from "../../store/sqlite/migrations.ts";
import { requireOwnDatabase } from "../../store/sqlite/own_database.ts";
import {
  asReader,
  databasePath,
  dataDirectoryProblem,
  SqliteStore,
} from "../../store/sqlite/store.ts";
import { checkDataDirectory, moveIntoPlace, partialFolder } from "../../backup/copy.ts";
import {
  type CatalogColumn,
  InstanceCopyError,
  joined,
  type Side,
  type Source,
  tablesIn,
  type Target,
} from "./side.ts";

/**
 * Opens a data directory as a source.
 *
 * @throws InstanceCopyError if it isn't a data directory, or has another schema version
 * @throws IncompatibleStoreError if it contains the database of another program
 */
export function openSqliteSource(directory: string): Source {
  const problem = dataDirectoryProblem(directory);
  if (problem !== null) throw new InstanceCopyError(problem);
  requireOwnDatabase(databasePath(directory));
  const connection = new Connection(databasePath(directory), { readOnly: true });
  const version = schemaVersion(connection);
  if (version !== SCHEMA_VERSION) {
    connection.close();
    throw new InstanceCopyError(
      version > SCHEMA_VERSION
        ? `"${directory}" has schema ${version}, but this version of Commonplace supports up to ` +
          `${SCHEMA_VERSION}; install a newer version`
        : `"${directory}" has schema ${version}; start \`serve\` once, which migrates it to ` +
          `version ${SCHEMA_VERSION}`,
    );
  }
  connection.exec("begin");
  return {
    ...sideOf(connection),
    // deno-lint-ignore require-await -- the other engine needs promises
    async lastNumbers() {
      const rows = connection.all<{ name: string; seq: number }>(
        sql`select name, seq from sqlite_sequence`,
      );
      return new Map(rows.map(({ name, seq }) => [name, seq]));
    },
  };
}

/**
 * Creates a data directory as a target, under another name at first.
 *
 * @param source the data directory that is copied, if there is one
 * @throws CopyError if the directory isn't empty
 */
export async function createSqliteTarget(directory: string, source?: string): Promise<Target> {
  const partial = partialFolder(directory, source);
  // Left by a copy that was interrupted.
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(blobFolder(partial), { recursive: true, mode: 0o700 });
  try {
    await new SqliteStore(partial).close();
    return openTarget(partial, directory);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

function openTarget(partial: string, directory: string): Target {
  const connection = new Connection(databasePath(partial));
  let open = true;
  const close = () => {
    if (open) connection.close();
    open = false;
  };
  connection.exec("begin");
  return {
    ...sideOf(connection),
    partial,
    // deno-lint-ignore require-await -- the other engine needs promises
    async insert({ name, columns }, rows) {
      const into = raw(`${name} (${columns.join(", ")})`);
      for (const values of rows) {
        connection.run(sql`insert into ${into} values (${joined(values)})`);
      }
    },
    delete: (query) => Promise.resolve(void connection.run(query)),
    // deno-lint-ignore require-await -- the other engine needs promises
    async setLastNumbers(numbers) {
      for (const [name, seq] of numbers) {
        const numbered = sql`exists (select 1 from sqlite_master
          where name = ${name} and sql like '%autoincrement%')`;
        connection.run(sql`insert into sqlite_sequence (name, seq) select ${name}, 0
          where ${numbered} and ${name} not in (select name from sqlite_sequence)`);
        connection.run(
          sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`,
        );
      }
    },
    async finish(report) {
      report("Writing the database");
      connection.exec("commit");
      close();
      // The other engine has no index.
      const store = new SqliteStore(partial);
      await reindexIfOutdated(store, report);
      await reindexChunksIfOutdated(store, report);
      await store.close();
      checkDataDirectory(partial, report);
      syncPath(partial);
      moveIntoPlace(partial, directory);
    },
    // deno-lint-ignore require-await -- the other engine needs promises
    async close() {
      close();
      rmSync(partial, { recursive: true, force: true });
    },
  };
}

function sideOf(connection: Connection): Side {
  return {
    ...asReader(connection),
    // deno-lint-ignore require-await -- the other engine needs promises
    async tables() {
      return tablesIn(connection.all<CatalogColumn>(sql`
        select t.name as "table", c.name, c.pk as key
        from pragma_table_list t, pragma_table_xinfo(t.name) c
        where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%'
          and c.hidden = 0`));
    },
    close: () => Promise.resolve(connection.close()),
  };
}
