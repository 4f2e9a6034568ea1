/** Writes versions as the heads of their sources. */

import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { utf8Length } from "../kernel/text.ts";
import type { Tx } from "../store/store.ts";
import { CHUNKER_VERSION } from "./chunking/chunk.ts";
import { prepareChunks } from "./prepare.ts";
import { addToTotals, insertChunks, insertContent, insertHead, unsetHead } from "./repository.ts";
import { type VersionRow, versionTags } from "./row.ts";
import type { NewDocument, PreparedDocument } from "./service.ts";
import { type Extent, extentOf } from "./staging.ts";
import type { VersionGc } from "./version_gc.ts";

/** Replaces heads, and keeps the totals of their project. */
export class HeadWriter {
  readonly #appContext: AppContext;
  readonly #gc: VersionGc;

  constructor(appContext: AppContext, gc: VersionGc) {
    this.#appContext = appContext;
    this.#gc = gc;
  }

  /** Makes a document the head of its source, instead of the current one if there is one. */
  async replace(
    tx: Tx,
    project: number,
    head: VersionRow | undefined,
    document: PreparedDocument,
  ): Promise<VersionRow> {
    if (head !== undefined) await this.#supersede(tx, project, head);
    const row = await this.#write(tx, project, document);
    const sources = head === undefined ? 1 : 0;
    await addToTotals(tx, project, { sources, chunks: row.chunks, terms: row.terms });
    return row;
  }

  async #supersede(tx: Tx, project: number, head: VersionRow): Promise<void> {
    await unsetHead(tx, project, head.seq);
    await this.#gc.supersede(tx, project, head);
    await addToTotals(tx, project, { sources: 0, chunks: -head.chunks, terms: -head.terms });
  }

  /** Inserts a version as the head, with its content and chunks unless they're staged. */
  async #write(tx: Tx, project: number, document: PreparedDocument): Promise<VersionRow> {
    const { staged, content } = document;
    if (staged !== null && await this.#gc.adopt(tx, project, staged)) {
      const row = this.#versionRow(document, staged);
      return { ...row, seq: await insertHead(tx, project, row, staged.version), is_head: 1 };
    }
    // There are no chunks if the head has moved since we compared it, or if the staged version was
    // collected. Neither happens often, so we just prepare the document here.
    const chunks = document.chunks ?? prepareChunks({ ...document, project });
    const row = this.#versionRow(document, extentOf(chunks));
    const version = await insertHead(tx, project, row, null);
    await insertContent(tx, project, version, content);
    const tags = versionTags(row);
    const seqs = await insertChunks(tx, project, version, 0, chunks);
    const index = this.#appContext.store.index.chunks;
    for (const [position, chunk] of chunks.entries()) {
      await index.add(tx, project, { seq: seqs[position]!, version, position }, chunk, tags);
    }
    return { ...row, seq: version, is_head: 1 };
  }

  #versionRow(
    document: NewDocument,
    { chunks, terms }: Extent,
  ): Omit<VersionRow, "seq" | "is_head"> {
    const { content, chunkedAs, metadata, ...identity } = document;
    const { ids, clock } = this.#appContext;
    return {
      id: ids.next("doc"),
      source_key: identity.source_key,
      content_hash: identity.content_hash,
      version_hash: identity.version_hash,
      title: identity.title,
      mime_type: identity.mime_type,
      source_uri: identity.source_uri,
      user_id: identity.user_id,
      agent_id: identity.agent_id,
      run_id: identity.run_id,
      metadata: JSON.stringify(metadata),
      size_bytes: utf8Length(content),
      chunks,
      terms,
      chunker_version: CHUNKER_VERSION,
      chunked_as: chunkedAs,
      created_at: document.createdAt ?? timestamp(clock.now()),
    };
  }
}
