/** Checks chunks against their documents. */

import sql from "sql-template-tag";
import { sha256 } from "../../kernel/hash.ts";
import type { Connection } from "../../store/sqlite/connection.ts";

interface Version {
  readonly seq: number;
  readonly id: string;
  readonly content_hash: string;
  readonly chunks: number;
  readonly content: string | null;
  /** 1 while an import is pending or running. */
  readonly restoring: 0 | 1;
}

/**
 * Checks that the chunks of a version, concatenated in order, yield its content, and that every
 * chunk belongs to a version.
 */
export function* chunkProblems(connection: Connection): Generator<string> {
  const versions = connection.iterate<Version>(sql`select seq, id, content_hash, chunks,
      (select content from document_contents where version = seq) as content,
      exists (select 1 from tasks where tasks.project = document_versions.project
        and kind = 'import' and status in ('pending', 'retry', 'processing')) as restoring
    from document_versions`);
  for (const { seq, id, content_hash, chunks, content, restoring } of versions) {
    // Imports restore contents only after their versions.
    if (content === null && restoring === 1) continue;
    if (content === null) yield `${id} has no content`;
    else if (sha256(content) !== content_hash) {
      yield `the content of ${id} doesn't match its hash`;
    }
    const found = connection.all<{ content: string }>(
      sql`select content from chunks where version = ${seq} order by position`,
    );
    if (found.length !== chunks) yield `${id} has ${found.length} chunks, expected ${chunks}`;
    else if (found.map((chunk) => chunk.content).join("") !== content) {
      yield `the chunks of ${id} don't match its content`;
    }
  }
  const orphans = connection.iterate<{ seq: number; version: number }>(sql`
    select seq, version from chunks
    where version not in (select seq from document_versions)
      and version not in (select version from retired_versions)`);
  for (const { seq, version } of orphans) {
    yield `chunk ${seq} belongs to version ${version}, which doesn't exist`;
  }
}
