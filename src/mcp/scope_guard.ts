/**
 * Enforces fixed scopes on arguments that identify a record by its id. Records in a different scope
 * are unreachable; the response is the same as for an unknown id.
 */

import type { IngestBody } from "../documents/schema.ts";
import { type DocumentService, newDocument } from "../documents/service.ts";
import type { EventService } from "../events/service.ts";
import type { Precondition } from "../http/execute_endpoint.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import type { MemoryService } from "../memories/service.ts";
import { unknownMemory } from "../memories/writer.ts";
import type { Store } from "../store/store.ts";
import { parseRecordId } from "./research_endpoints.ts";
import { fixedKeys, type FixedScope, isWithin } from "./scopes.ts";
import type { Tool } from "./tool.ts";

/** Services used for looking up records. */
export interface ScopeGuardDeps {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
  readonly events: EventService;
}

/** Parts of a call that can identify a record. */
interface CallParts {
  readonly params: unknown;
  readonly body: unknown;
}

/** Checks records against a connection's fixed scopes. A record's scope never changes. */
export class ScopeGuard {
  readonly #deps: ScopeGuardDeps;

  constructor(deps: ScopeGuardDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the records referred to by a call.
   *
   * @throws ApiError if any of them is outside the fixed scopes
   */
  async check(tool: Tool, project: number, fixed: FixedScope, call: CallParts): Promise<void> {
    if (fixedKeys(fixed).length === 0) return;
    const { id } = (call.params ?? {}) as { readonly id?: string };
    if (tool.idArgument === "memory_id") await this.requireMemory(project, fixed, id!);
    if (tool.idArgument === "document_id") await this.requireDocument(project, fixed, id!);
    if (tool.idArgument === "event_id") await this.#requireEvent(project, fixed, id!);
    if (tool.operationId === "researchFetch") {
      const reference = parseRecordId((call.body as { readonly id: string }).id);
      if (reference.kind === "memory") await this.requireMemory(project, fixed, reference.id);
      else await this.requireDocument(project, fixed, reference.id);
    }
  }

  /**
   * Returns a check that a call needs in its unit of work, or undefined if it needs none: a source
   * key must not be taken in a different scope. Keys are unique within the project, so a new version
   * would replace that source.
   */
  precondition(
    tool: Tool,
    project: number,
    fixed: FixedScope,
    call: CallParts,
  ): Precondition | undefined {
    if (fixedKeys(fixed).length === 0 || tool.operationId !== "ingestDocument") return undefined;
    const { source_key } = newDocument(call.body as IngestBody);
    return async (tx) => {
      const head = await this.#deps.documents.current(tx, project, source_key);
      if (head === undefined || isWithin(fixed, head)) return;
      throw invalidField("source_key", `"${source_key}" is used by a source of another scope`);
    };
  }

  /**
   * Makes sure that a memory is in the fixed scopes. A deleted memory's history can't be read
   * either, because its scope is no longer known.
   *
   * @throws ApiError MEMORY_NOT_FOUND if the memory isn't in the fixed scopes
   */
  async requireMemory(project: number, fixed: FixedScope, id: string): Promise<void> {
    const { store, memories } = this.#deps;
    const memory = await store.read((db) => memories.get(db, project, id));
    if (!isWithin(fixed, memory)) throw unknownMemory(id);
  }

  /**
   * Makes sure that a document is in the fixed scopes.
   *
   * @throws ApiError DOCUMENT_NOT_FOUND if the document isn't in the fixed scopes
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
}
