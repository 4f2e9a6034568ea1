/** What is in search copies, and databases to copy from. */

import { DatabaseSync } from "node:sqlite";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { postgres } from "../store/engines.ts";

/** What these tests need. */
export const TOOLS = ["initdb", "setpriv"] as const;

/** Returns a new database for the records. */
export async function newDatabase(): Promise<PgAddress> {
  return (await postgres()).newSchema();
}

/** Returns everything in a copy that searches read. Numbers that are the copy's own are left out. */
export function contentOf(folder: string): Record<string, unknown> {
  return contentIn(databasePath(folder));
}

/** As {@linkcode contentOf}, for the database file at a path. */
export function contentIn(path: string): Record<string, unknown> {
  const database = new DatabaseSync(path);
  try {
    const all = (query: string) => database.prepare(query).all().map((row) => ({ ...row }));
    for (const name of ["memories", "chunks"]) {
      database.exec(`insert into ${name}_fts (${name}_fts) values ('integrity-check')`);
      database.exec(
        `create virtual table temp.${name}_words using fts5vocab(main, ${name}_fts, instance)`,
      );
    }
    return {
      memories: all("select * from memories order by seq"),
      ends: all("select * from memory_history order by seq"),
      versions: all("select * from document_versions order by seq"),
      chunks: all("select * from chunks order by seq"),
      chunkTerms: all("select * from chunk_terms order by seq"),
      scopes: all("select * from scope_totals order by project, type, id"),
      documents: all("select * from document_totals order by project"),
      reads: all("select * from memory_access order by project, memory_id"),
      memoryWords: all("select * from temp.memories_words order by doc, col, term, offset"),
      chunkWords: all("select * from temp.chunks_words order by doc, col, term, offset"),
    };
  } finally {
    database.close();
  }
}

/** Returns the projects with memories in a copy. */
export function projectsIn(folder: string): number[] {
  const memories = contentOf(folder)["memories"] as { project: number }[];
  return [...new Set(memories.map(({ project }) => project))];
}

/** Returns the memories of a project in a database with copies, which can be open. */
export function memoriesIn(path: string, project: number): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const query = database.prepare("select memory from memories where project = ? order by seq");
    return query.all(project).map(({ memory }) => memory);
  } finally {
    database.close();
  }
}
