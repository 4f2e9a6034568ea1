/** What to change so that a project is searched by meaning as well as possible. */

import { missingProjectMemory, type SearchMemory } from "../search/search_memory.ts";
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
  const bytes = await missingProjectMemory(db, project, searchMemory);
  if (bytes === null) return await languageAdvice(db, project, model);
  // A power of two leaves room for the project to grow.
  const megabytes = 2 ** Math.max(0, Math.ceil(Math.log2(bytes / 2 ** 20)));
  return "The vectors of this project don't fit into memory, so most searches only use words; " +
    `start the service with --search-memory-mb ${megabytes} or more`;
}
