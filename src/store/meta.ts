/** Named values that the program stores in addition to the records, such as versions of indexes. */

import sql from "sql-template-tag";
import type { Reader, Tx } from "./store.ts";

/** Returns a value, or undefined if it isn't set. */
export async function readMeta(db: Reader, name: string): Promise<string | undefined> {
  const query = sql`select value from meta where name = ${name}`;
  return (await db.first<{ value: string }>(query))?.value;
}

/** Sets a value. */
export async function writeMeta(tx: Tx, name: string, value: string): Promise<void> {
  await tx.run(sql`insert into meta (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`);
}
