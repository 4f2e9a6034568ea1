/** The rules of scope entities: live totals of the memories that each scope owns. */

import type { Actor } from "../contract/endpoint.ts";
import type { Foundation } from "../contract/foundation.ts";
import { ApiError } from "../kernel/errors.ts";
import { cutPage, type Page, type PageFields } from "../kernel/page.ts";
import type { MemoryService } from "../memories/service.ts";
import { findTotal, SCOPE_TYPES } from "../memories/totals.ts";
import type { Reader, Tx } from "../store/store.ts";
import { listEntities } from "./repository.ts";
import type { Entity } from "./schema.ts";

/** The service of the entities slice. */
export class EntityService {
  readonly #foundation: Foundation;
  readonly #memories: MemoryService;

  constructor(foundation: Foundation, memories: MemoryService) {
    this.#foundation = foundation;
    this.#memories = memories;
  }

  list(
    project: number,
    type: Entity["type"] | undefined,
    page: PageFields,
  ): Promise<Page<Entity>> {
    return this.#foundation.store.read((db) =>
      cutPage(
        this.#foundation.cursors,
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
