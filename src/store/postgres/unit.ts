/** One unit of work in a PostgreSQL transaction. */

import type { Sql } from "sql-template-tag";
import type { Channel, Tx } from "../store.ts";
import type { PgConnection } from "./connection.ts";
import { unavailable } from "./errors.ts";

/** A unit that waits for its turn. */
export interface Unit {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly complete: (outcome: Outcome) => void;
}

/** How a unit ended. Statements of a unit that failed may have changed something. */
export type Outcome =
  | { readonly value: unknown; readonly notices: readonly Channel[] }
  | { readonly error: unknown };

/**
 * Runs a unit. It doesn't wait for its posted changes: see {@linkcode UnitTx.posted}.
 *
 * @param maxMs how long the unit can take, in milliseconds
 */
export async function runUnit(unit: Unit, tx: UnitTx, maxMs: number): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overrun = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => {
      const error = unavailable(`The change took longer than ${maxMs} ms`);
      tx.overran = true;
      tx.failure ??= { error };
      resolve({ error });
    }, maxMs);
  });
  const finished = Promise.try(() => unit.work(tx)).then(
    (value): Outcome => ({ value, notices: tx.notices }),
    (error: unknown): Outcome => ({ error }),
  );
  const outcome = await Promise.race([finished, overrun]);
  clearTimeout(timer);
  tx.close();
  return outcome;
}

/** The transaction as seen by one unit. Can't be used once the unit has ended. */
export class UnitTx implements Tx {
  readonly #connection: PgConnection;
  readonly #posted: Promise<unknown>[] = [];
  #open = true;
  /** Whether the unit has sent a statement that can change something. */
  changed = false;
  /** The first error of a statement. It has ended the transaction. */
  failure: { readonly error: unknown } | undefined;
  /** Whether the unit took too long. Its statements may never be executed. */
  overran = false;
  readonly notices: Channel[] = [];

  constructor(connection: PgConnection) {
    this.#connection = connection;
  }

  close(): void {
    this.#open = false;
  }

  /** Resolves when the posted changes have been executed. `failure` says whether one failed. */
  async posted(): Promise<void> {
    await Promise.all(this.#posted);
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return (await this.#send<Row>(query)).rows;
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.#send<Row>(query)).rows[0];
  }

  async run(query: Sql): Promise<number> {
    return (await this.#send(query)).changes;
  }

  post(query: Sql): void {
    this.#posted.push(this.#send(query).catch(() => undefined));
  }

  async insert(query: Sql): Promise<number> {
    return (await this.#send<{ seq: number }>(query, " returning seq")).rows[0]!.seq;
  }

  notify(channel: Channel): void {
    this.notices.push(channel);
  }

  async #send<Row>(query: Sql, suffix = "") {
    if (!this.#open) throw new Error("A unit of work used its transaction after it had ended");
    this.changed ||= !/^\s*select\b/.test(query.strings[0]!);
    try {
      return await this.#connection.query<Row>(query, suffix);
    } catch (error) {
      this.failure ??= { error };
      throw this.failure.error;
    }
  }
}
