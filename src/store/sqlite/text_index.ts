/** Full text on FTS5: contentless tables whose terms carry their project in front. */

import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import type { TextEntry, TextIndex, TextIndexName, Tx } from "../store.ts";

/**
 * A term as it stands in the index. The project's number comes first, so that one project's words
 * have posting lists and frequencies of their own; FTS5 shares the prefix between neighbours.
 */
export function indexedTerm(project: number, term: string): string {
  return projectPrefix(project) + term;
}

/** What stands in front of each term of a project. */
export function projectPrefix(project: number): string {
  return `${project}x`;
}

/**
 * An exact attribute as it stands in the index, e.g. the user a memory belongs to. Values are
 * hashed because a tokenizer would split or fold them; what is found is checked against the
 * canonical row, so that even a collision could not show a foreign record.
 */
export function indexedTag(project: number, tag: string): string {
  const known = digestCache.get(tag);
  if (known !== undefined) return `${project}t${known}`;
  const digest = createHash("sha256").update(tag).digest("hex").slice(0, 16);
  if (digestCache.size >= MAX_CACHED_DIGESTS) digestCache.clear();
  digestCache.set(tag, digest);
  return `${project}t${digest}`;
}

/** The digests of the tags seen lately: few users are busy at a time. */
const MAX_CACHED_DIGESTS = 10_000;
const digestCache = new Map<string, string>();

/** Pages written in one step of a purge: about 5 ms. */
const MERGE_STEP_PAGES = 64;

/** The column of each table that holds terms, beside `tags`. */
const TERMS_COLUMN: Readonly<Record<TextIndexName, string>> = { memories: "text", chunks: "terms" };

/** The FTS5 table of an index. */
export function textTable(name: TextIndexName): string {
  return `${name}_fts`;
}

/**
 * Contentless tables have no DELETE that leaves nothing behind: taking a row out means giving FTS5
 * the very terms that were put in (sqlite.org/fts5.html, "The 'delete' command").
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

  // A merge of all segments is the one thing that drops removed terms and costs no more where they
  // are frequent: FTS5's own 'secure-delete' walks the whole posting list of every term of a row
  // (3.5 s of CPU for a megabyte among five). In steps, as sqlite.org/fts5.html describes 'merge'.
  async purgeStep(tx: Tx, first: boolean): Promise<boolean> {
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

/** An entry as the columns of the table take it. */
function renderEntry(project: number, { terms, prefixed = false, tags }: TextEntry) {
  // A space can't stand in a term, so that all of them are marked in one native pass.
  const mark = projectPrefix(project);
  const isMarked = prefixed || terms === "";
  return {
    terms: isMarked ? terms : mark + terms.replaceAll(" ", ` ${mark}`),
    tags: renderTags(project, tags),
  };
}

/** The tags rendered last: the chunks of a document share theirs, and hashing them adds up. */
let lastTags: { project: number; tags: readonly string[]; rendered: string } | undefined;

function renderTags(project: number, tags: readonly string[]): string {
  if (lastTags?.tags !== tags || lastTags.project !== project) {
    const rendered = tags.map((tag) => indexedTag(project, tag)).join(" ");
    lastTags = { project, tags, rendered };
  }
  return lastTags.rendered;
}

/** The indexes of a database. */
export const TEXT_INDEXES: Readonly<Record<TextIndexName, TextIndex>> = {
  memories: new Fts5Index("memories"),
  chunks: new Fts5Index("chunks"),
};
