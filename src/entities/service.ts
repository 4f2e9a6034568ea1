/** Scope entities: current memory totals for each scope. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/http/page.ts";
import type { MemoryService } from "../memories/service.ts";
import { findTotal, SCOPE_TYPES } from "../memories/scope_counters.ts";
import type { Reader, Tx } from "../store/store.ts";
import { entitiesAt, listEntities } from "./repository.ts";
import type { Entity } from "./schema.ts";

/** Service of the entities module. */
export class EntityService {
  readonly #appContext: AppContext;
  readonly #memories: MemoryService;

  constructor(appContext: AppContext, memories: MemoryService) {
    this.#appContext = appContext;
    this.#memories = memories;
  }

  /** Returns a page of entities, newest first. */
  list(
    project: number,
    type: Entity["type"] | undefined,
    page: PageFields,
  ): Promise<Page<Entity>> {
    return this.#appContext.store.read((db) =>
      paginate(
        this.#appContext.cursors,
        { ...page, list: ["entities", project, type ?? null] },
        (after, count) => listEntities(db, project, type, after, count),
        (entity) => [entity.created_at, entity.type, entity.id],
        (entity) => entity,
      )
    );
  }

  /** Returns a page of entities by its offset, newest first, with the number of all entities. */
  pageAt(
    project: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly results: readonly Entity[]; readonly count: number }> {
    return this.#appContext.store.read((db) => entitiesAt(db, project, page));
  }

  /**
   * Returns a single entity.
   *
   * @throws ApiError SCOPE_ENTITY_NOT_FOUND if the scope has no memories
   */
  async get(db: Reader, project: number, type: Entity["type"], id: string): Promise<Entity> {
    const total = await findTotal(db, project, type, id);
    if (total === undefined) {
      throw new ApiError("SCOPE_ENTITY_NOT_FOUND", `No ${type} "${id}" with memories`);
    }
    return total;
  }

  /**
   * Deletes every memory in a scope and returns the number deleted.
   *
   * @throws ApiError SCOPE_ENTITY_NOT_FOUND if the scope has no memories
   * @throws ApiError ENTITY_REMOVAL_TOO_LARGE if there are too many memories
   */
  async remove(tx: Tx, actor: Actor, type: Entity["type"], id: string): Promise<number> {
    await this.get(tx, actor.project, type, id);
    const scope = { [SCOPE_TYPES[type]]: id };
    return await this.#memories.deleteScope(tx, actor, scope, "entity_delete");
  }
}
