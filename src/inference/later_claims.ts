/** Decides whether a late fact was already superseded by statements made after it. */

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

/** How later statements limit a fact's validity. */
export interface Supersession {
  /** The memory that replaces or ends the fact, or null if the fact is merely contradicted. */
  readonly by: string | null;
  readonly valid_to: string | null;
}

interface LaterClaim {
  readonly memory: ActiveMemory;
  readonly later: ComparedClaim;
}

/** Claims from memories stated after the facts, keyed by slot. There are almost never any. */
export class LaterClaims {
  readonly #slots = new Map<string, LaterClaim[]>();

  constructor(active: readonly Comparand<ActiveMemory>[]) {
    for (const { item: memory, claims } of active) {
      if (!memory.observed_later) continue;
      for (const later of claims) {
        const list = this.#slots.get(later.slot);
        if (list) list.push({ memory, later });
        else this.#slots.set(later.slot, [{ memory, later }]);
      }
    }
  }

  /**
   * Returns a fact's supersession, or null if no later statement affects it. Current values are the
   * same as if the fact had been processed in time.
   *
   * A fact between two statements of another value ends where it begins, i.e. it counts as
   * contradicted. The other value has a single memory, whose validity has no gap. If the fact lasted
   * until the second statement, it would end that memory in the state view, and nothing would be
   * current afterwards.
   */
  findSupersession({ item: fact, claims }: Comparand<ExtractedFact>): Supersession | null {
    if (this.#slots.size === 0) return null;
    let found: Supersession | null = null;
    for (const own of claims) {
      for (const { memory, later } of this.#claimsAbout(own)) {
        const ends = later.claim.op === "end";
        let valid_to: string | null = null;
        if (own.claim.op === "assert" && closes(later, own)) {
          const times = { ...memory, valid_to: null };
          const statedAt = memory.event_date ?? memory.created_at;
          valid_to = closingTime(times, fact, statedAt, ends);
          if (fact.valid_to !== null && valid_to !== null && fact.valid_to <= valid_to) continue;
        } else if (!ends && closes(own, later)) {
          // The fact ends a value reported again by a later statement.
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
    const sameSlot = this.#slots.get(slot) ?? [];
    if (attribute !== "spouse") return sameSlot;
    // A divorce ends the marriage to any spouse.
    const status = slotKey({ subject, attribute: "marital_status" });
    return [...sameSlot, ...this.#slots.get(status) ?? []];
  }
}
