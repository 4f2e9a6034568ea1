/**
 * Reuses the schemas of tests that have ended, emptied. A new one takes a fifth of a second to create
 * and to remove, which is as long as many of the tests themselves.
 */

import type { PgAddress } from "../src/store/postgres/connection.ts";
import { queryPostgres } from "./postgres.ts";

/** Prepares a server for the other functions. */
export async function enableReadySchemas(url: string): Promise<void> {
  await queryPostgres(url, "create table public.ready_schemas (name text primary key)");
}

/** Gives an address one of the emptied schemas. If there is none, its server creates the schema. */
export async function claimSchema({ url, schema }: PgAddress): Promise<void> {
  await queryPostgres(
    url,
    `do $$ declare found text; begin
      delete from public.ready_schemas where name =
        (select name from public.ready_schemas limit 1 for update skip locked)
        returning name into found;
      if found is not null then
        execute format('alter schema %I rename to ${schema}', found);
      end if;
    end $$`,
  );
}

/** Empties a schema for the next test, except for the rows that migrations have written. */
export async function releaseSchema({ url, schema }: PgAddress): Promise<void> {
  await queryPostgres(
    url,
    `do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables
        where schemaname = '${schema}' and tablename <> 'activity_position' loop
        execute format('delete from ${schema}.%I', name)
          || case name when 'meta' then
            ' where name not in (''schema_version'', ''oldest_schema'')' else '' end;
      end loop;
      for name in select sequencename from pg_sequences where schemaname = '${schema}' loop
        perform setval(format('${schema}.%I', name), 1, false);
      end loop;
      if exists (select from pg_namespace where nspname = '${schema}') then
        update ${schema}.activity_position set seq = 0;
        insert into public.ready_schemas values ('${schema}');
      end if;
    end $$`,
  );
}
