/** Reports a project's health: its inference engine, its queue and its projection backlog. */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import type { Reader } from "../store/store.ts";
import { DAY_MS, parseTimestamp, timestamp } from "../kernel/clock.ts";
import { countUnread } from "../memories/claims/unread_texts.ts";
import { countTasks, countWarnings, type TaskCounts } from "../tasks/repository.ts";
import { CLIENT_KINDS, TASK_KINDS } from "../tasks/states.ts";
import type { EmbedderStatus } from "../embedding/embedder.ts";
import type { SearchMemory } from "../search/search_memory.ts";
import type { VectorProgress } from "../search/vectors/vector_projection.ts";
import { embedderAdvice } from "./embedder_advice.ts";
import type { Health } from "./schema.ts";

/** Pending work older than this degrades health, in milliseconds. */
const MAX_PENDING_MS = 5 * 60_000;

const INTERNAL_KINDS = TASK_KINDS.filter((kind) =>
  !(CLIENT_KINDS as readonly string[]).includes(kind)
);

/** Dependencies of the health service. */
export interface HealthDeps {
  readonly appContext: AppContext;
  /** Returns the status of the inference engine. */
  readonly engine: () => Health["engine"];
  /** Returns which tagger the builtin engine uses. */
  readonly tagger: () => Health["tagger"];
  /** Null if search only uses words; `projection` is null too then. */
  readonly embedder: { readonly status: EmbedderStatus } | null;
  readonly searchMemory: SearchMemory;
  readonly projection: { progress(project: number): Promise<VectorProgress> } | null;
  /** Returns the processes of the service on one database. Empty if only one is possible. */
  readonly processes: () => Promise<Health["processes"]>;
  /** Returns how many changes a project's derived views are behind. */
  readonly derivedLag: (db: Reader, project: number) => Promise<number>;
}

const NO_EMBEDDER: EmbedderStatus = { model: null, runtime: null, fault: null };

const NO_VECTORS: VectorProgress = { pending: 0, perSecond: null };

/** Service of the health module. */
export class HealthService {
  readonly #deps: HealthDeps;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** Returns the health of a project. */
  async check(project: number): Promise<Health> {
    const { appContext, derivedLag } = this.#deps;
    const now = appContext.clock.now();
    const engine = this.#deps.engine();
    const vectors = await this.#deps.projection?.progress(project) ?? NO_VECTORS;
    const isEmbedded = vectors.pending === 0;
    const embedder = this.#deps.embedder?.status ?? NO_EMBEDDER;
    const processes = await this.#deps.processes();
    return await appContext.store.read(async (db) => {
      const operations = await countTasks(db, project, CLIENT_KINDS);
      const tasks = await countTasks(db, project, INTERNAL_KINDS);
      const warnings = await countWarnings(db, project, timestamp(now - DAY_MS));
      // A disabled webhook counts as a warning until deleted.
      const disabledWebhooks = await db.first<{ n: number }>(sql`select count(*) as n from webhooks
        where project = ${project} and status = 'disabled'`);
      // Running on a fallback still counts as healthy (and is reported). Running without vectors
      // doesn't.
      const hasVectors = embedder.fault === null || embedder.model !== null;
      const healthy = hasVectors && engine.configured && engine.initialized &&
        [operations, tasks].every((counts) => counts.failed === 0 && !isOverdue(counts, now));
      return {
        status: healthy ? "ok" : "degraded",
        checked_at: timestamp(now),
        engine,
        operations,
        tasks: {
          pending: tasks.pending,
          dead: tasks.failed,
          oldest_pending_at: tasks.oldest_pending_at,
        },
        embedder: { ...embedder, advice: await this.#advice(db, project) },
        tagger: this.#deps.tagger(),
        projections: {
          vector_pending: vectors.pending,
          // Like all other numbers here, these are 0 once there is nothing left to do.
          vectors_per_second: isEmbedded ? 0 : roundOrNull(vectors.perSecond),
          vector_seconds_left: isEmbedded
            ? 0
            : roundOrNull(vectors.perSecond && vectors.pending / vectors.perSecond),
          derived_pending: await derivedLag(db, project),
        },
        warnings: { last_24h: warnings + disabledWebhooks!.n },
        unread_texts: await countUnread(db, project),
        processes,
      };
    });
  }

  async #advice(db: Reader, project: number): Promise<string | null> {
    const { embedder, searchMemory } = this.#deps;
    if (embedder === null) return null;
    return await embedderAdvice(db, project, { model: embedder.status.model, searchMemory });
  }
}

function isOverdue(counts: TaskCounts, now: number): boolean {
  const oldest = counts.oldest_pending_at;
  return oldest !== null && now - (parseTimestamp(oldest) ?? now) >= MAX_PENDING_MS;
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : Math.ceil(value);
}
