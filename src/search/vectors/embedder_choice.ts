/** The embedder chosen with `commonplace embedder use`, stored in the data directory. */

import { type BuiltinName, isBuiltin } from "../../embedding/builtin_models.ts";
import { readMeta, writeMeta } from "../../store/meta.ts";
import type { Reader, Tx } from "../../store/store.ts";

const META_NAME = "embedder";

/** Returns the choice, or null if there is none that this version knows. */
export async function readEmbedderChoice(db: Reader): Promise<BuiltinName | null> {
  const name = await readMeta(db, META_NAME);
  return name !== undefined && isBuiltin(name) ? name : null;
}

/** Stores the choice. A running service notices within a second. */
export async function writeEmbedderChoice(tx: Tx, name: BuiltinName): Promise<void> {
  await writeMeta(tx, META_NAME, name);
}
