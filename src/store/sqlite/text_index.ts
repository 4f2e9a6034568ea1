/**
 * Full-text indexes on top of FTS5, as contentless tables with every term prefixed with its
 * project.
 */

import { createHash } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import { TwoGenerationCache } from "../../kernel/caches/two_generation_cache.ts";
import type { SearchIndex, TextEntry, TextIndex, Tx } from "../store.ts";
import { SqliteChunkIndex } from "./chunk_index.ts";

/**
 * Returns a term as indexed. It begins with the project number, so each project has its own posting
 * lists and frequencies. FTS5 stores the prefix only once for adjacent terms.
 */
export function indexedTerm(project: number, term: string): string {
  return projectPrefix(project) + term;
}

/** Returns the prefix shared by all of a project's terms. */
export function projectPrefix(project: number): string {
  return `${project}x`;
}

/**
 * Returns an exact attribute (e.g. the user that owns a memory) as indexed. Values are hashed,
 * since a tokenizer would split or fold them. Search results are checked against the canonical row,
 * so a hash collision can't expose another scope's records.
 */
export function indexedTag(project: number, tag: string): string {
  const cached = digestCache.get(tag);
  if (cached !== undefined) return `${project}t${cached}`;
  const digest = createHash("sha256").update(tag).digest("hex").slice(0, 16);
  digestCache.set(tag, digest);
  return `${project}t${digest}`;
}

/** Maximum number of cached tag digests. Only a handful of users are active at any one time. */
const MAX_CACHED_DIGESTS = 20_000;
const digestCache = new TwoGenerationCache<string, string>(MAX_CACHED_DIGESTS);

/** Pages written per purge step, about 5 ms. */
const MERGE_STEP_PAGES = 64;

/** Record types with a full-text index. */
export type TextIndexName = "memories" | "chunks";

/** The column for terms. The other one is `tags`. */
const TERMS_COLUMN: Readonly<Record<TextIndexName, string>> = { memories: "text", chunks: "terms" };

/** Returns the FTS5 table name for an index. */
export function textTable(name: TextIndexName): string {
  return `${name}_fts`;
}

/**
 * A text index in a contentless FTS5 table. No plain DELETE removes a row from one without leaving
 * something behind: FTS5 needs the same terms that were inserted (sqlite.org/fts5.html, "The
 * 'delete' command").
 */
export class Fts5Index implements TextIndex {
  readonly #name: TextIndexName;

  constructor(name: TextIndexName) {
    this.#name = name;
  }

  async insert(tx: Tx, project: number, row: Sql, entry: () => TextEntry): Promise<void> {
    await this.add(tx, project, await tx.insert(row), entry());
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

  // Merging all segments is the only way to drop removed terms at a cost that doesn't grow with
  // their frequency. FTS5's 'secure-delete' scans the whole posting list for every term in a row
  // (3.5 s of CPU for one megabyte among five). We merge in steps, as described for 'merge' at
  // sqlite.org/fts5.html.
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

/** Returns an entry as expected by the table's columns. */
function renderEntry(project: number, { terms, prefixed = false, tags }: TextEntry) {
  // Terms don't contain spaces, so a single native replacement prefixes them all.
  const prefix = projectPrefix(project);
  const isPrefixed = prefixed || terms === "";
  return {
    terms: isPrefixed ? terms : prefix + terms.replaceAll(" ", ` ${prefix}`),
    tags: renderTags(project, tags),
  };
}

/**
 * The most recently rendered tags. A document's chunks all share the same tags, and hashing isn't
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

/** A database's search index. */
export const SQLITE_INDEX: SearchIndex = {
  memories: new Fts5Index("memories"),
  chunks: new SqliteChunkIndex(new Fts5Index("chunks")),
};
