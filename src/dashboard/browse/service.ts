/** Unscoped lists and links between records, needed for browsing but not by applications. */

import { type Scope, SCOPE_KEYS } from "../../contract/fields.ts";
import type { AppContext } from "../../contract/app_context.ts";
import { findVersion } from "../../documents/repository.ts";
import { showDocument } from "../../documents/row.ts";
import type { EventService } from "../../events/service.ts";
import { timestamp } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../../kernel/http/page.ts";
import { claimsOfMemories } from "../../memories/claims/claims.ts";
import { findMemory } from "../../memories/repository.ts";
import { showMemory } from "../../memories/row.ts";
import type { Memory } from "../../memories/schema.ts";
import { unknownMemory } from "../../memories/writer.ts";
import type { Operation } from "../../operations/schema.ts";
import type { OperationService } from "../../operations/service.ts";
import type { TaskFilter } from "../../tasks/repository.ts";
import { showAsset } from "../../uploads/repository.ts";
import type { SourceAsset } from "../../uploads/schema.ts";
import * as repository from "./repository.ts";
import type { BrowsedOperation, Links, MemoriesQuery, Slot, Version } from "./schema.ts";

/** Maximum number of inference tasks searched for a memory's siblings, newest first. */
const MAX_FOLLOWED_TASKS = 5;

/** Maximum number of siblings returned. */
const MAX_SIBLINGS = 20;

/** Service behind the dashboard's own lists. */
export class BrowseService {
  readonly #appContext: AppContext;
  readonly #events: EventService;
  readonly #operations: OperationService;

  constructor(appContext: AppContext, events: EventService, operations: OperationService) {
    this.#appContext = appContext;
    this.#events = events;
    this.#operations = operations;
  }

  /**
   * Returns a page of memories, newest first. If few of the scanned rows match, the page is short
   * but still has a `next_cursor`.
   */
  async memories(project: number, { limit, cursor, ...query }: MemoriesQuery) {
    const { store, clock, cursors } = this.#appContext;
    const { memory_type = null, validity = null } = query;
    const scope = SCOPE_KEYS.map((key) => query[key] ?? null);
    const list = ["browse by time", project, ...scope, memory_type, validity];
    const after = cursor === undefined ? null : cursors.decode(list, cursor);
    const now = timestamp(clock.now());
    const { rows, next } = await store.read((db) =>
      repository.browseMemories(db, project, query, now, after, limit)
    );
    const page: Page<Memory> = {
      results: rows.map(showMemory),
      next_cursor: next === null ? null : cursors.encode(list, next),
    };
    return page;
  }

  /**
   * Returns where a memory came from and what depends on it.
   *
   * @throws ApiError MEMORY_NOT_FOUND if the memory doesn't exist or was deleted
   */
  async links(project: number, id: string): Promise<Links> {
    const { store } = this.#appContext;
    const { sources, claims, endedBy } = await store.read(async (db) => {
      if (await findMemory(db, project, id) === undefined) throw unknownMemory(id);
      return {
        sources: await repository.listSources(db, project, id),
        claims: await claimsOfMemories(db, project, [id]),
        endedBy: await repository.findSuccessorId(db, project, id),
      };
    });
    const results = await this.#findResults(
      project,
      sources.slice(-MAX_FOLLOWED_TASKS).map(({ operation_id }) => operation_id),
    );
    const others = results.filter((result) => result.id !== id);
    const siblings = [...new Set(others.filter(isAddOrUpdate).map((result) => result.id))];
    const candidates = [...new Set(others.filter(isInvalidation).map((result) => result.id))];
    return await store.read(async (db) => {
      const shown = siblings.slice(0, MAX_SIBLINGS);
      const supersedes: string[] = [];
      for (const candidate of candidates) {
        const by = await repository.findSuccessorId(db, project, candidate);
        if (by === id) supersedes.push(candidate);
      }
      const mentioned = [...shown, ...supersedes, ...(endedBy === null ? [] : [endedBy])];
      const texts = await repository.findTexts(db, project, mentioned);
      const toReference = (id: string) => ({ id, memory: texts.get(id) ?? null });
      return {
        sources: sources.map(({ operation_id, messages }) => ({
          operation_id,
          messages: JSON.parse(messages) as number[],
        })),
        siblings: shown.map(toReference),
        supersedes: supersedes.map(toReference),
        superseded_by: endedBy === null ? null : toReference(endedBy),
        claims: claims.map(({ subject, attribute, value, op }) => ({
          subject,
          attribute,
          value,
          op,
        })),
      };
    });
  }

  /** Returns the subjects and attributes with claims in a scope's memories. */
  async slots(project: number, scope: Scope): Promise<readonly Slot[]> {
    return await this.#appContext.store.read((db) => repository.listSlots(db, project, scope));
  }

  /**
   * Returns all versions from the same source as a given one, newest first.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND if the version doesn't exist
   */
  versions(project: number, id: string, page: PageFields): Promise<Page<Version>> {
    return this.#appContext.store.read(async (db) => {
      const version = await findVersion(db, project, id);
      if (version === undefined) throw new ApiError("DOCUMENT_NOT_FOUND", `No document "${id}"`);
      const { source_key } = version;
      return await paginate(
        this.#appContext.cursors,
        { ...page, list: ["versions", project, source_key] },
        (after: readonly [number] | null, count) =>
          repository.listVersions(db, project, source_key, after?.[0] ?? null, count),
        (row) => [row.seq],
        showVersion,
      );
    });
  }

  /** Returns uploads in every state, newest first. */
  uploads(project: number, page: PageFields): Promise<Page<SourceAsset>> {
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["uploads", project] },
        (after: readonly [string] | null, count) =>
          repository.listUploads(db, project, after?.[0] ?? null, count),
        (row) => [row.id],
        showAsset,
      )
    );
  }

  /** Returns operations with their uploads, newest first. */
  async operations(project: number, filter: TaskFilter, page: PageFields) {
    const { results, next_cursor } = await this.#operations.list(project, filter, page);
    const withUploads: Page<BrowsedOperation> = {
      results: await this.#addUploads(project, results),
      next_cursor,
    };
    return withUploads;
  }

  /**
   * Returns an operation with its upload, and without exported records, which can take up many
   * megabytes.
   *
   * @throws ApiError OPERATION_NOT_FOUND if the project has no such operation
   */
  async operation(project: number, id: string): Promise<BrowsedOperation> {
    const operation = await this.#operations.get(project, id);
    return (await this.#addUploads(project, [operation]))[0]!;
  }

  async #addUploads(
    project: number,
    operations: readonly Operation[],
  ): Promise<BrowsedOperation[]> {
    const ids = operations.map(({ id }) => id);
    const rows = await this.#appContext.store.read((db) =>
      repository.findUploads(db, project, ids)
    );
    const uploads = new Map(rows.map(({ operation_id, ...upload }) => [operation_id, upload]));
    return operations.map((operation) => ({
      ...operation,
      upload: uploads.get(operation.id) ?? null,
    }));
  }

  /** Returns what inference tasks wrote. Tasks that no longer exist are skipped. */
  async #findResults(project: number, operations: readonly string[]) {
    const results = [];
    for (const operation of operations) {
      try {
        results.push(...(await this.#events.get(project, operation)).results);
      } catch (error) {
        // After an import, tasks still belong to the exported project, so we can't find them here.
        if (!(error instanceof ApiError) || error.code !== "EVENT_NOT_FOUND") throw error;
      }
    }
    return results;
  }
}

function isAddOrUpdate({ event }: { readonly event: string }): boolean {
  return event === "ADD" || event === "UPDATE";
}

function isInvalidation({ event }: { readonly event: string }): boolean {
  return event === "INVALIDATE";
}

function showVersion(row: repository.VersionWithFile): Version {
  const { filename, file_type, file_bytes } = row;
  const hasFile = filename !== null && file_type !== null && file_bytes !== null;
  return {
    document: showDocument(row),
    current: row.is_head === 1,
    chunks: row.chunks,
    file: hasFile
      ? {
        filename,
        content_type: file_type,
        size_bytes: file_bytes,
        page_count: row.page_count,
        extractor: row.extractor,
      }
      : null,
  };
}
