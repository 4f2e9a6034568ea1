/** Checks chunks against their documents. */

import sql from "sql-template-tag";
import { sha256 } from "../../kernel/hash.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { type Rule, ruleProblems } from "./rules.ts";

/** A version to check. */
export interface CheckedVersion {
  readonly seq: number;
  readonly id: string;
  readonly content_hash: string;
  readonly chunks: number;
  readonly content: string | null;
  /** 1 while an import is pending or running. It restores contents after their versions. */
  readonly restoring: 0 | 1;
}

/** The columns of a {@linkcode CheckedVersion}, for `document_versions`. */
export const CHECKED_COLUMNS = sql`seq, id, content_hash, chunks,
  (select content from document_contents where version = seq) as content,
  exists (select 1 from tasks where tasks.project = document_versions.project
    and kind = 'import' and status in ('pending', 'retry', 'processing')) as restoring`;

/** Every chunk belongs to a version. */
export const CHUNK_RULE: Rule<{ readonly seq: number; readonly version: number }> = {
  query: sql`select seq, version from chunks
    where not exists (select 1 from document_versions as v where v.seq = version)
      and not exists (select 1 from retired_versions as r where r.version = chunks.version)`,
  problem: ({ seq, version }) => `chunk ${seq} belongs to version ${version}, which doesn't exist`,
};

/**
 * Checks that the chunks of a version, concatenated in order, yield its content, and that every
 * chunk belongs to a version.
 */
export function* chunkProblems(connection: Connection): Generator<string> {
  const versions = connection.iterate<CheckedVersion>(
    sql`select ${CHECKED_COLUMNS} from document_versions`,
  );
  for (const version of versions) {
    const found = connection.all<{ content: string }>(
      sql`select content from chunks where version = ${version.seq} order by position`,
    );
    const problem = versionProblem(version, found.map(({ content }) => content));
    if (problem !== null) yield problem;
  }
  yield* ruleProblems(connection, CHUNK_RULE);
}

/** Returns what is wrong with a version, given the contents of its chunks in order, or null. */
export function versionProblem(version: CheckedVersion, chunks: readonly string[]): string | null {
  const { id, content, restoring } = version;
  if (content === null) return restoring === 1 ? null : `${id} has no content`;
  if (sha256(content) !== version.content_hash) {
    return `the content of ${id} doesn't match its hash`;
  }
  if (chunks.length !== version.chunks) {
    return `${id} has ${chunks.length} chunks, expected ${version.chunks}`;
  }
  return chunks.join("") === content ? null : `the chunks of ${id} don't match its content`;
}
