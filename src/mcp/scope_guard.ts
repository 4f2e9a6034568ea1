/**
 * What fixed scopes keep out where no argument names a scope: a record of another scope can't be
 * reached by its id either, and answers exactly as one that isn't there.
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

/** What the fence looks records up with. */
export interface ScopeGuardDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
}

/** The parts of a call that name a record. */
interface CallParts {
  readonly params: unknown;
  readonly body: unknown;
}

/** Holds records against the fixed scopes of a connection. The scope of a record never changes. */
export class ScopeGuard {
  readonly #deps: ScopeGuardDeps;

  constructor(deps: ScopeGuardDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError when a call would reach a record outside of the fixed scopes */
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
   * The history of a deleted memory is kept out too: nothing tells its scope any more.
   *
   * @throws ApiError MEMORY_NOT_FOUND
   */
  async requireMemory(project: number, fixed: FixedScope, id: string): Promise<void> {
    const { store, memories } = this.#deps;
    const memory = await store.read((db) => memories.get(db, project, id));
    if (!isWithin(fixed, memory)) throw unknownMemory(id);
  }

  /** @throws ApiError DOCUMENT_NOT_FOUND */
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

  /** A source key stands for one source of the project: a new version would replace another's. */
  async #checkSourceKey(project: number, fixed: FixedScope, source_key: string): Promise<void> {
    const page = { limit: 1, cursor: undefined };
    const { results: [head] } = await this.#deps.documents.list(project, { source_key }, page);
    if (head === undefined || isWithin(fixed, head)) return;
    throw invalidField("source_key", `"${source_key}" is taken outside of this connection's scope`);
  }
}
