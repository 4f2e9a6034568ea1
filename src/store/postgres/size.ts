/** How much space the records take. */

import sql from "sql-template-tag";
import type { Store } from "../store.ts";

/** Returns the size of a schema's tables and indexes on the server's disk, in bytes. */
export async function schemaBytes(store: Pick<Store, "queryOne">): Promise<number> {
  const row = await store.queryOne<{ bytes: number }>(sql`
    select cast(coalesce(sum(pg_total_relation_size(oid)), 0) as bigint) as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return row!.bytes;
}
