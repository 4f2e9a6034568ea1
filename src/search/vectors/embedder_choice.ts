/** The embedder chosen with `commonplace embedder use`, stored in the data directory. */

import sql from "sql-template-tag";
import { type BuiltinName, isBuiltin } from "../../embedding/builtin_models.ts";
import type { Reader, Tx } from "../../store/store.ts";

const META_NAME = "embedder";

/** Returns the choice, or null if there is none that this version knows. */
export async function readEmbedderChoice(db: Reader): Promise<BuiltinName | null> {
  const row = await db.first<{ value: string }>(
    sql`select value from meta where name = ${META_NAME}`,
  );
  return row !== undefined && isBuiltin(row.value) ? row.value : null;
}

/** Stores the choice. A running service notices within a second. */
export async function writeEmbedderChoice(tx: Tx, name: BuiltinName): Promise<void> {
  await tx.run(sql`insert into meta (name, value) values (${META_NAME}, ${name})
    on conflict (name) do update set value = excluded.value`);
}
