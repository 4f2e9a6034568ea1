/** A connection to PostgreSQL: rendered, prepared and pipelined statements, and exact integers. */

import { clearTimeout, setTimeout } from "node:timers";
// @ts-types="@types/pg"
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { systemTimers, waitAtMost } from "../../kernel/timers.ts";
import { describeHosts, hostUrls, hostUrlsByPrimary, recordPrimary } from "./hosts.ts";
import { render } from "./render.ts";

/** Maximum number of prepared statements. Further texts are planned each time they run. */
const MAX_PREPARED_STATEMENTS = 400;

/** How long to wait for a connection to open, and for its first statements, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * After this time without a packet, the system sends one, in milliseconds. Firewalls forget
 * connections after a few minutes.
 */
const KEEP_ALIVE_MS = 60_000;

/** How long to wait for the server when a connection closes, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

/** How long a statement waits for a lock, as with a locked SQLite file. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * After this time without a statement, the server ends a transaction and releases its locks. A unit
 * can take longer, but it always awaits a statement. This is for a process that has vanished.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * How long a server can be silent while statements run, in milliseconds. After that, the connection
 * counts as lost: a network that drops packets reports nothing for a quarter of an hour.
 */
const MAX_SILENCE_MS = 30_000;

/**
 * Query for the server, its run, and the process of the connection. The names of the processes in
 * the background are only shown to some roles, but their numbers to all.
 */
const SERVER = `select pg_postmaster_start_time()::text as start, array(
    select pid::text from pg_stat_activity where datid is null and usesysid is null) as processes,
  pg_backend_pid() as pid, current_setting('transaction_read_only') as read_only`;

/** What the query returns. */
interface ServerRow {
  readonly start: string;
  readonly processes: readonly string[];
  readonly pid: number;
  readonly read_only: "on" | "off";
}

/**
 * The time from a server's start to its next one or its next recovery. After a crash of one of its
 * processes, the server restarts those that work in the background, although it goes on itself.
 */
export interface ServerRun {
  readonly start: string;
  /** The processes in the background that the connection saw. Some start later, or end. */
  readonly processes: ReadonlySet<string>;
}

/** SQLSTATE if a connection can't be established. */
const CANT_CONNECT = "08001";

/** Where the database is. */
export interface PgAddress {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Of several hosts, separated by commas, the one
   * that accepts changes is used.
   */
  readonly url: string;
  /** Schema with the tables. */
  readonly schema: string;
}

/** Returns an address for messages, without its password. */
export function describeAddress({ url, schema }: PgAddress): string {
  const { pathname } = new URL(hostUrls(url)[0]!);
  return `postgres://${describeHosts(url)}${pathname}?schema=${schema}`;
}

/** Returns why a database can't be used, in one line without its password. */
export function connectProblem(error: unknown, address: PgAddress): string {
  return `Can't use ${describeAddress(address)}: ${reasonOf(error)}`;
}

/** Returns the first line of an error's message. */
function reasonOf(error: unknown): string {
  const { message, code, errors = [] } = error as Error & { code?: string; errors?: Error[] };
  // A host with several addresses has an error for each, and no message of its own.
  return (message || errors[0]?.message || code || "unknown error").split("\n")[0]!;
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
  readonly #maxSilenceMs: number;
  #open = true;
  #serverRun: ServerRun = { start: "", processes: new Set() };
  #processId = 0;
  #isReadOnly = false;
  /** Number of statements without a response. */
  #pending = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** Called when the connection has ended, from either side. */
  onEnd: () => void = () => {};
  /** Called with the payload of each notification that the connection listens to. */
  onNotification: (payload: string) => void = () => {};

  private constructor(client: pg.Client, maxSilenceMs: number) {
    this.#client = client;
    this.#maxSilenceMs = maxSilenceMs;
    // Statements that are running reject as well.
    client.on("error", () => this.#open = false);
    client.on("end", () => {
      this.#open = false;
      this.onEnd();
    });
    client.on("notification", ({ payload = "" }) => this.onNotification(payload));
  }

  /**
   * Opens a connection. Throws the client's error if that fails.
   *
   * @param maxSilenceMs how long a statement can take
   * @param applicationName shown in `pg_stat_activity`
   */
  static async open(
    { url, schema }: PgAddress,
    maxSilenceMs = MAX_SILENCE_MS,
    applicationName = "commonplace",
  ): Promise<PgConnection> {
    const open = (hostUrl: string) =>
      PgConnection.#openHost({ url: hostUrl, schema }, maxSilenceMs, applicationName);
    const hosts = hostUrlsByPrimary(url);
    if (hosts.length === 1) return await open(url);
    const problems: string[] = [];
    for (const hostUrl of hosts) {
      try {
        const connection = await open(hostUrl);
        if (!connection.#isReadOnly) {
          recordPrimary(url, hostUrl);
          return connection;
        }
        connection.destroy();
        problems.push(`${describeHosts(hostUrl)} is read-only`);
      } catch (error) {
        problems.push(reasonOf(error));
      }
    }
    throw Object.assign(new Error(problems.join(", ")), { code: CANT_CONNECT });
  }

  /** Opens a connection to a server, whether or not it accepts changes. */
  static async #openHost(
    { url, schema }: PgAddress,
    maxSilenceMs: number,
    applicationName: string,
  ): Promise<PgConnection> {
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      types,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    const connection = new PgConnection(client, maxSilenceMs);
    await client.connect();
    const timeout = setTimeout(() => connection.destroy(), CONNECT_TIMEOUT_MS);
    try {
      const [found] = await Promise.all([
        client.query<ServerRow>(SERVER),
        client.query(`set search_path to ${pg.escapeIdentifier(schema)}`),
        client.query(`set lock_timeout to ${LOCK_TIMEOUT_MS}`),
        client.query(
          `set idle_in_transaction_session_timeout to ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
        ),
      ]);
      const { start, processes, pid, read_only } = found.rows[0]!;
      connection.#serverRun = { start, processes: new Set(processes) };
      connection.#processId = pid;
      connection.#isReadOnly = read_only === "on";
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(timeout);
    }
    return connection;
  }

  /** Whether the connection can still be used. */
  get open(): boolean {
    return this.#open;
  }

  /** The run of the server when the connection was opened. */
  get serverRun(): ServerRun {
    return this.#serverRun;
  }

  /** Number of the server's process that serves this connection. */
  get processId(): number {
    return this.#processId;
  }

  /** Returns the number of the server's process that serves this connection now. */
  async readProcessId(): Promise<number> {
    const { rows } = await this.exec<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]!.pid;
  }

  /** Whether the connection is to a pooler, which has its own connections to the server. */
  get isPooled(): boolean {
    // deno-lint-ignore no-explicit-any -- not among the client's types
    return (this.#client as any).processID !== this.#processId;
  }

  async query<Row>(query: Sql, suffix = ""): Promise<PgResult<Row>> {
    const { text, values } = render(query);
    return await this.send<Row>(text + suffix, values);
  }

  /** Executes a statement that has no parameters and isn't worth preparing. */
  async exec<Row = never>(text: string): Promise<PgResult<Row>> {
    const { rows, rowCount, command } = await this.#watch(this.#client.query(text));
    return { rows: rows as Row[], changes: rowCount ?? 0, command };
  }

  /** Executes a statement in PostgreSQL's own form, with `$1` for the first value. */
  async send<Row>(text: string, values: readonly unknown[]): Promise<PgResult<Row>> {
    const name = this.#nameOf(text);
    const { rows, rowCount, command } = await this.#watch(this.#client.query({
      ...(name === undefined ? {} : { name }),
      text,
      values: [...values],
    }));
    return { rows: rows as Row[], changes: rowCount ?? 0, command };
  }

  /** Ends the connection if the server is silent for too long before it has executed a statement. */
  async #watch<T>(statement: Promise<T>): Promise<T> {
    if (this.#pending++ === 0) {
      this.#silence = setTimeout(() => this.destroy(), this.#maxSilenceMs);
    }
    try {
      return await statement;
    } finally {
      if (--this.#pending === 0) clearTimeout(this.#silence);
      else this.#silence?.refresh();
    }
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
    const ended = this.#client.end().catch(() => undefined);
    while (!await waitAtMost(systemTimers, CLOSE_TIMEOUT_MS, ended)) {
      if (this.#pending === 0) return this.destroy();
    }
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#open = false;
    // deno-lint-ignore no-explicit-any -- not among the client's types
    (this.#client as any).connection.stream.destroy();
  }
}
