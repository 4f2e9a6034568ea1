/**
 * Enforces fixed scopes for arguments that name a record by its id. A record of another scope can't
 * be reached by id and gets the same response as an unknown id.
 */

import type { IngestBody } from "../documents/schema.ts";
import { type DocumentService, newDocument } from "../documents/service.ts";
import type { EventService } from "../events/service.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import type { MemoryService } from "../memories/service.ts";
import { unknownMemory } from "../memories/writer.ts";
import type { Store } from "../store/store.ts";
import { fixedKeys, type FixedScope, isWithin } from "./scopes.ts";
import type { Tool } from "./tool.ts";

/** Services that look up the records. */
export interface ScopeGuardDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
}

/** The parts of a call that can name a record. */
interface CallParts {
  readonly params: unknown;
  readonly body: unknown;
}

/** Checks records against the fixed scopes of a connection. The scope of a record never changes. */
export class ScopeGuard {
  readonly #deps: ScopeGuardDeps;

  constructor(deps: ScopeGuardDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the records that a call names.
   *
   * @throws ApiError if one of them is outside of the fixed scopes
   */
  async check(tool: Tool, project: number, fixed: FixedScope, call: CallParts): Promise<void> {
    if (fixedKeys(fixed).length === 0) return;
    const { id } = (call.params ?? {}) as { readonly id?: string };
    if (tool.idArgument === "memory_id") await this.requireMemory(project, fixed, id!);
    if (tool.idArgument === "document_id") await this.requireDocument(project, fixed, id!);
    if (tool.idArgument === "event_id") await this.#requireEvent(project, fixed, id!);
    if (tool.operationId === "ingestDocument") {
      await this.#checkSourceKey(project, fixed, newDocument(call.body as IngestBody).source_key);
    }
  }

  /**
   * Checks that a memory is in the fixed scopes. The history of a deleted memory is refused too,
   * because its scope is no longer known.
   *
   * @throws ApiError MEMORY_NOT_FOUND if it isn't
   */
  async requireMemory(project: number, fixed: FixedScope, id: string): Promise<void> {
    const { store, memories } = this.#deps;
    const memory = await store.read((db) => memories.get(db, project, id));
    if (!isWithin(fixed, memory)) throw unknownMemory(id);
  }

  /**
   * Checks that a document is in the fixed scopes.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND if it isn't
   */
  async requireDocument(project: number, fixed: FixedScope, id: string): Promise<void> {
    const document = await this.#deps.documents.get(project, id);
    if (!isWithin(fixed, document)) {
      throw new ApiError("DOCUMENT_NOT_FOUND", `No document "${id}"`);
    }
  }

  async #requireEvent(project: number, fixed: FixedScope, id: string): Promise<void> {
    const { scope } = await this.#deps.events.get(project, id);
    if (!isWithin(fixed, scope)) throw new ApiError("EVENT_NOT_FOUND", `No event "${id}"`);
  }

  /**
   * Checks that a source key isn't used by a source of another scope. It identifies one source of
   * the project, so a new version would replace that source.
   */
  async #checkSourceKey(project: number, fixed: FixedScope, source_key: string): Promise<void> {
    const page = { limit: 1, cursor: undefined };
    const { results: [head] } = await this.#deps.documents.list(project, { source_key }, page);
    if (head === undefined || isWithin(fixed, head)) return;
    throw invalidField("source_key", `"${source_key}" is used by a source of another scope`);
  }
}
