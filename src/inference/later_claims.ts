/** What was told after a fact that comes late, and what that makes of the fact. */

import {
  type ActiveMemory,
  closes,
  closingTime,
  type Comparand,
  type ComparedClaim,
  validityStart,
} from "./comparison.ts";
import type { ExtractedFact } from "./extractor.ts";
import { slotKey } from "./vocabulary.ts";

/** What has become of a fact since it was told. */
export interface Supersession {
  /** The memory that takes its place, or ends it; null when it is only contradicted. */
  readonly by: string | null;
  readonly valid_to: string | null;
}

interface LaterClaim {
  readonly memory: ActiveMemory;
  readonly held: ComparedClaim;
}

/** The claims that were told after the facts, by slot. Nearly always there are none. */
export class LaterClaims {
  readonly #slots = new Map<string, LaterClaim[]>();

  constructor(active: readonly Comparand<ActiveMemory>[]) {
    for (const { item: memory, claims } of active) {
      if (!memory.observed_later) continue;
      for (const held of claims) {
        const list = this.#slots.get(held.slot);
        if (list) list.push({ memory, held });
        else this.#slots.set(held.slot, [{ memory, held }]);
      }
    }
  }

  /** Where the fact would be, had it come in time; null when nothing told later is about it. */
  findSupersession({ item: fact, claims }: Comparand<ExtractedFact>): Supersession | null {
    if (this.#slots.size === 0) return null;
    let found: Supersession | null = null;
    for (const own of claims) {
      for (const { memory, held } of this.#claimsAbout(own)) {
        const ends = held.claim.op === "end";
        let valid_to: string | null = null;
        if (own.claim.op === "assert" && closes(held, own)) {
          const times = { ...memory, valid_to: null };
          const told = memory.event_date ?? memory.created_at;
          valid_to = closingTime(times, fact, told, ends);
          if (fact.valid_to !== null && valid_to !== null && fact.valid_to <= valid_to) continue;
        } else if (!ends && closes(own, held)) {
          // What has ended by the fact holds again.
          if (own.claim.op === "end") valid_to = validityStart(memory, memory.created_at);
          else found ??= { by: null, valid_to: null };
        }
        if (valid_to === null || found?.valid_to && found.valid_to <= valid_to) continue;
        found = { by: memory.id, valid_to };
      }
    }
    return found;
  }

  #claimsAbout({ slot, claim: { subject, attribute } }: ComparedClaim): readonly LaterClaim[] {
    const same = this.#slots.get(slot) ?? [];
    if (attribute !== "spouse") return same;
    // A divorce ends the marriage to whoever it was.
    const status = slotKey({ subject, attribute: "marital_status" });
    return [...same, ...this.#slots.get(status) ?? []];
  }
}
