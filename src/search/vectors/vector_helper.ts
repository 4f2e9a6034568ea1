/**
 * Embeds part of a backlog in a process that doesn't lead. The leader follows the journal from its
 * position, embeds all texts without a vector, and decides about models (`vector_projection.ts`).
 * The other processes work towards it from the end of the journal, in parts of it that each of them
 * claims. So they meet the leader once, at the end of the backlog.
 *
 * Nothing depends on a claim: the leader pays no attention to it, and a vector has the same value
 * whichever process stores it first. A claim only saves embedding a text twice.
 */

import { describeError, type Log } from "../../kernel/log.ts";
import type { Timers } from "../../kernel/timers.ts";
import type { Membership } from "../../store/membership.ts";
import type { Store } from "../../store/store.ts";
import type { CurrentEmbedder } from "./current_embedder.ts";
import {
  type BatchLimits,
  journalEnd,
  listModels,
  type ModelRow,
  type UnembeddedText,
} from "./vector_store.ts";
import { BATCH_LIMITS, type VectorWriter } from "./vector_writer.ts";
import { WriteBurst } from "./write_burst.ts";

/** Number of journal entries in a part that one process claims. A batch, if they are memories. */
const PART_ENTRIES = BATCH_LIMITS.entries;

/** What the leader may be embedding now or next: its present batch and the one after it. */
const LEADER_LIMITS = { entries: 2 * BATCH_LIMITS.entries, texts: 2 * BATCH_LIMITS.texts } as const;

/** How often to look for a backlog, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** Maximum delay after a failure. The delay doubles with each one. */
const MAX_RETRY_DELAY_MS = 60_000;

/** Dependencies of the helper. */
export interface VectorHelperDeps {
  readonly store: Store;
  readonly embedder: CurrentEmbedder;
  readonly timers: Timers;
  readonly writer: VectorWriter;
  readonly membership: Pick<Membership, "claim">;
  /** Replaces the embedder if another one has been chosen. */
  readonly replaceEmbedder: () => Promise<unknown>;
  /** Whether this process leads, so that it embeds everything that is left anyway. */
  readonly isLeading: () => boolean;
}

/** Texts of one part of the journal. */
interface PartTexts {
  readonly texts: readonly UnembeddedText[];
  /** Whether the part has no other texts to embed, now or later. */
  readonly isWhole: boolean;
}

/** Helps until stopped. */
export class VectorHelper {
  readonly #deps: VectorHelperDeps;
  readonly #burst: WriteBurst;
  #log: Log | undefined;
  /** Parts of the journal whose texts all have a vector of the model `#model`. */
  #complete = new Set<number>();
  #model: number | undefined;
  /** The part that the leader was at. */
  #first = 0;
  #running: Promise<void> = Promise.resolve();
  #cancelTimer = () => {};
  #stopped = false;
  #failures = 0;

  constructor(deps: VectorHelperDeps) {
    this.#deps = deps;
    this.#burst = new WriteBurst(deps.store, deps.timers);
  }

  /** Looks for a backlog now, and then periodically. */
  start(log: Log): void {
    this.#log = log;
    this.#running = this.#help().finally(() => {
      const wait = Math.min(MAX_RETRY_DELAY_MS, POLL_INTERVAL_MS * 2 ** this.#failures);
      if (!this.#stopped) this.#cancelTimer = this.#deps.timers.after(wait, () => this.start(log));
    });
  }

  /** Stops after the current batch. Resolves when it has ended; close the embedder first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  #isWanted(): boolean {
    return !this.#stopped && !this.#deps.isLeading();
  }

  async #help(): Promise<void> {
    const { replaceEmbedder, isLeading, writer } = this.#deps;
    try {
      do {
        if (!isLeading()) await replaceEmbedder();
      } while (this.#isWanted() && await this.#embedBatch());
      this.#failures = 0;
    } catch (error) {
      if (!this.#stopped && this.#failures++ === 0) {
        this.#log?.warn("failed to help embed texts", { error: describeError(error) });
      }
    }
    if (!isLeading()) writer.resetRate();
  }

  /** Embeds a batch of the last part that no one has claimed. Returns false if there is none. */
  async #embedBatch(): Promise<boolean> {
    const { store, membership } = this.#deps;
    const embedder = this.#deps.embedder.get();
    const id = embedder.status.model ?? embedder.configuredModelId;
    const { row, end } = await store.read(async (db) => ({
      row: (await listModels(db)).find((model) => model.id === id),
      end: await journalEnd(db),
    }));
    // The leader may use another model, or not have started with this one.
    if (row === undefined || row.position >= end) return false;
    const first = partOf(row.position + 1);
    this.#forgetParts(row, first);
    for (let part = partOf(end); part >= first && this.#isWanted(); part--) {
      if (this.#complete.has(part)) continue;
      const claim = await membership.claim("embedding", part);
      if (claim === null) continue;
      try {
        const { texts, isWhole } = await this.#readPart(row, part, end);
        if (texts.length > 0 && !await this.#embed(row, texts)) return false;
        if (isWhole) this.#complete.add(part);
        if (texts.length > 0) return true;
      } finally {
        claim.release();
      }
    }
    return false;
  }

  /** Embeds texts, unless this process has to use another model. Returns whether it did. */
  async #embed(row: ModelRow, texts: readonly UnembeddedText[]): Promise<boolean> {
    await this.#burst.waitOut(() => !this.#isWanted());
    if (!this.#isWanted()) return false;
    const embedder = this.#deps.embedder.get();
    const model = await embedder.model();
    if (model.id !== row.id || model.dims !== row.dims) return false;
    await this.#deps.writer.write(embedder, { model, row }, texts);
    return true;
  }

  /** Reads the last texts of a part that have no vector, except those that the leader is at. */
  async #readPart(row: ModelRow, part: number, end: number): Promise<PartTexts> {
    const { writer } = this.#deps;
    const after = Math.max(row.position, part * PART_ENTRIES);
    const last = (part + 1) * PART_ENTRIES;
    const fromEnd: BatchLimits = { ...BATCH_LIMITS, newestFirst: true };
    let { read, missing } = await writer.read(row, { after, last }, fromEnd);
    // The last documents may have all their vectors.
    while (missing.length === 0 && read.after > after) {
      ({ read, missing } = await writer.read(row, { after, last: read.after }, fromEnd));
    }
    if (missing.length === 0 || after >= row.position + LEADER_LIMITS.entries) {
      const isWhole = missing.length < BATCH_LIMITS.texts && read.after === after && last <= end;
      return { texts: missing, isWhole };
    }
    const ofLeader = await writer.read(row, { after: row.position, last: end }, LEADER_LIMITS);
    const left = new Set(ofLeader.missing.map(keyOf));
    return { texts: missing.filter((text) => !left.has(keyOf(text))), isWhole: false };
  }

  /** Forgets the parts of another model, and those that the leader has passed. */
  #forgetParts(row: ModelRow, first: number): void {
    if (row.number !== this.#model) this.#complete.clear();
    this.#model = row.number;
    if (first !== this.#first) this.#deps.writer.forgetSetAside();
    this.#first = first;
    for (const part of this.#complete) if (part < first) this.#complete.delete(part);
  }
}

/** Returns the part of the journal that an entry is in. */
function partOf(seq: number): number {
  return Math.floor((seq - 1) / PART_ENTRIES);
}

function keyOf({ kind, seq }: UnembeddedText): string {
  return `${kind} ${seq}`;
}
