/** Writes the memory changes resulting from facts, within the task's unit of work. */

import type { Actor } from "../contract/endpoint.ts";
import type { MemoryClaim } from "../memories/claims/claims.ts";
import type { InferredMemories, InferredMemory } from "../memories/claims/inferred.ts";
import type { WriteResult } from "../memories/schema.ts";
import type { Tx } from "../store/store.ts";
import type { InferPayload } from "../memories/infer_task.ts";
import type { ActiveMemory } from "./comparison.ts";
import type { Claim, ExtractedFact } from "./extractor.ts";
import type { PlanStep } from "./reconcile.ts";
import { comparable } from "./vocabulary.ts";

/** The changes to make and the state they were planned from. */
export interface Plan {
  /** The instant the plan was made for. */
  readonly at: string;
  readonly active: readonly ActiveMemory[];
  readonly steps: readonly PlanStep[];
}

/** The facts to write and the unit of work to write them in. */
export interface WriteContext {
  readonly tx: Tx;
  readonly actor: Actor;
  /** Id of the task. */
  readonly operation: string;
  readonly payload: InferPayload;
  readonly facts: readonly ExtractedFact[];
}

/** Writes a plan and returns a result for each memory added or changed. */
export async function writePlan(
  memories: InferredMemories,
  { tx, actor, operation, payload, facts: extracted }: WriteContext,
  { at, active, steps }: Plan,
): Promise<WriteResult[]> {
  const late = new Set(steps.flatMap((step) => step.kind === "outdated" ? [step.fact] : []));
  const facts = extracted.map((fact, index) =>
    late.has(index) ? validSinceObserved(fact, payload.requested_at) : fact
  );
  const source = { kind: "inference", operation_id: operation } as const;
  const ends = new Map(active.map(({ id, valid_to }) => [id, valid_to]));
  const added = steps.filter(({ kind }) => kind === "add");
  const additions = await memories.add(
    tx,
    actor,
    payload,
    payload.metadata,
    added.map(({ fact }) => toInferredMemory(facts[fact]!)),
    operation,
  );
  /** The memory each fact was written to. */
  const memoryOf = new Map(added.map(({ fact }, index) => [fact, additions[index]!]));

  /** Returns null if the step changes nothing. */
  async function write(step: PlanStep): Promise<WriteResult | null> {
    switch (step.kind) {
      case "drop":
        return null;
      case "add":
        return memoryOf.get(step.fact)!;
      case "update": {
        const inferred = toInferredMemory(facts[step.fact]!);
        const enriched = await memories.enrich(tx, actor, step.id, inferred, operation);
        memoryOf.set(step.fact, enriched);
        return enriched;
      }
      case "outdated": {
        if (step.by === null) return null;
        const { id } = memoryOf.get(step.fact)!;
        const end = clampEnd(facts[step.fact]!, step.valid_to);
        return await memories.invalidate(tx, actor, id, end, step.by, source);
      }
      case "invalidate": {
        const knownEnd = ends.get(step.id);
        // Keep an existing end if it is earlier.
        if (knownEnd && knownEnd <= step.valid_to) return null;
        const by = memoryOf.get(step.fact)!.id;
        const isDated = payload.event_date !== undefined || step.valid_to !== at;
        const end = isDated ? step.valid_to : null;
        return await memories.invalidate(tx, actor, step.id, end, by, source);
      }
    }
  }

  const results: WriteResult[] = [];
  for (const step of steps) {
    const result = await write(step);
    if (result !== null) results.push(result);
  }
  const repeated = steps.flatMap((step) => step.kind === "drop" ? step.id ?? [] : []);
  const observedIds = [...[...memoryOf.values()].map(({ id }) => id), ...repeated];
  await memories.recordObservations(tx, actor, operation, payload.event_date ?? null, observedIds);
  return results;
}

/**
 * Returns a late fact with a start of validity: its own date or the time it was stated, but never
 * the time of writing.
 */
function validSinceObserved(fact: ExtractedFact, observedAt: string): ExtractedFact {
  return { ...fact, valid_from: fact.valid_from ?? fact.event_date ?? observedAt };
}

/** Returns the end of a superseded fact, never before its start. */
function clampEnd({ valid_from, event_date }: ExtractedFact, end: string | null): string | null {
  const start = valid_from ?? event_date;
  return end !== null && start !== null && end < start ? start : end;
}

function toInferredMemory(fact: ExtractedFact): InferredMemory {
  const { claims, sources, ...memory } = fact;
  return {
    ...memory,
    claims: claims.map(toMemoryClaim),
    messages: [...new Set(sources)].sort((a, b) => a - b),
  };
}

/** Converts a claim to its stored form. */
export function toMemoryClaim(claim: Claim): MemoryClaim {
  return { ...claim, subject_key: comparable(claim.subject) };
}
