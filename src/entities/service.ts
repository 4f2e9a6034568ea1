/** The rules of scope entities: live totals of the memories that each scope owns. */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Page, type PageFields, paginate } from "../kernel/page.ts";
import type { MemoryService } from "../memories/service.ts";
import { findTotal, SCOPE_TYPES } from "../memories/scope_counters.ts";
import type { Reader, Tx } from "../store/store.ts";
import { listEntities } from "./repository.ts";
import type { Entity } from "./schema.ts";

/** The service of the entities slice. */
export class EntityService {
  readonly #appContext: AppContext;
  readonly #memories: MemoryService;

  constructor(appContext: AppContext, memories: MemoryService) {
    this.#appContext = appContext;
    this.#memories = memories;
  }

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

  /** @throws ApiError SCOPE_ENTITY_NOT_FOUND when the scope owns no memory */
  async get(db: Reader, project: number, type: Entity["type"], id: string): Promise<Entity> {
    const total = await findTotal(db, project, type, id);
    if (total === undefined) {
      throw new ApiError("SCOPE_ENTITY_NOT_FOUND", `No ${type} "${id}" with memories`);
    }
    return total;
  }

  /**
   * Removes every memory of one scope and answers how many those were.
   *
   * @throws ApiError SCOPE_ENTITY_NOT_FOUND, or ENTITY_REMOVAL_TOO_LARGE
   */
  async remove(tx: Tx, actor: Actor, type: Entity["type"], id: string): Promise<number> {
    await this.get(tx, actor.project, type, id);
    const scope = { [SCOPE_TYPES[type]]: id };
    return await this.#memories.deleteScope(tx, actor, scope, "entity_delete");
  }
}
