/** The rules of the derived views: when they can be read, and what they are made of. */

import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { derivedId } from "../kernel/ids.ts";
import { comparable, isSingleValued } from "../inference/vocabulary.ts";
import {
  claimsOfMemories,
  type ClaimWithMemory,
  hasNoPendingClaims,
  unclaimedInScope,
} from "../memories/claims.ts";
import type { BeliefChain } from "../memories/search_schema.ts";
import type { Reader } from "../store/store.ts";
import { DEFAULT_POLICY } from "./beliefs/policy.ts";
import { evidenceRows } from "./beliefs/evidence_rows.ts";
import { type BeliefView, beliefView, disabledBeliefView } from "./beliefs/view.ts";
import { countChangesAfter, progressOf } from "./repository.ts";
import type { BeliefQuery, StateQuery } from "./schema.ts";
import { claimsWithValidity } from "./claim_validity.ts";
import { type ProfileItem, profileOf, type ProfileSection } from "./profile.ts";
import { isValidAt, stateAt, type StateClaim, stateHistory, type StateRecord } from "./state.ts";

/** Seconds after which a build that has begun is worth asking for again. */
const RETRY_AFTER_SECONDS = 1;

/** Memories without claims that a profile shows at most. */
const MAX_UNCLAIMED_MEMORIES = 50;

/** The first results of a search, whose slots are followed: what comes later hardly tells of them. */
const MAX_CHAINED_MEMORIES = 10;

/** What is believed is what is answered: nothing else decides beside it. */
const MODE = "enforced" as const;

/** The service of the derived slice. */
export class DerivedService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** The value of a slot at an instant, now unless said; null when it has none. */
  async state(project: number, query: StateQuery): Promise<StateRecord | null> {
    const at = query.as_of ?? timestamp(this.#appContext.clock.now());
    return stateAt(await this.#history(project, query), at);
  }

  /** Every value that a slot has had, up to an instant if one is given; oldest first. */
  async stateHistory(project: number, query: StateQuery): Promise<readonly StateRecord[]> {
    const { as_of } = query;
    return (await this.#history(project, query)).filter((record) =>
      as_of === undefined || record.valid_from === null || record.valid_from <= as_of
    );
  }

  /** The belief view of a slot. With derivation off it is a normal answer that believes nothing. */
  async belief(project: number, query: BeliefQuery): Promise<BeliefView> {
    const { subject, attribute, applicability_kind: kind, applicability_key } = query;
    const key = kind === "global" ? null : applicability_key ?? null;
    const asked = { subject, attribute, applicability: { kind, key }, mode: MODE };
    const at = query.at ?? timestamp(this.#appContext.clock.now());
    return await this.#appContext.store.read(async (db) => {
      const { derivation } = await progressOf(db, project);
      if (derivation === 0) return disabledBeliefView(asked);
      await requireBuilt(db, project);
      const slot = { subject_key: comparable(subject), attribute };
      const claims = await claimsWithValidity(db, project, query, slot);
      return beliefView(evidenceRows(claims, comparable), {
        ...asked,
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

  /** The profile of a scope: its sections, in their order. Empty when nothing is known. */
  async profile(project: number, scope: Scope): Promise<readonly ProfileSection[]> {
    const at = timestamp(this.#appContext.clock.now());
    return await this.#appContext.store.read(async (db) => {
      await requireBuilt(db, project);
      const claims = await claimsWithValidity(db, project, scope);
      const unclaimed = await unclaimedInScope(db, project, scope, at, MAX_UNCLAIMED_MEMORIES);
      return profileOf([...activeItems(claims, at, project, scope), ...unclaimed]);
    });
  }

  /**
   * The slots that memories speak of and whose single value has changed, in the order of the memories,
   * each with its values, oldest first. Empty without a scope, and while the views can't be read.
   */
  async chains(
    project: number,
    scope: Scope,
    memoryIds: readonly string[],
  ): Promise<readonly BeliefChain[]> {
    if (!SCOPE_KEYS.some((key) => scope[key] !== undefined)) return [];
    return await this.#appContext.store.read(async (db) => {
      const held = await claimsOfMemories(db, project, memoryIds.slice(0, MAX_CHAINED_MEMORIES));
      const single = held.filter(({ attribute }) => isSingleValued(attribute));
      if (single.length === 0 || !await isBuilt(db, project)) return [];
      const place = new Map(memoryIds.map((id, index) => [id, index]));
      single.sort((a, b) => place.get(a.memory_id)! - place.get(b.memory_id)!);
      const slots = new Map(
        single.map((claim) => [`${claim.subject_key}\n${claim.attribute}`, claim] as const),
      );
      const chains: BeliefChain[] = [];
      for (const { subject, subject_key, attribute } of slots.values()) {
        const claims = await claimsWithValidity(db, project, scope, { subject_key, attribute });
        const facts = stateHistoryOf(claims, project, scope).map((
          { value, valid_from, valid_to, source_ids },
        ) => ({ value, valid_from, valid_to, source_ids }));
        if (facts.length > 1) chains.push({ subject, attribute, facts });
      }
      return chains;
    });
  }

  /** Changes that the views of a project still have to follow; none while they are off. */
  async lag(db: Reader, project: number): Promise<number> {
    const { derivation, position, head } = await progressOf(db, project);
    if (derivation === 0 || head === position) return 0;
    return await countChangesAfter(db, project, position ?? 0);
  }

  #history(project: number, query: StateQuery): Promise<readonly StateRecord[]> {
    return this.#appContext.store.read(async (db) => {
      await requireBuilt(db, project);
      const { subject, attribute } = query;
      const slot = { subject_key: comparable(subject), attribute };
      const claims = await claimsWithValidity(db, project, query, slot);
      return stateHistoryOf(claims, project, query);
    });
  }
}

/** The newest memory behind each value that holds at an instant, one a claim, oldest first. */
function activeItems(
  claims: readonly ClaimWithMemory[],
  at: string,
  project: number,
  scope: Scope,
): readonly ProfileItem[] {
  const items: (ProfileItem & { readonly seq: number })[] = [];
  const numbered = claims.map((claim, seq) => ({ ...claim, seq }));
  const slots = Map.groupBy(numbered, (claim) => `${claim.subject_key}\n${claim.attribute}`);
  for (const slot of slots.values()) {
    const byMemory = new Map(slot.map((claim) => [claim.memory_id, claim]));
    const history = stateHistoryOf(slot, project, scope);
    const holding = history.filter((record) => isValidAt(record, at));
    // One that is of the future already has its place among plans and todos.
    const coming = history.filter(({ valid_from }) => valid_from !== null && valid_from > at);
    for (const record of [...holding, ...coming]) {
      const source = byMemory.get(record.source_ids.at(-1)!);
      if (source !== undefined) items.push({ ...source, id: source.memory_id });
    }
  }
  return items.sort((a, b) => a.seq - b.seq);
}

/** The state records of one slot, from its claims. */
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

/** Makes ids that are the same for the same thing in the same scope of the same project. */
export function idFactory(
  prefix: string,
  project: number,
  scope: Scope,
): (parts: readonly string[]) => string {
  const where = [project, ...SCOPE_KEYS.map((key) => scope[key] ?? null)];
  return (parts) => derivedId(prefix, JSON.stringify([...where, ...parts]));
}

/** Whether the views can be read. */
async function isBuilt(db: Reader, project: number): Promise<boolean> {
  const { derivation, position } = await progressOf(db, project);
  return derivation === 1 && (position !== null || await hasNoPendingClaims(db, project));
}

/** @throws ApiError DERIVATION_DISABLED, or PROJECTION_NOT_BUILT while the views are being built */
async function requireBuilt(db: Reader, project: number): Promise<void> {
  const { derivation, position } = await progressOf(db, project);
  if (derivation === 0) {
    throw new ApiError("DERIVATION_DISABLED", "Derived views are switched off for this project");
  }
  // Inference writes its claims with its memories: a project of nothing else has nothing to build, so
  // that the first memory is seen as soon as its event has succeeded.
  if (position === null && !await hasNoPendingClaims(db, project)) {
    throw new ApiError("PROJECTION_NOT_BUILT", "The derived views are being built", {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}
