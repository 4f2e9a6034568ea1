/**
 * Credits by double entry: every use moves an amount between the accounts of a project, under the
 * identity of what was used, so that a replay or a retry never pays twice.
 */

import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Reader, Tx } from "../store/store.ts";

type Account = "granted" | "available" | "reserved" | "spent";

/** The kinds of entries, each with the account it takes from and the one it gives to. */
const ENTRIES = {
  grant: ["granted", "available"],
  reserve: ["available", "reserved"],
  settle: ["reserved", "spent"],
  refund: ["reserved", "available"],
  charge: ["available", "spent"],
} as const satisfies Record<string, readonly [debit: Account, credit: Account]>;

type EntryKind = keyof typeof ENTRIES;

/** What a project was granted, and what became of it; in credits. */
export interface Credits {
  /** What can be spent now: granted − spent − reserved. Below zero after an overdraft. */
  readonly balance: number;
  readonly reserved: number;
  readonly granted: number;
  readonly spent: number;
}

/** One use, and what it costs. */
export interface Usage {
  readonly project: number;
  /** The same for a replay and for a retry of the same work. */
  readonly identity: string;
  /** In credits; 0 costs nothing. */
  readonly amount: number;
}

/** The ledger. Methods that take a `tx` are part of its unit of work. */
export class Ledger {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async credits(db: Reader, project: number): Promise<Credits> {
    const { granted, reserved, spent } = await db.first<Omit<Credits, "balance">>(sql`
      select granted, reserved, spent from credit_accounts where project = ${project}`) ??
      { granted: 0, reserved: 0, spent: 0 };
    return { balance: granted - spent - reserved, reserved, granted, spent };
  }

  async grant(tx: Tx, use: Usage): Promise<void> {
    await this.#post(tx, "grant", use);
  }

  /**
   * Sets an amount aside for work to come; nothing when the work was ever paid for or refunded.
   *
   * @throws ApiError INSUFFICIENT_CREDITS
   */
  async reserve(tx: Tx, use: Usage): Promise<void> {
    if (await this.#lastEntry(tx, use) !== undefined) return;
    await this.requireCredits(tx, use.project, use.amount);
    await this.#post(tx, "reserve", use);
  }

  /**
   * Sets aside again what was refunded, for work that is tried again.
   *
   * @throws ApiError INSUFFICIENT_CREDITS
   */
  async reserveAgain(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    const last = await this.#lastEntry(tx, use);
    if (last?.entry !== "refund") return;
    await this.requireCredits(tx, use.project, last.amount);
    await this.#post(tx, "reserve", { ...use, amount: last.amount });
  }

  /** Spends what was set aside. */
  async settle(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    await this.#closeReservation(tx, "settle", use);
  }

  /** Gives back what was set aside. */
  async refund(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    await this.#closeReservation(tx, "refund", use);
  }

  /**
   * Spends at once; nothing when this use was paid already.
   *
   * @param overdraft lets the balance fall below zero, for what can't be taken back
   * @throws ApiError INSUFFICIENT_CREDITS
   */
  async charge(tx: Tx, use: Usage, overdraft = false): Promise<void> {
    if (await this.#lastEntry(tx, use) !== undefined) return;
    if (!overdraft) await this.requireCredits(tx, use.project, use.amount);
    await this.#post(tx, "charge", use);
  }

  /** @throws ApiError INSUFFICIENT_CREDITS when so much can't be spent now */
  async requireCredits(db: Reader, project: number, required: number): Promise<void> {
    if (required === 0) return;
    const available = (await this.credits(db, project)).balance;
    if (available >= required) return;
    throw new ApiError(
      "INSUFFICIENT_CREDITS",
      `This takes ${required} credits, and ${Math.max(0, available)} are left`,
      { details: { required, available } },
    );
  }

  async #closeReservation(
    tx: Tx,
    kind: "settle" | "refund",
    use: Omit<Usage, "amount">,
  ): Promise<void> {
    const last = await this.#lastEntry(tx, use);
    if (last?.entry === "reserve") await this.#post(tx, kind, { ...use, amount: last.amount });
  }

  #lastEntry(db: Reader, { project, identity }: Omit<Usage, "amount">) {
    return db.first<{ entry: EntryKind; amount: number }>(sql`select entry, amount
      from credit_entries where project = ${project} and identity = ${identity}
      order by seq desc limit 1`);
  }

  async #post(tx: Tx, kind: EntryKind, { project, identity, amount }: Usage): Promise<void> {
    if (amount === 0) return;
    const [debit, credit] = ENTRIES[kind];
    await tx.run(sql`insert into credit_entries
      (project, identity, entry, debit, credit, amount, at)
      values (${project}, ${identity}, ${kind}, ${debit}, ${credit}, cast(${amount} as integer),
       ${timestamp(this.#clock.now())})`);
    const change = (account: Account) =>
      (credit === account ? amount : 0) - (debit === account ? amount : 0);
    // What is granted comes from outside, so its account only ever grows.
    const granted = kind === "grant" ? amount : 0;
    await tx.run(sql`insert into credit_accounts (project, granted, reserved, spent)
      values (${project}, cast(${granted} as integer), cast(${change("reserved")} as integer),
       cast(${change("spent")} as integer))
      on conflict (project) do update set granted = granted + excluded.granted,
        reserved = reserved + excluded.reserved, spent = spent + excluded.spent`);
  }
}
