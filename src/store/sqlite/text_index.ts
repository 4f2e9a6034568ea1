/**
 * Full-text indexes on FTS5: contentless tables in which every term has a prefix for its project.
 */

import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { TwoGenerationCache } from "../../kernel/two_generation_cache.ts";
import type { TextEntry, TextIndex, TextIndexName, Tx } from "../store.ts";

/**
 * Returns a term in its indexed form. It begins with the number of the project, so each project has
 * its own posting lists and frequencies. FTS5 stores the prefix once for adjacent terms.
 */
export function indexedTerm(project: number, term: string): string {
  return projectPrefix(project) + term;
}

/** Returns the prefix of all terms of a project. */
export function projectPrefix(project: number): string {
  return `${project}x`;
}

/**
 * Returns an exact attribute in its indexed form, e.g. the user of a memory. Values are hashed
 * because a tokenizer would split or fold them. Search results are checked against the canonical
 * row, so a collision can't expose another scope's record.
 */
export function indexedTag(project: number, tag: string): string {
  const cached = digestCache.get(tag);
  if (cached !== undefined) return `${project}t${cached}`;
  const digest = createHash("sha256").update(tag).digest("hex").slice(0, 16);
  digestCache.set(tag, digest);
  return `${project}t${digest}`;
}

/** Maximum number of cached tag digests. Few users are active at a time. */
const MAX_CACHED_DIGESTS = 20_000;
const digestCache = new TwoGenerationCache<string, string>(MAX_CACHED_DIGESTS);

/** Pages written in one step of a purge: about 5 ms. */
const MERGE_STEP_PAGES = 64;

/** Column of each table that contains the terms; the other one is `tags`. */
const TERMS_COLUMN: Readonly<Record<TextIndexName, string>> = { memories: "text", chunks: "terms" };

/** Returns the name of an index's FTS5 table. */
export function textTable(name: TextIndexName): string {
  return `${name}_fts`;
}

/**
 * Text index in a contentless FTS5 table. Such a table has no DELETE that leaves nothing behind: to
 * remove a row, FTS5 needs the same terms that were inserted (sqlite.org/fts5.html, "The 'delete'
 * command").
 */
export class Fts5Index implements TextIndex {
  readonly #name: TextIndexName;

  constructor(name: TextIndexName) {
    this.#name = name;
  }

  async add(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void> {
    const [table, column] = this.#sql();
    const { terms, tags } = renderEntry(project, entry);
    await tx.run(sql`insert into ${table} (rowid, ${column}, tags)
      values (${seq}, ${terms}, ${tags})`);
  }

  async remove(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void> {
    const [table, column] = this.#sql();
    const { terms, tags } = renderEntry(project, entry);
    await tx.run(sql`insert into ${table} (${table}, rowid, ${column}, tags)
      values ('delete', ${seq}, ${terms}, ${tags})`);
  }

  // Only a merge of all segments drops removed terms at a cost that does not grow with their
  // frequency. FTS5's 'secure-delete' scans the whole posting list of every term of a row (3.5 s of
  // CPU for one megabyte among five). The merge runs in steps, as sqlite.org/fts5.html describes
  // for 'merge'.
  async mergeStep(tx: Tx, first: boolean): Promise<boolean> {
    const [table] = this.#sql();
    const before = await totalChanges(tx);
    await tx.run(sql`insert into ${table} (${table}, rank)
      values ('merge', ${first ? -MERGE_STEP_PAGES : MERGE_STEP_PAGES})`);
    return await totalChanges(tx) - before >= 2;
  }

  async clear(tx: Tx): Promise<void> {
    const [table] = this.#sql();
    await tx.run(sql`insert into ${table} (${table}) values ('delete-all')`);
  }

  #sql() {
    return [raw(textTable(this.#name)), raw(TERMS_COLUMN[this.#name])] as const;
  }
}

async function totalChanges(tx: Tx): Promise<number> {
  return (await tx.first<{ n: number }>(sql`select total_changes() as n`))!.n;
}

/** Returns an entry in the form of the table's columns. */
function renderEntry(project: number, { terms, prefixed = false, tags }: TextEntry) {
  // Terms contain no spaces, so one native replacement adds the prefix to all of them.
  const prefix = projectPrefix(project);
  const isPrefixed = prefixed || terms === "";
  return {
    terms: isPrefixed ? terms : prefix + terms.replaceAll(" ", ` ${prefix}`),
    tags: renderTags(project, tags),
  };
}

/** Tags that were rendered last: the chunks of a document share theirs, and hashing is not free. */
let lastTags: { project: number; tags: readonly string[]; rendered: string } | undefined;

function renderTags(project: number, tags: readonly string[]): string {
  if (lastTags?.tags !== tags || lastTags.project !== project) {
    const rendered = tags.map((tag) => indexedTag(project, tag)).join(" ");
    lastTags = { project, tags, rendered };
  }
  return lastTags.rendered;
}

/** Text indexes of a database. */
export const TEXT_INDEXES: Readonly<Record<TextIndexName, TextIndex>> = {
  memories: new Fts5Index("memories"),
  chunks: new Fts5Index("chunks"),
};
