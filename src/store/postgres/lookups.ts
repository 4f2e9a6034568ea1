/**
 * Statements that return a row and need no transaction, such as the check of a key. Those of one turn
 * of the event loop are sent together, and equal ones once: clients of a busy project use the same
 * key.
 */

import { setImmediate } from "node:timers";
import type { Sql } from "sql-template-tag";
import type { PgConnection } from "./connection.ts";
import { isConnectionLost, toStorageError } from "./errors.ts";
import { render, type RenderedStatement } from "./render.ts";

/** A statement of this turn, and those who wait for its row. */
interface Lookup {
  readonly statement: RenderedStatement;
  readonly row: PromiseWithResolvers<unknown>;
}

/** Collects the statements of a turn. */
export class Lookups {
  readonly #use: (work: (connection: PgConnection) => Promise<void>) => Promise<void>;
  #waiting = new Map<string, Lookup>();

  /** @param use runs work with a connection, and maybe again with another one */
  constructor(use: (work: (connection: PgConnection) => Promise<void>) => Promise<void>) {
    this.#use = use;
  }

  /** Returns the first row. It may be shared with other callers. */
  async first<Row>(query: Sql): Promise<Readonly<Row> | undefined> {
    const statement = render(query);
    const key = JSON.stringify([statement.text, statement.values]);
    let lookup = this.#waiting.get(key);
    if (lookup === undefined) {
      if (this.#waiting.size === 0) setImmediate(() => this.#send());
      lookup = { statement, row: Promise.withResolvers() };
      this.#waiting.set(key, lookup);
    }
    return await lookup.row.promise as Row | undefined;
  }

  #send(): void {
    const lookups = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#use(async (connection) => {
      await Promise.all(lookups.map(async ({ statement: { text, values }, row }) => {
        try {
          row.resolve((await connection.send(text, values)).rows[0]);
        } catch (error) {
          if (isConnectionLost(error)) throw error;
          row.reject(toStorageError(error));
        }
      }));
    }).catch((error) => lookups.forEach(({ row }) => row.reject(error)));
  }
}
