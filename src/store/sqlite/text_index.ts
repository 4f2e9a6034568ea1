/**
 * Full-text indexes based on FTS5. They are contentless tables in which every term is prefixed with
 * its project.
 */

import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { TwoGenerationCache } from "../../kernel/two_generation_cache.ts";
import type { TextEntry, TextIndex, TextIndexName, Tx } from "../store.ts";

/**
 * Returns a term in its indexed form. It begins with the project number, so that each project has
 * its own posting lists and frequencies. FTS5 stores the prefix only once for adjacent terms.
 */
export function indexedTerm(project: number, term: string): string {
  return projectPrefix(project) + term;
}

/** Returns the prefix that all of a project's terms share. */
export function projectPrefix(project: number): string {
  return `${project}x`;
}

/**
 * Returns an exact attribute, such as the user that owns a memory, in its indexed form. Values are
 * hashed because a tokenizer would split or fold them. Search results are checked against the
 * canonical row, so a hash collision can't expose a record from a different scope.
 */
export function indexedTag(project: number, tag: string): string {
  const cached = digestCache.get(tag);
  if (cached !== undefined) return `${project}t${cached}`;
  const digest = createHash("sha256").update(tag).digest("hex").slice(0, 16);
  digestCache.set(tag, digest);
  return `${project}t${digest}`;
}

/** Maximum number of cached tag digests. Only a few users are active at any one time. */
const MAX_CACHED_DIGESTS = 20_000;
const digestCache = new TwoGenerationCache<string, string>(MAX_CACHED_DIGESTS);

/** Number of pages written in one step of a purge, which takes about 5 ms. */
const MERGE_STEP_PAGES = 64;

/** The column in each table that contains the terms. The other column is `tags`. */
const TERMS_COLUMN: Readonly<Record<TextIndexName, string>> = { memories: "text", chunks: "terms" };

/** Returns the name of the FTS5 table behind an index. */
export function textTable(name: TextIndexName): string {
  return `${name}_fts`;
}

/**
 * A text index in a contentless FTS5 table. In such a table, no plain DELETE removes a row without
 * leaving something behind. To remove a row, FTS5 needs the same terms that were inserted
 * (sqlite.org/fts5.html, "The 'delete' command").
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

  // Merging all segments is the only way to drop removed terms at a cost that does not grow with
  // their frequency. FTS5's 'secure-delete' scans the whole posting list for every term in a row
  // (3.5 s of CPU for one megabyte among five). The merge runs in steps, as sqlite.org/fts5.html
  // describes for 'merge'.
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

/** Returns an entry in the form that the table's columns expect. */
function renderEntry(project: number, { terms, prefixed = false, tags }: TextEntry) {
  // Terms don't contain spaces, so a single native replacement adds the prefix to all of them.
  const prefix = projectPrefix(project);
  const isPrefixed = prefixed || terms === "";
  return {
    terms: isPrefixed ? terms : prefix + terms.replaceAll(" ", ` ${prefix}`),
    tags: renderTags(project, tags),
  };
}

/**
 * The most recently rendered tags. A document's chunks all have the same tags, and hashing isn't
 * free.
 */
let lastTags: { project: number; tags: readonly string[]; rendered: string } | undefined;

function renderTags(project: number, tags: readonly string[]): string {
  if (lastTags?.tags !== tags || lastTags.project !== project) {
    const rendered = tags.map((tag) => indexedTag(project, tag)).join(" ");
    lastTags = { project, tags, rendered };
  }
  return lastTags.rendered;
}

/** The text indexes in a database. */
export const TEXT_INDEXES: Readonly<Record<TextIndexName, TextIndex>> = {
  memories: new Fts5Index("memories"),
  chunks: new Fts5Index("chunks"),
};
