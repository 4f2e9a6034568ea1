/** A PostgreSQL database as a side of a copy of an instance. */

import sql, { raw } from "sql-template-tag";
import {
  connectProblem,
  describeAddress,
  type PgAddress,
  PgConnection,
} from "../../store/postgres/connection.ts";
import { LOCK } from "../../store/postgres/locks.ts";
import { migrate } from "../../store/postgres/migrate.ts";
import { PG_SCHEMA_VERSION } from "../../store/postgres/migrations.ts";
import { schemaState } from "../../store/postgres/schema_state.ts";
import { requireSafeServer, requireSession } from "../../store/postgres/server_checks.ts";
import {
  type CatalogColumn,
  InstanceCopyError,
  type Side,
  type Source,
  type Table,
  tablesIn,
  type Target,
} from "./side.ts";

/** How long a statement can take, in milliseconds: statistics of a large table, or the commit. */
const MAX_STATEMENT_MS = 600_000;

/** Tables that a new database has rows in. */
const NEVER_EMPTY: readonly string[] = ["meta", "activity_position"];

/** Opens a database as a source. A server can go on writing to it. */
export async function openPostgresSource(address: PgAddress): Promise<Source> {
  const connection = await open(address);
  try {
    const { version } = await schemaState(connection);
    if (version !== PG_SCHEMA_VERSION) {
      throw new InstanceCopyError(
        version === 0
          ? `${describeAddress(address)} has no records of Commonplace`
          : version > PG_SCHEMA_VERSION
          ? `The database has schema ${version}, but this version of Commonplace supports up to ` +
            `${PG_SCHEMA_VERSION}; install a newer version`
          : `The database has schema ${version}; start \`serve\` once, which migrates it to ` +
            `version ${PG_SCHEMA_VERSION}`,
      );
    }
    await connection.exec("begin isolation level repeatable read read only");
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return {
    ...sideOf(connection),
    async lastNumbers() {
      const { rows } = await connection.query<{ name: string; last: number }>(sql`
        select c.table_name as name, s.last_value as last
        from information_schema.columns c join pg_sequences s
          on s.schemaname = c.table_schema and s.sequencename = c.table_name || '_' || c.column_name || '_seq'
        where c.table_schema = current_schema() and c.is_identity = 'YES'
          and s.last_value is not null`);
      return new Map(rows.map(({ name, last }) => [name, last]));
    },
  };
}

/**
 * Opens a database as a target. All of the copy is one transaction.
 *
 * @throws InstanceCopyError if there are records
 */
export async function openPostgresTarget(address: PgAddress): Promise<Target> {
  const connection = await open(address);
  const types = new Map<string, string>();
  try {
    await requireSafeServer(connection);
    await migrate(connection, address.schema);
    await connection.exec("begin");
    // A server that starts now waits before it creates a project.
    await connection.exec(
      `select pg_advisory_xact_lock(hashtext(current_schema()), ${LOCK.projects})`,
    );
    for (const { name } of await tablesOf(connection)) {
      if (NEVER_EMPTY.includes(name)) continue;
      const { rows } = await connection.exec(`select 1 from ${name} limit 1`);
      if (rows.length > 0) {
        throw new InstanceCopyError(
          `${describeAddress(address)} is not empty: there are rows in ${name}; ` +
            "specify another schema, e.g. ?schema=NAME",
        );
      }
    }
    const { rows } = await connection.query<{ name: string; type: string }>(sql`
      select table_name || '.' || column_name as name, data_type as type
      from information_schema.columns where table_schema = current_schema()`);
    for (const { name, type } of rows) types.set(name, type);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return {
    ...sideOf(connection),
    async insert({ name, columns }: Table, rows) {
      const lists = columns.map((column, index) =>
        `$${index + 1}::${types.get(`${name}.${column}`)}[]`
      );
      await connection.send(
        `insert into ${name} (${columns.join(", ")}) select * from unnest(${lists.join(", ")})`,
        columns.map((_, index) => rows.map((row) => row[index])),
      );
    },
    delete: async (query) => void await connection.query(query),
    async setLastNumbers(numbers) {
      for (const [name, last] of numbers) {
        const { rows } = await connection.query<{ column: string }>(sql`
          select column_name as column from information_schema.columns
          where table_schema = current_schema() and table_name = ${name} and is_identity = 'YES'`);
        const [numbered] = rows;
        if (numbered === undefined) continue;
        await connection.query(
          sql`select setval(pg_get_serial_sequence(${name}, ${numbered.column}),
          greatest(${last}, (select coalesce(max(${raw(numbered.column)}), 1) from ${raw(name)})))`,
        );
      }
    },
    async finish(report) {
      // Without statistics, the first requests would read whole tables.
      for (const { name } of await tablesOf(connection)) {
        report(`Collecting statistics of ${name}`);
        await connection.exec(`analyze ${name}`);
      }
      report("Writing the database");
      await connection.exec("commit");
    },
  };
}

async function open(address: PgAddress): Promise<PgConnection> {
  const connection = await PgConnection.open(address, MAX_STATEMENT_MS).catch((error) => {
    throw new InstanceCopyError(connectProblem(error, address));
  });
  try {
    await requireSession(connection, address);
    // The other side can take long.
    await connection.exec("set idle_in_transaction_session_timeout to 0");
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return connection;
}

function sideOf(connection: PgConnection): Side {
  return {
    all: async <Row>(query: ReturnType<typeof sql>) => (await connection.query<Row>(query)).rows,
    first: async <Row>(query: ReturnType<typeof sql>) =>
      (await connection.query<Row>(query)).rows[0],
    tables: () => tablesOf(connection),
    // Ends the transaction, if there's one.
    close: () => connection.close(),
  };
}

async function tablesOf(connection: PgConnection): Promise<Table[]> {
  const { rows } = await connection.query<CatalogColumn>(sql`
    select t.relname as table, a.attname as name,
      coalesce(array_position(i.indkey::int[], a.attnum::int), -1) + 1 as key
    from pg_class t join pg_attribute a on a.attrelid = t.oid
      join pg_index i on i.indrelid = t.oid and i.indisprimary
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped`);
  return tablesIn(rows);
}
