/**
 * Exports documents from one project and imports them into another. Chunks are rebuilt on import.
 */

import sql from "sql-template-tag";
import { z } from "zod";
import { boundedText, metadataField, nonBlankText, SCOPE_REQUIRED } from "../contract/fields.ts";
import {
  isOwned,
  storedDigest,
  storedId,
  storedScopes,
  storedTimestamp,
} from "../contract/stored_fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { BATCH_BYTES, snapshotSection } from "../contract/snapshot.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";
import { deletedDuringImport } from "../store/import_guard.ts";
import { appendJournal } from "../store/journal.ts";
import { nextRowBatch } from "../store/row_batches.ts";
import { integerRows } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";
import { CHUNKER_VERSION } from "./chunking/chunk.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { Preparer } from "./preparer.ts";
import { addToTotals, COLUMNS, insertChunks, insertContent } from "./repository.ts";
import { showDocument, type VersionRow, versionTags } from "./row.ts";
import { documentSchema } from "./schema.ts";
import { extentOf } from "./staging.ts";
import { HAS_CONTENT, IS_HEAD } from "./version_states.ts";

const documentRecord = documentSchema.extend({
  ...storedScopes,
  id: storedId,
  version_hash: storedDigest,
  source_key: nonBlankText(LIMITS.sourceKeyCharacters),
  title: nonBlankText(LIMITS.titleCharacters),
  mime_type: nonBlankText(LIMITS.contentTypeCharacters),
  source_uri: nonBlankText(LIMITS.sourceUriCharacters).nullable(),
  metadata: metadataField,
  created_at: storedTimestamp,
  /** Whether this is the source's current version. */
  current: z.boolean(),
  /** The media type whose structure determines where to cut the content. */
  chunked_as: nonBlankText(LIMITS.contentTypeCharacters),
}).refine(isOwned, SCOPE_REQUIRED);

const contentRecord = z.object({
  id: storedId,
  content: boundedText(LIMITS.documentBytes).min(1).refine(
    (text) => utf8Length(text) <= LIMITS.documentBytes,
    {
      message: `Must be at most ${LIMITS.documentBytes} bytes of UTF-8`,
    },
  ),
});

type ContentRecord = z.output<typeof contentRecord>;

/** Content, plus everything that can be computed ahead of writing it. */
interface PreparedContent extends ContentRecord {
  readonly chunks?: readonly PreparedChunk[];
}

/** Returns the snapshot sections for documents. `source_assets` belongs to uploads. */
export function documentSections(appContext: AppContext, preparer: Preparer) {
  return [versionsSection, contentsSection(appContext, preparer)];
}

const versionsSection = snapshotSection<z.output<typeof documentRecord>>({
  name: "documents",
  schema: documentRecord,
  rows: { table: "document_versions", kind: "document" },
  async page(db, project, after, count) {
    const { rows, next } = await nextRowBatch<VersionRow>(db, {
      table: "document_versions",
      columns: COLUMNS,
      project,
      after,
      count,
      condition: sql`and ${HAS_CONTENT}`,
    });
    const records = rows.map((row) => ({
      ...showDocument(row),
      current: row.is_head === 1,
      chunked_as: row.chunked_as,
    }));
    return { records, next };
  },
  defines: ({ id }) => [{ kind: "document", id }],
  // A source has at most one current version.
  uniqueValues: ({ source_key, current }) => current ? { source_key } : {},
  refersTo: ({ id, content_hash, size_bytes }) => [{
    field: "content_hash",
    kind: "document_content",
    id: contentKey(id, content_hash, size_bytes),
  }],
  async insert(tx, project, records, first) {
    const sourceKeys = records.map(({ source_key }) => source_key);
    const deleted = await deletedDuringImport(tx, project, "source", sourceKeys);
    let [sources, skipped] = [0, 0];
    for (const [offset, record] of records.entries()) {
      if (deleted.has(record.source_key)) {
        skipped++;
        continue;
      }
      // If the source has been written again since the import began, the newer head wins.
      const inserted = await tx.first<{ is_head: 0 | 1 }>(sql`insert into document_versions
        (seq, project, id, source_key, is_head, content_hash, version_hash, title, mime_type,
         source_uri, user_id, agent_id, run_id, metadata, size_bytes, chunks, terms,
         chunker_version, chunked_as, created_at)
        values (${first + offset}, ${project}, ${record.id}, ${record.source_key},
         case when ${record.current ? 1 : 0} = 1 and not exists (select 1 from document_versions
           where project = ${project} and source_key = ${record.source_key} and ${IS_HEAD})
           then 1 else 0 end,
         ${record.content_hash}, ${record.version_hash}, ${record.title},
         ${record.mime_type}, ${record.source_uri}, ${record.user_id}, ${record.agent_id},
         ${record.run_id}, ${JSON.stringify(record.metadata)}, ${record.size_bytes}, 0, 0,
         ${CHUNKER_VERSION}, ${record.chunked_as}, ${record.created_at}) returning is_head`);
      sources += inserted!.is_head;
    }
    // Count the content along with the row: replacing or deleting the source subtracts it, even if
    // it hasn't been imported yet.
    await addToTotals(tx, project, { sources, chunks: 0, terms: 0 });
    return skipped;
  },
});

/**
 * Returns the imported version the content belongs to, or undefined if its source was deleted
 * during the import.
 */
function findRestored(db: Reader, project: number, id: string): Promise<VersionRow | undefined> {
  return db.first<VersionRow>(
    sql`select ${COLUMNS} from document_versions where project = ${project} and id = ${id}`,
  );
}

/** Returns the key that ties a version to its content. All parts must match. */
function contentKey(id: string, hash: string, size: number): string {
  return `${id}, ${size} bytes, ${hash}`;
}

function contentsSection({ store, clock }: AppContext, preparer: Preparer) {
  const index = store.index.chunks;
  return snapshotSection<PreparedContent>({
    name: "document_contents",
    schema: contentRecord,
    bytesOf: ({ content }) => content.length,
    async page(db, project, after, count) {
      const { rows, next } = await nextRowBatch<Pick<VersionRow, "seq" | "size_bytes">>(db, {
        table: "document_versions",
        columns: sql`seq, size_bytes`,
        project,
        after,
        count,
        condition: sql`and ${HAS_CONTENT}`,
      });
      let [taken, bytes] = [0, 0];
      while (taken < rows.length && bytes < BATCH_BYTES) bytes += rows[taken++]!.size_bytes;
      const seqs = rows.slice(0, taken).map(({ seq }) => seq);
      const records = await db.all<ContentRecord>(sql`select versions.id, content
        from ${integerRows(seqs)} as wanted
        cross join document_versions as versions on versions.project = ${project}
          and versions.seq = wanted.value
        cross join document_contents as contents on contents.version = versions.seq
        order by wanted.key`);
      return { records, next: taken < rows.length ? [rows[taken - 1]!.seq] : next };
    },
    defines: ({ id, content }) => [{
      kind: "document_content",
      id: contentKey(id, sha256(content), utf8Length(content)),
    }],
    uniqueValues: ({ id }) => ({ id }),
    refersTo: ({ id }) => [{ field: "id", kind: "document", id }],
    prepare: (project, records) =>
      Promise.all(records.map(async (record) => {
        const version = await store.read((db) => findRestored(db, project, record.id));
        if (version === undefined) return record;
        const { title, chunked_as: chunkedAs } = version;
        const document = { project, content: record.content, chunkedAs, title };
        return { ...record, chunks: await preparer.prepare(document) };
      })),
    async insert(tx, project, records) {
      const at = timestamp(clock.now());
      let skipped = 0;
      for (const { id, content, chunks = [] } of records) {
        const version = await findRestored(tx, project, id);
        if (version === undefined) {
          skipped++;
          continue;
        }
        const { terms } = extentOf(chunks);
        await insertContent(tx, project, version.seq, content);
        await tx.run(sql`update document_versions set chunks = ${chunks.length}, terms = ${terms}
          where project = ${project} and seq = ${version.seq}`);
        const tags = versionTags(version);
        const seqs = await insertChunks(tx, project, version.seq, 0, chunks);
        if (version.is_head === 0) continue;
        for (const [position, chunk] of chunks.entries()) {
          const indexed = { seq: seqs[position]!, version: version.seq, position };
          await index.add(tx, project, indexed, chunk, tags);
        }
        await addToTotals(tx, project, { sources: 0, chunks: chunks.length, terms });
        appendJournal(tx, project, { kind: "document", recordId: id, change: "ADD", at });
      }
      return skipped;
    },
  });
}
