/**
 * The processes that use one schema of a database. Each has a connection of its own for this. While
 * it's open, an advisory lock shows that the process exists, and another one that it leads. The
 * server releases both when the process ends, however it ends.
 *
 * There's no table of processes that could be out of date: their names, versions and start times are
 * in `pg_stat_activity`, and their locks in `pg_locks`.
 */

import sql, { type Sql } from "sql-template-tag";
import { timestamp } from "../../kernel/clock.ts";
import { delay, systemTimers } from "../../kernel/timers.ts";
import type { Claim, CopyStatus, Lead, Member, MemberKind, Membership } from "../membership.ts";
import type { Channel, Owner } from "../store.ts";
import { textRows } from "../sql.ts";
import { type PgAddress, PgConnection } from "./connection.ts";
import { toStorageError, unavailable } from "./errors.ts";
import { LOCK } from "./locks.ts";
import {
  type CopyReport,
  type Notice,
  NoticeSender,
  readCopyReport,
  readNotice,
} from "./notices.ts";
import { lockSchemaVersion } from "./schema_state.ts";

/**
 * How long the server can be silent before the connection counts as lost, in milliseconds. The
 * server waits longer for this process, so a process has stopped leading before another one begins.
 */
const MAX_SILENCE_MS = 4_000;

/** When the server ends the connection of a machine that has vanished. */
const SERVER_SETTINGS = [
  "set tcp_keepalives_idle to 4",
  "set tcp_keepalives_interval to 2",
  "set tcp_keepalives_count to 3",
  "set tcp_user_timeout to 10000",
  "set idle_session_timeout to 0",
];

/** How long to wait before connecting again, in milliseconds. */
const RECONNECT_MS = 200;

/**
 * How long a process has to be missing before it counts as gone, in milliseconds. After the database
 * server was restarted, all processes are missing for a moment.
 */
const GONE_AFTER_MS = 1_500;

/** How often a server reports its search copies, and for how long, in milliseconds. */
const REPORT_INTERVAL_MS = 5_000;
const MAX_REPORT_AGE_MS = 60_000;

/** Name of a process in `pg_stat_activity`. */
const APPLICATION_NAME = /^commonplace-(server|local) (\S+) (\w+) (\d+)$/;

/** Orders versions by their numbers, so that 0.10.0 is newer than 0.9.0. */
const VERSION_ORDER = new Intl.Collator("en", { numeric: true });

/** What a process says of itself. */
export interface MemberIdentity {
  readonly boot: string;
  readonly version: string;
  /** When it started, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** This process's membership. */
export class PgMembership implements Membership {
  readonly #address: PgAddress;
  readonly #identity: MemberIdentity;
  #connection: PgConnection | undefined;
  #lost: (() => void) | undefined;
  /** Since when processes have been missing, by their boots, on the present connection. */
  #missing = new Map<string, number>();
  #joined = false;
  #kind: MemberKind = "local";
  readonly #notices: NoticeSender;
  /** Called with each notice of another process. */
  onNotice: (notice: Notice) => void = () => {};
  /** Returns how far this process's search copies are. */
  copyStatus: () => CopyStatus | null = () => null;
  /** What servers have reported, by their ids. */
  readonly #reports = new Map<string, { readonly copies: CopyStatus; readonly at: number }>();
  #cancelReport = () => {};

  constructor(address: PgAddress, identity: MemberIdentity) {
    this.#address = address;
    this.#identity = identity;
    this.#notices = new NoticeSender(identity.boot, (payload) => this.#send(payload));
  }

  get boot(): string {
    return this.#identity.boot;
  }

  async join(kind: MemberKind): Promise<void> {
    if (this.#joined) return;
    this.#joined = true;
    this.#kind = kind;
    try {
      await this.#connect();
    } catch (error) {
      this.#joined = false;
      throw toStorageError(error);
    }
    if (kind === "server") this.#report();
  }

  async leave(): Promise<void> {
    this.#joined = false;
    this.#notices.close();
    this.#cancelReport();
    await this.#connection?.close();
  }

  async goneAmong(boots: readonly string[]): Promise<readonly string[]> {
    if (boots.length === 0) {
      this.#missing = new Map();
      return [];
    }
    const missing = await this.#query<{ boot: string }>(sql`
      select value as boot from ${textRows(boots)} as boots
      where not exists (select 1 from pg_locks where ${
      isLock(
        BOOTS,
        sql`${unsigned(sql`hashtext(value)`)}`,
      )
    })`);
    const now = performance.now();
    this.#missing = new Map(
      missing.map(({ boot }) => [boot, this.#missing.get(boot) ?? now]),
    );
    return [...this.#missing].filter(([, since]) => now - since >= GONE_AFTER_MS)
      .map(([boot]) => boot);
  }

  /** Notifies the other processes of a commit. */
  notify(channels: ReadonlySet<Channel>, owner: Owner): void {
    this.#notices.add(channels, owner);
  }

  async tryLead(): Promise<Lead | null> {
    const connection = this.#connection;
    const [row] = await this.#query<{ leads: number }>(sql`
      select pg_try_advisory_lock(hashtext(current_schema()), ${LOCK.leader}::int) as leads`);
    if (row!.leads === 0 || connection === undefined) return null;
    const lost = Promise.withResolvers<void>();
    this.#lost = lost.resolve;
    if (!connection.open) lost.resolve();
    const lead: Lead = {
      shouldYield: async () => {
        // This also notices if the server is silent, which takes something to respond to.
        const yields = await this.#hasNewerServer().catch(() => false);
        return yields || !connection.open;
      },
      onLost: (listener) => void lost.promise.then(listener),
      release: () => {
        this.#lost = undefined;
        if (!connection.open) return;
        connection.exec(
          `select pg_advisory_unlock(hashtext(current_schema()), ${LOCK.leader})`,
        ).catch(() => connection.destroy());
      },
    };
    // A server that doesn't lead asks this only if no one does.
    const yields = await lead.shouldYield();
    if (!yields) return lead;
    lead.release();
    return null;
  }

  /**
   * Checks whether a server of a newer version is running. Only that one knows everything that
   * processes of its version write.
   */
  async #hasNewerServer(): Promise<boolean> {
    return (await this.members()).some(({ kind, version }) =>
      kind === "server" && VERSION_ORDER.compare(version, this.#identity.version) > 0
    );
  }

  async claim(work: string, part: number): Promise<Claim | null> {
    const connection = this.#connection;
    const lock = sql`hashtext(${work} || ' in ' || current_schema()), ${part}::int`;
    const [row] = await this.#query<{ claimed: number }>(
      sql`select pg_try_advisory_lock(${lock}) as claimed`,
    );
    if (row!.claimed === 0 || connection === undefined) return null;
    return {
      release() {
        if (!connection.open) return;
        connection.query(sql`select pg_advisory_unlock(${lock})`)
          .catch(() => connection.destroy());
      },
    };
  }

  async members(): Promise<readonly Member[]> {
    const leads = sql`exists (select 1 from pg_locks where pid = a.pid
      and ${isLock(LOCKS, sql`${unsigned(sql`${LOCK.leader}::int`)}`)})`;
    const rows = await this.#query<{ name: string; leads: number }>(sql`
      select application_name as name, ${leads} as leads from pg_stat_activity a
      where datname = current_database()
        and exists (select 1 from pg_locks where pid = a.pid and ${
      isLock(BOOTS, sql`objid::bigint`)
    })`);
    return rows.flatMap(({ name, leads }) => {
      const member = readMemberName(name);
      if (member === null) return [];
      const copies = member.kind === "server" ? this.#copiesOf(member.id) : null;
      return [{ ...member, leads: leads === 1, copies }];
    }).toSorted((a, b) => `${a.since} ${a.id}` < `${b.since} ${b.id}` ? -1 : 1);
  }

  /** Reports the search copies, now and from now on periodically. */
  #report(): void {
    this.#cancelReport();
    if (!this.#joined) return;
    const copies = this.copyStatus();
    if (copies !== null) {
      this.#send(JSON.stringify({ from: this.boot, copies } satisfies CopyReport));
    }
    const before = performance.now() - MAX_REPORT_AGE_MS;
    for (const [id, { at }] of this.#reports) if (at < before) this.#reports.delete(id);
    this.#cancelReport = systemTimers.after(REPORT_INTERVAL_MS, () => this.#report());
  }

  #copiesOf(id: string): CopyStatus | null {
    return id === shortId(this.boot) ? this.copyStatus() : this.#reports.get(id)?.copies ?? null;
  }

  /** Sends a payload to the other processes. If it's lost, they do without it. */
  #send(payload: string): void {
    this.#connection?.query(sql`select pg_notify(${CHANNEL}, ${payload})`).catch(() => undefined);
  }

  #receive(payload: string): void {
    const notice = readNotice(payload, this.boot);
    if (notice !== null) return this.onNotice(notice);
    const report = readCopyReport(payload);
    if (report === null || report.from === this.boot) return;
    const id = shortId(report.from);
    const isKnown = this.#reports.has(id);
    this.#reports.set(id, { copies: report.copies, at: performance.now() });
    // A process that has just started hasn't heard of this one.
    if (!isKnown && this.#kind === "server") this.#report();
  }

  async #query<Row>(query: Sql): Promise<Row[]> {
    const connection = this.#connection;
    if (connection === undefined) throw unavailable("The database can't be reached");
    try {
      return (await connection.query<Row>(query)).rows;
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async #connect(): Promise<void> {
    const { boot, version, startedAt } = this.#identity;
    const name = `commonplace-${this.#kind} ${version} ${shortId(boot)} ${startedAt}`;
    const connection = await PgConnection.open(this.#address, MAX_SILENCE_MS, name);
    connection.onNotification = (payload) => this.#receive(payload);
    try {
      await lockSchemaVersion(connection);
      // Not every system has all of these settings.
      await Promise.allSettled(SERVER_SETTINGS.map((text) => connection.exec(text)));
      const { rows } = await connection.query<{ name: string }>(sql`select ${CHANNEL} as name`);
      await connection.exec(`listen ${rows[0]!.name}`);
      // Shared, because the server may not know yet that this process's last connection is gone.
      await connection.query(sql`
        select pg_advisory_lock_shared(${BOOTS}, hashtext(${boot}))`);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    if (!connection.open) throw unavailable("The database can't be reached");
    // From here on. If it ended before, the caller connects again.
    connection.onEnd = () => this.#reconnect();
    this.#missing = new Map();
    this.#connection = connection;
  }

  #reconnect(): void {
    this.#connection = undefined;
    this.#lost?.();
    this.#lost = undefined;
    if (this.#joined) void this.#reconnectUntilConnected();
  }

  async #reconnectUntilConnected(): Promise<void> {
    while (this.#joined && this.#connection === undefined) {
      await this.#connect().catch(() => delay(systemTimers, RECONNECT_MS));
    }
    // It may have left in the meantime.
    if (!this.#joined) await this.#connection?.close();
  }
}

/** Returns the process that has a name in `pg_stat_activity`, or null if it isn't a member's. */
export function readMemberName(name: string): Omit<Member, "leads" | "copies"> | null {
  const [, kind, version, id, startedAt] = APPLICATION_NAME.exec(name) ?? [];
  if (id === undefined) return null;
  return { kind: kind as MemberKind, id, version: version!, since: timestamp(Number(startedAt)) };
}

/** First keys of the locks that show a process, and of all others. */
const BOOTS = sql`hashtext('processes of ' || current_schema())`;
const LOCKS = sql`hashtext(current_schema())`;

/** Name of the channel for notices. A hash, since names of channels are short. */
const CHANNEL = sql`'commonplace_' || to_hex(hashtext(current_schema()))`;

/** Returns a number as it's shown in `pg_locks`. */
function unsigned(number: Sql): Sql {
  return sql`(${number}::bigint & 4294967295)`;
}

/** Returns a condition on `pg_locks`: an advisory lock with these keys. */
function isLock(first: Sql, second: Sql): Sql {
  return sql`locktype = 'advisory' and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = ${unsigned(first)} and objid::bigint = ${second}`;
}

/** Returns the part of a boot that is shown to people. */
function shortId(boot: string): string {
  return boot.slice(0, 8);
}
