/**
 * Double-entry accounting for credits. Each use moves an amount between two of a project's accounts
 * and has an identity, so replays and retries never pay twice.
 */

import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Reader, Tx } from "../store/store.ts";

type Account = "granted" | "available" | "reserved" | "spent";

/** Kinds of ledger entries, each with the account to debit and the account to credit. */
const ENTRIES = {
  grant: ["granted", "available"],
  reserve: ["available", "reserved"],
  settle: ["reserved", "spent"],
  refund: ["reserved", "available"],
  charge: ["available", "spent"],
} as const satisfies Record<string, readonly [debit: Account, credit: Account]>;

type EntryKind = keyof typeof ENTRIES;

/** A project's credits: granted, reserved and spent. */
export interface Credits {
  /** Credits available right now: granted − spent − reserved. Negative after an overdraft. */
  readonly balance: number;
  readonly reserved: number;
  readonly granted: number;
  readonly spent: number;
}

/** A single use of credits. */
export interface Usage {
  readonly project: number;
  /** Identity of the use, shared by replays and retries of the same work. */
  readonly identity: string;
  /** Amount in credits. If 0, no entry is posted. */
  readonly amount: number;
}

/** The ledger. Methods that take a `tx` run in its unit of work. */
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
   * Reserves an amount for later work. No-op if there's already an entry for this work.
   *
   * @throws ApiError INSUFFICIENT_CREDITS if the balance is too low
   */
  async reserve(tx: Tx, use: Usage): Promise<void> {
    if (await this.#lastEntry(tx, use) !== undefined) return;
    await this.requireCredits(tx, use.project, use.amount);
    await this.#post(tx, "reserve", use);
  }

  /**
   * Reserves a refunded amount again when the work is retried.
   *
   * @throws ApiError INSUFFICIENT_CREDITS if the balance is too low
   */
  async reserveAgain(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    const last = await this.#lastEntry(tx, use);
    if (last?.entry !== "refund") return;
    await this.requireCredits(tx, use.project, last.amount);
    await this.#post(tx, "reserve", { ...use, amount: last.amount });
  }

  /** Spends a reserved amount. */
  async settle(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    await this.#closeReservation(tx, "settle", use);
  }

  /** Releases a reserved amount. */
  async refund(tx: Tx, use: Omit<Usage, "amount">): Promise<void> {
    await this.#closeReservation(tx, "refund", use);
  }

  /**
   * Spends an amount immediately. No-op if this use has already been paid for.
   *
   * @param overdraft allows a negative balance, for work that can't be undone
   * @throws ApiError INSUFFICIENT_CREDITS if the balance is too low
   */
  async charge(tx: Tx, use: Usage, overdraft = false): Promise<void> {
    if (await this.#lastEntry(tx, use) !== undefined) return;
    if (!overdraft) await this.requireCredits(tx, use.project, use.amount);
    await this.#post(tx, "charge", use);
  }

  /**
   * Makes sure that an amount is available right now.
   *
   * @throws ApiError INSUFFICIENT_CREDITS if the balance is too low
   */
  async requireCredits(db: Reader, project: number, required: number): Promise<void> {
    if (required === 0) return;
    const available = (await this.credits(db, project)).balance;
    if (available >= required) return;
    throw new ApiError(
      "INSUFFICIENT_CREDITS",
      `Requires ${required} credits; ${Math.max(0, available)} are available`,
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
      values (${project}, ${identity}, ${kind}, ${debit}, ${credit}, cast(${amount} as bigint),
       ${timestamp(this.#clock.now())})`);
    const change = (account: Account) =>
      (credit === account ? amount : 0) - (debit === account ? amount : 0);
    // Grants come from outside, so this account only ever grows.
    const granted = kind === "grant" ? amount : 0;
    await tx.run(sql`insert into credit_accounts (project, granted, reserved, spent)
      values (${project}, cast(${granted} as bigint), cast(${change("reserved")} as bigint),
       cast(${change("spent")} as bigint))
      on conflict (project) do update set
        granted = credit_accounts.granted + excluded.granted,
        reserved = credit_accounts.reserved + excluded.reserved,
        spent = credit_accounts.spent + excluded.spent`);
  }
}
