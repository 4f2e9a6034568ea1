/** A connection to PostgreSQL: rendered, prepared and pipelined statements, and exact integers. */

// @ts-types="@types/pg"
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { render } from "./render.ts";

/** Maximum number of prepared statements. Further texts are planned each time they run. */
const MAX_PREPARED_STATEMENTS = 400;

/** How long to wait for a connection to open, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** How long a statement waits for a lock, as with a locked SQLite file. */
const LOCK_TIMEOUT_MS = 3_000;

/** After this time without a statement, the server ends a transaction and releases its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/** Where the database is. */
export interface PgAddress {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string;
  /** Schema with the tables. */
  readonly schema: string;
}

/** The result of a statement. */
export interface PgResult<Row> {
  readonly rows: Row[];
  readonly changes: number;
  /** The command that was executed, e.g. COMMIT. */
  readonly command: string;
}

/** Numbers of PostgreSQL's types. All integers of the service are below 2^53. */
const TYPE = { bool: 16, int8: 20, json: 114, numeric: 1700 } as const;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: "text" | "binary") => {
    if (type === TYPE.int8 || type === TYPE.numeric) return Number;
    // In SQLite, a part of a JSON text is a text.
    if (type === TYPE.json) return (value: string) => value;
    // SQLite has no booleans.
    if (type === TYPE.bool) return (value: string) => value === "t" ? 1 : 0;
    return pg.types.getTypeParser(type, format);
  }) as typeof pg.types.getTypeParser,
};

/** An open connection. Statements are sent without waiting for those before them. */
export class PgConnection {
  readonly #client: pg.Client;
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();
  #open = true;

  private constructor(client: pg.Client) {
    this.#client = client;
    // Statements that are running reject as well.
    client.on("error", () => this.#open = false);
    client.on("end", () => this.#open = false);
  }

  /** Opens a connection. Throws the client's error if that fails. */
  static async open({ url, schema }: PgAddress): Promise<PgConnection> {
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      types,
      application_name: "commonplace",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    const connection = new PgConnection(client);
    await client.connect();
    try {
      await Promise.all([
        client.query(`set search_path to ${pg.escapeIdentifier(schema)}`),
        client.query(`set lock_timeout to ${LOCK_TIMEOUT_MS}`),
        client.query(
          `set idle_in_transaction_session_timeout to ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
        ),
      ]);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    return connection;
  }

  /** Whether the connection can still be used. */
  get open(): boolean {
    return this.#open;
  }

  async query<Row>(query: Sql, suffix = ""): Promise<PgResult<Row>> {
    const { text, values } = render(query);
    return await this.#send<Row>(text + suffix, values as unknown[]);
  }

  /** Executes a statement that has no parameters and isn't worth preparing. */
  async exec(text: string): Promise<PgResult<never>> {
    const { rows, rowCount, command } = await this.#client.query(text);
    return { rows: rows as never[], changes: rowCount ?? 0, command };
  }

  async #send<Row>(text: string, values: unknown[]): Promise<PgResult<Row>> {
    const name = this.#nameOf(text);
    const { rows, rowCount, command } = await this.#client.query({
      ...(name === undefined ? {} : { name }),
      text,
      values,
    });
    return { rows: rows as Row[], changes: rowCount ?? 0, command };
  }

  /** Returns the name of a text's prepared statement. A text is prepared when it's used again. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_PREPARED_STATEMENTS) return known;
    if (!this.#seen.has(text)) {
      if (this.#seen.size >= MAX_PREPARED_STATEMENTS) this.#seen.clear();
      this.#seen.add(text);
      return undefined;
    }
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Closes the connection once all statements have ended. */
  async close(): Promise<void> {
    this.#open = false;
    await this.#client.end().catch(() => undefined);
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#open = false;
    // deno-lint-ignore no-explicit-any -- not among the client's types
    (this.#client as any).connection.stream.destroy();
  }
}
