/**
 * Serves the derived views (state, beliefs and profile). Defines when they can be read and which
 * claims they're computed from.
 */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { derivedId } from "../kernel/ids.ts";
import { newestFirst } from "../kernel/newest_first.ts";
import { comparable, isSingleValued } from "../inference/vocabulary.ts";
import {
  claimsOfMemories,
  claimsOfPage,
  type ClaimWithMemory,
  type UnclaimedMemory,
  unclaimedOfPage,
} from "../memories/claims/claims.ts";
import { hasNoPendingClaims } from "../memories/claims/pending_texts.ts";
import { scopePages, ScopeReads } from "../memories/scope_pages.ts";
import type { BeliefChain } from "../memories/search/schema.ts";
import type { Reader } from "../store/store.ts";
import { DEFAULT_POLICY } from "./beliefs/policy.ts";
import { evidenceRows } from "./beliefs/evidence_rows.ts";
import { type BeliefView, beliefView, disabledBeliefView } from "./beliefs/view.ts";
import { countChangesAfter, progressOf } from "./repository.ts";
import type { BeliefQuery, StateQuery } from "./schema.ts";
import { slotClaimsWithValidity, withValidity } from "./claim_validity.ts";
import {
  type ProfileItem,
  type ProfileLine,
  profileLines,
  profileOf,
  type ProfileSection,
} from "./profile.ts";
import { isValidAt, stateAt, type StateClaim, stateHistory, type StateRecord } from "./state.ts";

/** How long clients should wait before retrying while the views are being built, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Maximum number of memories without claims in a profile. */
const MAX_UNCLAIMED_MEMORIES = 50;

/** Number of top search results whose slots get a value history. Later ones rarely matter. */
const MAX_CHAINED_MEMORIES = 10;

/** Mode of every belief view. The policy's decision is final. */
const MODE = "enforced" as const;

/** What is known about a scope. */
export interface KnownFacts {
  readonly state: readonly StateRecord[];
  readonly profile: readonly ProfileLine[];
}

/** Service of the derived views. */
export class DerivedService {
  readonly #appContext: AppContext;
  readonly #scopeReads: ScopeReads;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
    this.#scopeReads = new ScopeReads(appContext.store);
  }

  /**
   * Returns a slot's value at `as_of`, which defaults to now, or null if it has no value then.
   *
   * @throws {ApiError} DERIVATION_DISABLED or PROJECTION_NOT_BUILT if the views can't be read
   */
  async state(project: number, query: StateQuery): Promise<StateRecord | null> {
    const at = query.as_of ?? timestamp(this.#appContext.clock.now());
    return stateAt(await this.#history(project, query), at);
  }

  /**
   * Returns all values of a slot, oldest first. With `as_of`, values that begin later are left out.
   *
   * @throws {ApiError} DERIVATION_DISABLED or PROJECTION_NOT_BUILT if the views can't be read
   */
  async stateHistory(project: number, query: StateQuery): Promise<readonly StateRecord[]> {
    const { as_of } = query;
    return (await this.#history(project, query)).filter((record) =>
      as_of === undefined || record.valid_from === null || record.valid_from <= as_of
    );
  }

  /**
   * Returns a slot's belief view. Disabled derivation isn't an error; there are just no beliefs
   * then.
   *
   * @throws {ApiError} PROJECTION_NOT_BUILT if the views are being built
   */
  async belief(project: number, query: BeliefQuery): Promise<BeliefView> {
    const { subject, attribute, applicability_kind: kind, applicability_key } = query;
    const key = kind === "global" ? null : applicability_key ?? null;
    const request = { subject, attribute, applicability: { kind, key }, mode: MODE };
    const at = query.at ?? timestamp(this.#appContext.clock.now());
    return await this.#appContext.store.read(async (db) => {
      const { derivation } = await progressOf(db, project);
      if (derivation === 0) return disabledBeliefView(request);
      await requireBuilt(db, project);
      const slot = { subject_key: comparable(subject), attribute };
      const claims = await slotClaimsWithValidity(db, project, query, slot);
      return beliefView(evidenceRows(claims, comparable), {
        ...request,
        at,
        policy: DEFAULT_POLICY,
        view: query.view,
        allApplicability: query.all_applicability ?? false,
        state: stateAt(stateHistoryOf(claims, project, query), at)?.value ?? null,
        comparable,
        identify: idFactory("belief", project, query),
      });
    });
  }

  /**
   * Returns a scope's profile sections in order, or an empty list if nothing is known.
   *
   * @throws {ApiError} DERIVATION_DISABLED or PROJECTION_NOT_BUILT if the views can't be read
   */
  async profile(project: number, scope: Scope): Promise<readonly ProfileSection[]> {
    const { claimed, unclaimed } = await this.#active(project, scope);
    return profileOf(claimed, unclaimed);
  }

  /**
   * Returns everything known about a scope: its current values, and the lines of its profile.
   *
   * @throws {ApiError} DERIVATION_DISABLED or PROJECTION_NOT_BUILT if the views can't be read
   */
  async known(project: number, scope: Scope): Promise<KnownFacts> {
    const { claimed, unclaimed, state } = await this.#active(project, scope);
    return { state, profile: profileLines(claimed, unclaimed) };
  }

  /**
   * Returns value histories for the slots mentioned by memories, in the order of the memories. Only
   * includes single-valued slots with at least two values. Returns an empty list if there's no
   * scope or the views can't be read.
   */
  async chains(
    project: number,
    scope: Scope,
    memoryIds: readonly string[],
  ): Promise<readonly BeliefChain[]> {
    if (!SCOPE_KEYS.some((key) => scope[key] !== undefined)) return [];
    return await this.#appContext.store.read(async (db) => {
      const mentioned = await claimsOfMemories(
        db,
        project,
        memoryIds.slice(0, MAX_CHAINED_MEMORIES),
      );
      const singleValued = mentioned.filter(({ attribute }) => isSingleValued(attribute));
      if (singleValued.length === 0 || !await isBuilt(db, project)) return [];
      const rank = new Map(memoryIds.map((id, index) => [id, index]));
      singleValued.sort((a, b) => rank.get(a.memory_id)! - rank.get(b.memory_id)!);
      const slots = new Map(
        singleValued.map((claim) => [`${claim.subject_key}\n${claim.attribute}`, claim] as const),
      );
      const chains: BeliefChain[] = [];
      for (const { subject, subject_key, attribute } of slots.values()) {
        const claims = await slotClaimsWithValidity(db, project, scope, {
          subject_key,
          attribute,
        });
        const facts = stateHistoryOf(claims, project, scope).map((
          { value, valid_from, valid_to, source_ids },
        ) => ({ value, valid_from, valid_to, source_ids }));
        if (facts.length > 1) chains.push({ subject, attribute, facts });
      }
      return chains;
    });
  }

  /** Returns how many changes a project's views are behind, or 0 if derivation is disabled. */
  async lag(db: Reader, project: number): Promise<number> {
    const { derivation, position, head } = await progressOf(db, project);
    if (derivation === 0 || head === position) return 0;
    return await countChangesAfter(db, project, position ?? 0);
  }

  /** Returns the active values in a scope, and the memories to show in its profile. */
  #active(project: number, scope: Scope): Promise<
    ActiveItems & { readonly unclaimed: readonly ProfileItem[] }
  > {
    const at = timestamp(this.#appContext.clock.now());
    return this.#scopeReads.read(project, scope, async (db) => {
      await requireBuilt(db, project);
      const claims: ClaimWithMemory[] = [];
      let unclaimed: readonly UnclaimedMemory[] = [];
      for await (const page of scopePages(db, project, scope)) {
        claims.push(...await claimsOfPage(db, page));
        const found = await unclaimedOfPage(db, page, at, MAX_UNCLAIMED_MEMORIES);
        unclaimed = [...unclaimed, ...found].sort(mostImportantFirst)
          .slice(0, MAX_UNCLAIMED_MEMORIES);
      }
      return { ...activeItems(withValidity(claims), at, project, scope), unclaimed };
    });
  }

  #history(project: number, query: StateQuery): Promise<readonly StateRecord[]> {
    return this.#appContext.store.read(async (db) => {
      await requireBuilt(db, project);
      const { subject, attribute } = query;
      const slot = { subject_key: comparable(subject), attribute };
      const claims = await slotClaimsWithValidity(db, project, query, slot);
      return stateHistoryOf(claims, project, query);
    });
  }
}

function mostImportantFirst(a: UnclaimedMemory, b: UnclaimedMemory): number {
  return b.importance - a.importance || newestFirst(a, b);
}

/** The newest memory per active or future value, oldest first, and the active values. */
interface ActiveItems {
  readonly claimed: readonly ProfileItem[];
  readonly state: readonly StateRecord[];
}

/** Returns the active and future values of a scope's claims. */
function activeItems(
  claims: readonly ClaimWithMemory[],
  at: string,
  project: number,
  scope: Scope,
): ActiveItems {
  const items: (ProfileItem & { readonly seq: number })[] = [];
  const state: StateRecord[] = [];
  const numbered = claims.map((claim, seq) => ({ ...claim, seq }));
  const slots = Map.groupBy(numbered, (claim) => `${claim.subject_key}\n${claim.attribute}`);
  for (const slot of slots.values()) {
    const byMemory = new Map(slot.map((claim) => [claim.memory_id, claim]));
    const history = stateHistoryOf(slot, project, scope);
    const active = history.filter((record) => isValidAt(record, at));
    state.push(...active);
    // We include values that begin in the future, since the profile lists them as plans and todos.
    const future = history.filter(({ valid_from }) => valid_from !== null && valid_from > at);
    for (const record of [...active, ...future]) {
      const source = byMemory.get(record.source_ids.at(-1)!);
      if (source !== undefined) items.push({ ...source, id: source.memory_id });
    }
  }
  return { claimed: items.sort((a, b) => a.seq - b.seq), state };
}

/** Returns one slot's state records, computed from its claims. */
function stateHistoryOf(
  claims: readonly ClaimWithMemory[],
  project: number,
  scope: Scope,
): readonly StateRecord[] {
  const [first] = claims;
  if (first === undefined) return [];
  return stateHistory(claims.map(stateClaim), {
    single: isSingleValued(first.attribute),
    comparable,
    identify: idFactory("state", project, scope),
  });
}

function stateClaim({ memory_id, ...claim }: ClaimWithMemory): StateClaim {
  return { ...claim, source_id: memory_id };
}

/**
 * Returns a function that computes ids. The same parts in the same scope and project always result
 * in the same id.
 */
function idFactory(
  prefix: string,
  project: number,
  scope: Scope,
): (parts: readonly string[]) => string {
  const owner = [project, ...SCOPE_KEYS.map((key) => scope[key] ?? null)];
  return (parts) => derivedId(prefix, JSON.stringify([...owner, ...parts]));
}

/** Checks whether the views can be read. */
async function isBuilt(db: Reader, project: number): Promise<boolean> {
  const { derivation, position } = await progressOf(db, project);
  return derivation === 1 && (position !== null || await hasNoPendingClaims(db, project));
}

/**
 * Makes sure that the views can be read.
 *
 * @throws {ApiError} DERIVATION_DISABLED if derivation is disabled for the project
 * @throws {ApiError} PROJECTION_NOT_BUILT if the views are being built
 */
async function requireBuilt(db: Reader, project: number): Promise<void> {
  const { derivation, position } = await progressOf(db, project);
  if (derivation === 0) {
    throw new ApiError("DERIVATION_DISABLED", "Derived views are disabled for this project");
  }
  // Inference writes claims together with its memories. If a project only has inferred ones,
  // there's nothing to build, so its first memory is visible as soon as its event has succeeded.
  if (position === null && !await hasNoPendingClaims(db, project)) {
    throw new ApiError("PROJECTION_NOT_BUILT", "The derived views are being built; retry later", {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}
