/**
 * Delivers journal entries to webhooks at least once, and in order per webhook. Failed deliveries
 * are retried for three days with increasing delays. After that, the webhook is disabled and the
 * health endpoint shows a warning.
 */

import sql, { type Sql } from "sql-template-tag";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS, HOUR_MS, parseTimestamp, timestamp } from "../kernel/clock.ts";
import { derivedId } from "../kernel/ids.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Timers } from "../kernel/timers.ts";
import type { Reader, Store } from "../store/store.ts";
import { deliver, type DeliveryOutcome } from "./delivery.ts";
import { EVENT_TYPES } from "./webhooks.ts";

/**
 * How often to poll the journal. Notifications aren't enough, since other processes write to it
 * too.
 */
const POLL_INTERVAL_MS = 5_000;

/** The retry delay triples with every attempt, up to the maximum. */
const FIRST_RETRY_DELAY_MS = 10_000;
const MAX_RETRY_DELAY_MS = HOUR_MS;

/**
 * How long to leave a webhook alone if its delivery can't be read or recorded, e.g. because the disk
 * is full. Its event may have been sent, and is sent again.
 */
const POSTPONE_MS = 60_000;

/** How long a webhook can keep failing before it's disabled. */
const DISABLE_AFTER_MS = 3 * DAY_MS;

/**
 * Minimum number of failures in a row before a webhook is disabled. Three days have about 75 of
 * them, unless the service wasn't running.
 */
const MIN_FAILURES = 60;

/** Batch size for reading journal entries in search of a subscribed event. */
const JOURNAL_BATCH_ENTRIES = 500;

/** Maximum number of webhooks with a delivery in progress. */
const MAX_CONCURRENT_DELIVERIES = 16;

/** Dependencies for the dispatcher. */
export interface DispatcherDeps {
  readonly store: Pick<Store, "read" | "write" | "listen">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly allowPrivate: boolean;
}

interface DueWebhookRow {
  readonly project: number;
  readonly project_id: string;
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: string;
  readonly position: number;
  readonly failures: number;
  readonly failing_since: string | null;
}

interface JournalEntryRow {
  readonly seq: number;
  readonly type: string;
  readonly record_id: string;
  readonly at: string;
}

/** Delivers events until stopped. */
export class WebhookDispatcher {
  readonly #deps: DispatcherDeps;
  readonly #stopping = new AbortController();
  #stopListening = () => {};
  #cancelPoll = () => {};
  #running: Promise<void> | null = null;
  /** Whether there were new entries or finished deliveries since the last poll. */
  #pollAgain = false;
  /** Resolves when there are new entries. */
  #woken = Promise.withResolvers<void>();
  /** Webhooks to leave alone, by id, and until when. */
  readonly #postponed = new Map<string, number>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopListening = this.#deps.store.listen("journal", () => this.#wake());
    this.#wake();
  }

  /** Stops, and waits for in-flight deliveries. The rest go out after the next start. */
  async stop(): Promise<void> {
    this.#stopListening();
    this.#cancelPoll();
    this.#stopping.abort();
    await this.#running;
  }

  #wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#pollAgain = true;
    this.#woken.resolve();
    this.#running ??= this.#deliverAll().finally(() => {
      this.#running = null;
      this.#cancelPoll();
      if (!this.#stopping.signal.aborted) {
        this.#cancelPoll = this.#deps.timers.after(POLL_INTERVAL_MS, () => this.#wake());
      }
    });
  }

  /** Delivers events until no webhook is due. Webhooks don't wait for each other's responses. */
  async #deliverAll(): Promise<void> {
    const deliveries = new Map<string, Promise<void>>();
    try {
      do {
        this.#pollAgain = false;
        this.#woken = Promise.withResolvers();
        this.#endPostponements();
        // A delivery that ends while the query runs may have advanced its webhook after the query
        // saw it. Such a webhook waits for the next query, or it would get its event twice.
        const inProgress = new Set(deliveries.keys());
        for (const webhook of await this.#deps.store.read((db) => this.#dueWebhooks(db))) {
          const { id } = webhook;
          if (inProgress.has(id) || this.#postponed.has(id)) continue;
          if (deliveries.size >= MAX_CONCURRENT_DELIVERIES) break;
          // The promise never rejects: a failure concerns only its own webhook.
          const delivery = this.#deliverTo(webhook)
            .catch((error) => this.#postpone(webhook, error))
            .finally(() => {
              deliveries.delete(id);
              this.#pollAgain = true;
            });
          deliveries.set(id, delivery);
        }
        if (deliveries.size > 0 && !this.#pollAgain) {
          await Promise.race([this.#woken.promise, ...deliveries.values()]);
        }
      } while ((this.#pollAgain || deliveries.size > 0) && !this.#stopping.signal.aborted);
    } catch (error) {
      this.#deps.log.error("webhooks were not delivered", { error: describeError(error) });
    }
    await Promise.allSettled(deliveries.values());
  }

  /**
   * Returns active webhooks that are behind the journal and due for their next attempt, longest
   * wait first. No delay is as long as twice the maximum, so a later time is from when the clock was
   * ahead. The limit leaves room for webhooks with a delivery in progress and postponed ones,
   * which also count as due.
   */
  #dueWebhooks(db: Reader): Promise<DueWebhookRow[]> {
    const tooLate = timestamp(this.#deps.clock.now() + 2 * MAX_RETRY_DELAY_MS);
    return db.all<DueWebhookRow>(
      sql`select w.project, p.id as project_id, w.id, url, secret, events,
        position, failures, failing_since
      from webhooks w join projects p on p.number = w.project
      where w.status = 'active' and p.deleted_at is null
        and (next_attempt_at is null or next_attempt_at <= ${this.#now()}
          or next_attempt_at > ${tooLate})
        and position < (select coalesce(max(seq), 0) from journal j where j.project = w.project)
      order by w.last_delivery_at nulls first, w.id
      limit ${2 * MAX_CONCURRENT_DELIVERIES + this.#postponed.size}`,
    );
  }

  /** Leaves a webhook alone for a while. Other webhooks go on. */
  #postpone(webhook: DueWebhookRow, error: unknown): void {
    this.#postponed.set(webhook.id, this.#deps.clock.now() + POSTPONE_MS);
    this.#deps.log.error("webhook delivery was postponed", {
      webhook: webhook.id,
      error: describeError(error),
    });
  }

  #endPostponements(): void {
    const now = this.#deps.clock.now();
    for (const [id, until] of this.#postponed) if (until <= now) this.#postponed.delete(id);
  }

  async #deliverTo(webhook: DueWebhookRow): Promise<void> {
    const entry = await this.#deps.store.read((db) => this.#nextEntry(db, webhook));
    if (entry === null) return;
    if (entry.type === "") return await this.#advance(webhook, entry.seq, null);
    const id = eventId(webhook, entry);
    const outcome = await deliver(
      {
        url: webhook.url,
        secret: webhook.secret,
        id,
        at: Math.floor(this.#deps.clock.now() / 1000),
        body: eventBody(webhook, entry, id),
      },
      this.#deps.allowPrivate,
      this.#stopping.signal,
    );
    if (this.#stopping.signal.aborted) return;
    if (outcome.delivered) await this.#advance(webhook, entry.seq, outcome);
    else await this.#recordFailure(webhook, outcome);
  }

  /**
   * Returns the next event the webhook subscribes to. If a batch of journal entries has none,
   * returns its last entry without a type. Returns null at the end of the journal.
   */
  async #nextEntry(db: Reader, webhook: DueWebhookRow): Promise<JournalEntryRow | null> {
    const rows = await db.all<Omit<JournalEntryRow, "type"> & { kind: string; change: string }>(sql`
      select seq, kind, change, record_id, at from journal
      where project = ${webhook.project} and seq > ${webhook.position}
      order by seq limit ${JOURNAL_BATCH_ENTRIES}`);
    const subscribed: unknown[] = JSON.parse(webhook.events);
    const entries = rows.map(({ kind, change, ...row }) => ({
      ...row,
      type: EVENT_TYPES[`${kind} ${change}`] ?? "",
    }));
    const found = entries.find(({ type }) => subscribed.includes(type));
    if (found !== undefined) return found;
    const last = entries.at(-1);
    return last === undefined ? null : { ...last, type: "" };
  }

  async #advance(
    webhook: DueWebhookRow,
    seq: number,
    outcome: DeliveryOutcome | null,
  ): Promise<void> {
    const delivered = outcome === null
      ? sql``
      : sql`, last_delivery_at = ${this.#now()}, last_status = ${outcome.status}`;
    await this.#deps.store.write(
      webhook.project,
      (tx) =>
        tx.run(sql`update webhooks set position = ${seq}, failures = 0, failing_since = null,
          next_attempt_at = null ${delivered}
        where ${isUnchanged(webhook)}`),
    );
    this.#pollAgain = true;
  }

  async #recordFailure(webhook: DueWebhookRow, { status }: DeliveryOutcome): Promise<void> {
    const now = this.#deps.clock.now();
    const since = webhook.failing_since ?? timestamp(now);
    const delay = Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 3 ** webhook.failures);
    const isDisabled = webhook.failures + 1 >= MIN_FAILURES &&
      now - (parseTimestamp(since) ?? now) >= DISABLE_AFTER_MS;
    await this.#deps.store.write(
      webhook.project,
      (tx) =>
        tx.run(sql`update webhooks set failures = failures + 1, failing_since = ${since},
          status = ${isDisabled ? "disabled" : "active"}, last_status = ${status},
          next_attempt_at = ${isDisabled ? null : timestamp(now + delay)}
        where ${isUnchanged(webhook)}`),
    );
    this.#deps.log.warn("webhook not delivered", {
      webhook: webhook.id,
      status,
      disabled: isDisabled,
    });
  }

  #now(): string {
    return timestamp(this.#deps.clock.now());
  }
}

/** Returns a condition: no other process has delivered to the webhook in the meantime. */
function isUnchanged({ project, id, position }: DueWebhookRow): Sql {
  return sql`project = ${project} and id = ${id} and position = ${position}`;
}

/**
 * Returns an event's id: the same at each attempt. A journal number alone wouldn't be unique, since
 * the numbers after a backup are given out again once it's restored.
 */
function eventId({ project_id }: DueWebhookRow, entry: JournalEntryRow): string {
  const { seq, type, record_id, at } = entry;
  return derivedId("evt", [project_id, seq, type, record_id, at].join(":"));
}

/** Returns an event's body. Contains ids and types, but never any text. */
function eventBody(
  webhook: DueWebhookRow,
  { type, record_id, at }: JournalEntryRow,
  id: string,
): string {
  const [resource] = type.split(".");
  return JSON.stringify({
    id,
    type,
    project_id: webhook.project_id,
    occurred_at: at,
    data: { id: record_id, type: resource },
  });
}
