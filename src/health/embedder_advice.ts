/** What to change so that a project is searched by meaning as well as possible. */

import { missingVectorMemory, type SearchMemory } from "../search/search_memory.ts";
import type { Reader } from "../store/store.ts";
import { languageAdvice } from "./language.ts";

/** What the advice depends on besides the project. */
export interface AdviceOptions {
  /** Id of the model in use; null before its first use. */
  readonly model: string | null;
  readonly searchMemory: SearchMemory;
}

/** Returns what to change for a project, most urgent first, or null. */
export async function embedderAdvice(
  db: Reader,
  project: number,
  { model, searchMemory }: AdviceOptions,
): Promise<string | null> {
  const bytes = await missingVectorMemory(db, project, searchMemory);
  if (bytes === null) return await languageAdvice(db, project, model);
  return "The vectors of this project don't fit into memory, so most searches only use words; " +
    `start the service with --search-memory-mb ${Math.ceil(bytes / 2 ** 20)} or more`;
}
