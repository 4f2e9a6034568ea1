/** The document service. Decides what counts as a new version and makes it its source's head. */

import type { Actor } from "../contract/endpoint.ts";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import { recordDeletion } from "../store/import_guard.ts";
import { appendJournal } from "../store/journal.ts";
import type { Reader, Tx } from "../store/store.ts";
import { HeadWriter } from "./head_writer.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { Preparer } from "./preparer.ts";
import {
  addToTotals,
  findContent,
  findHead,
  findVersion,
  listChunks,
  listHeads,
  listHeadsBetween,
} from "./repository.ts";
import { VersionGc } from "./version_gc.ts";
import {
  showChunk,
  showDocument,
  versionHash,
  type VersionIdentity,
  type VersionRow,
} from "./row.ts";
import type { ChunkBatchQueue } from "./chunk_batch_queue.ts";
import { needsStaging, type StagedVersion, StagedVersionWriter } from "./staging.ts";
import type {
  ContentResponse,
  DeleteResponse,
  Document,
  DocumentChunk,
  IngestBody,
  IngestResponse,
} from "./schema.ts";

/** A document to store, with all defaults applied. */
export interface NewDocument extends VersionIdentity {
  readonly content: string;
  /**
   * The media type whose structure determines where to cut the content. Differs from `mime_type`
   * for extracted text.
   */
  readonly chunkedAs: string;
  readonly version_hash: string;
  /** When the version was created in the system that it's imported from. Defaults to now. */
  readonly createdAt?: string;
}

/** A new document with its chunks. */
export interface PreparedDocument extends NewDocument {
  /**
   * The chunks. Null if they're staged, or if the document equals the head and doesn't need any.
   */
  readonly chunks: readonly PreparedChunk[] | null;
  /** The staged version, if the document is large and differs from the head. */
  readonly staged: StagedVersion | null;
}

/** Applies the defaults to an ingest request. */
export function newDocument(body: IngestBody, chunkedAs = body.mime_type): NewDocument {
  const content_hash = sha256(body.content);
  const source_key = body.source_key ?? body.title ?? `text-${content_hash.slice(0, 16)}`;
  const identity: VersionIdentity = {
    source_key,
    content_hash,
    title: body.title ?? source_key,
    mime_type: body.mime_type,
    source_uri: body.source_uri ?? null,
    user_id: body.user_id ?? null,
    agent_id: body.agent_id ?? null,
    run_id: body.run_id ?? null,
    metadata: body.metadata ?? {},
  };
  return {
    ...identity,
    version_hash: versionHash(identity),
    content: body.content,
    chunkedAs,
  };
}

/**
 * Checks whether a document equals the head. Never true for a head without chunks: its content
 * hasn't been restored by an import yet.
 */
function isUnchanged(head: VersionRow | undefined, document: NewDocument): head is VersionRow {
  return head?.version_hash === document.version_hash && head.chunks > 0;
}

/** Deletes data that belongs to documents, e.g. the uploads they were extracted from. */
export interface DeletionListener {
  /** Called in the unit of work that deletes versions. */
  onDelete(tx: Tx, project: number, documentIds: readonly string[]): Promise<void>;
  /** Resolves once everything that belonged to deleted documents is gone. */
  cleanUp(): Promise<void>;
}

/** The document service. Methods that take a `tx` run as part of that unit of work. */
export class DocumentService {
  readonly #appContext: AppContext;
  readonly #preparer: Preparer;
  readonly #gc: VersionGc;
  readonly #heads: HeadWriter;
  readonly #stagedWriter: StagedVersionWriter;
  readonly #batches: ChunkBatchQueue;
  readonly #deletionListeners: DeletionListener[] = [];

  constructor(appContext: AppContext, preparer: Preparer, batches: ChunkBatchQueue) {
    this.#appContext = appContext;
    this.#preparer = preparer;
    this.#batches = batches;
    this.#gc = new VersionGc(appContext.store, batches);
    this.#heads = new HeadWriter(appContext, this.#gc);
    this.#stagedWriter = new StagedVersionWriter(this.#gc, batches);
  }

  /** Registers a listener for deletions. */
  addDeletionListener(listener: DeletionListener): void {
    this.#deletionListeners.push(listener);
  }

  /**
   * Does the slow part outside the unit of work: cuts and tokenizes the document, and stages a
   * large version. No-op if the document equals the head. The caller must call `ingest` next, and
   * `dispose` in any case.
   */
  async prepare(project: number, document: NewDocument): Promise<PreparedDocument> {
    const head = await this.#appContext.store.read((db) =>
      findHead(db, project, document.source_key)
    );
    if (isUnchanged(head, document)) {
      return { ...document, chunks: null, staged: null };
    }
    if (!needsStaging(document)) {
      return {
        ...document,
        chunks: await this.#preparer.prepare({ ...document, project }),
        staged: null,
      };
    }
    const batches = this.#preparer.batches({ ...document, project });
    return {
      ...document,
      chunks: null,
      staged: await this.#stagedWriter.stage(project, document, batches),
    };
  }

  /** Makes a version the head of its source, unless it equals the current head. */
  async ingest(tx: Tx, actor: Actor, document: PreparedDocument): Promise<IngestResponse> {
    const head = await findHead(tx, actor.project, document.source_key);
    if (isUnchanged(head, document)) {
      return { document: showDocument(head), chunks: head.chunks, created: false };
    }
    const row = await this.#heads.replace(tx, actor.project, head, document);
    this.#record(tx, actor.project, row.id, "ADD", this.#now());
    return {
      document: showDocument(row),
      chunks: row.chunks,
      created: true,
    };
  }

  /**
   * Releases a prepared document, after or instead of `ingest`. A staged version that hasn't become
   * the head is collected.
   */
  dispose({ staged }: PreparedDocument): void {
    if (staged !== null) this.#gc.unpin(staged.version);
    else this.#batches.recordSegment();
  }

  /**
   * Returns a version.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND
   */
  get(project: number, id: string): Promise<Document> {
    return this.#appContext.store.read(async (db) =>
      showDocument(await this.#find(db, project, id))
    );
  }

  /** Returns a source's current version, or undefined if there is none. */
  async current(db: Reader, project: number, sourceKey: string): Promise<Document | undefined> {
    const head = await findHead(db, project, sourceKey);
    return head === undefined ? undefined : showDocument(head);
  }

  /**
   * Returns some of the current versions of the sources between two keys, by the bytes of the keys
   * and in their order. Empty after the last one.
   */
  async currentBetween(
    db: Reader,
    project: number,
    after: string,
    before: string,
  ): Promise<Document[]> {
    return (await listHeadsBetween(db, project, after, before)).map(showDocument);
  }

  /**
   * Returns the content of a version.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND
   */
  content(project: number, id: string): Promise<ContentResponse> {
    return this.#appContext.store.read(async (db) => {
      const { seq, content_hash } = await this.#find(db, project, id);
      return { id, content: await findContent(db, project, seq), content_hash };
    });
  }

  /**
   * Returns the chunks of any version, in order.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND
   */
  chunks(project: number, id: string, page: PageFields): Promise<Page<DocumentChunk>> {
    return this.#appContext.store.read(async (db) => {
      const version = await this.#find(db, project, id);
      return await paginate(
        this.#appContext.cursors,
        { ...page, list: ["chunks", project, id] },
        (after, count) =>
          listChunks(db, project, version.seq, after === null ? 0 : Number(after[0]) + 1, count),
        (row) => [row.position],
        (row) => showChunk(version, row),
      );
    });
  }

  /** Returns the current versions, newest first. */
  list(
    project: number,
    filter: Scope & { readonly source_key?: string | undefined },
    page: PageFields,
  ): Promise<Page<Document>> {
    const keys = [...SCOPE_KEYS, "source_key" as const];
    const list = ["documents by time", project, ...keys.map((key) => filter[key] ?? null)];
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list },
        (after: readonly [string, string] | null, count) =>
          listHeads(db, project, filter, after, count),
        (row) => [row.created_at, row.id],
        showDocument,
      )
    );
  }

  /**
   * Deletes a version's source along with all of its versions. Readers stop seeing them right away.
   * `collectDeleted` then removes their content, chunks and terms.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND
   */
  async delete(tx: Tx, actor: Actor, id: string): Promise<DeleteResponse> {
    const { source_key } = await this.#find(tx, actor.project, id);
    const versions = await this.#gc.deleteSource(tx, actor.project, source_key);
    await recordDeletion(tx, actor.project, "source", source_key);
    // Imported sources don't necessarily have a current version.
    const head = versions.find((version) => version.is_head === 1);
    if (head !== undefined) {
      const { chunks, terms } = head;
      await addToTotals(tx, actor.project, { sources: -1, chunks: -chunks, terms: -terms });
    }
    const at = this.#now();
    for (const version of versions) {
      this.#record(tx, actor.project, version.id, "DELETE", at);
    }
    const ids = versions.map((version) => version.id);
    for (const listener of this.#deletionListeners) {
      await listener.onDelete(tx, actor.project, ids);
    }
    const chunks = versions.reduce((sum, version) => sum + version.chunks, 0);
    return { id, deleted: true, versions: versions.length, chunks };
  }

  /** Collects everything superseded, deleted or abandoned before the call. */
  collectGarbage(): Promise<void> {
    return this.#cleanUpAnd(() => this.#gc.collect());
  }

  /** Collects versions, and compacts the index unless it's large. */
  collectDeleted(): Promise<void> {
    return this.#cleanUpAnd(() => this.#gc.collectDeleted());
  }

  /** Collects versions, and compacts the index even if it's large. Call this every few seconds. */
  runGcRound(): Promise<void> {
    return this.#cleanUpAnd(() => this.#gc.runRound());
  }

  /** Makes the next round look for what processes that are gone have left to collect. */
  checkLeftovers(): void {
    this.#gc.checkLeftovers();
  }

  /** Collects and compacts before the process stops, within a limited time. */
  stopGc(): Promise<void> {
    return this.#cleanUpAnd(() => this.#gc.stop());
  }

  /** Runs `collect` even if a listener fails, e.g. because one file can't be deleted. */
  async #cleanUpAnd(collect: () => Promise<void>): Promise<void> {
    try {
      for (const listener of this.#deletionListeners) await listener.cleanUp();
    } finally {
      await collect();
    }
  }

  #now(): string {
    return timestamp(this.#appContext.clock.now());
  }

  #record(tx: Tx, project: number, recordId: string, change: string, at: string) {
    appendJournal(tx, project, { kind: "document", recordId, change, at });
  }

  async #find(db: Reader, project: number, id: string): Promise<VersionRow> {
    const row = await findVersion(db, project, id);
    if (row === undefined) throw new ApiError("DOCUMENT_NOT_FOUND", `No document "${id}"`);
    return row;
  }
}
