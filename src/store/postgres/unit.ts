/** One unit of work in a PostgreSQL transaction. */

import type { Sql } from "sql-template-tag";
import type { Channel, Tx } from "../store.ts";
import { unavailable } from "./errors.ts";
import type { Statements } from "./statements.ts";

/** A unit that waits for its turn. */
export interface Unit {
  /** What is read before the unit, together with the queries of other units. */
  readonly lookup: Sql | null;
  /** Gets the row that the query found. */
  readonly work: (tx: Tx, found: unknown) => Promise<unknown>;
  readonly complete: (outcome: Outcome) => void;
}

/** How a unit ended. Statements of a unit that failed may have changed something. */
export type Outcome =
  | { readonly value: unknown; readonly notices: readonly Channel[] }
  | { readonly error: unknown };

/**
 * Runs a unit. It doesn't wait for its posted changes: see {@linkcode Statements.settled}.
 *
 * @param found the row that its query found
 * @param maxMs how long the unit can take, in milliseconds
 */
export async function runUnit(
  unit: Unit,
  tx: UnitTx,
  found: unknown,
  maxMs: number,
): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overrun = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => {
      const error = unavailable(`The change took longer than ${maxMs} ms`);
      tx.overran = true;
      tx.fail(error);
      resolve({ error });
    }, maxMs);
  });
  const finished = Promise.try(() => unit.work(tx, found)).then(
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
  readonly #statements: Statements;
  #open = true;
  /** Whether the unit has sent a statement that can change something. */
  changed = false;
  /** Whether the unit took too long. Its statements may never be executed. */
  overran = false;
  readonly notices: Channel[] = [];

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  close(): void {
    this.#open = false;
  }

  /** Makes the transaction fail. */
  fail(error: unknown): void {
    this.#statements.failure ??= { error };
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return (await this.#use(query).send<Row>(query)).rows;
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.#use(query).send<Row>(query)).rows[0];
  }

  async run(query: Sql): Promise<number> {
    return (await this.#use(query).send(query)).changes;
  }

  post(query: Sql): void {
    this.#use(query).post(query);
  }

  async insert(query: Sql): Promise<number> {
    return (await this.#use(query).send<{ seq: number }>(query, " returning seq")).rows[0]!.seq;
  }

  notify(channel: Channel): void {
    this.notices.push(channel);
  }

  #use(query: Sql): Statements {
    if (!this.#open) throw new Error("A unit of work used its transaction after it had ended");
    this.changed ||= !/^\s*select\b/.test(query.strings[0]!);
    return this.#statements;
  }
}
