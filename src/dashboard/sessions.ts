/**
 * Who may use the dashboard: one-time links, a password if there is one, and the sessions that they
 * open. Of links and sessions only hashes are kept; a session is no API key, and none opens one.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import sql from "sql-template-tag";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import type { Store, Tx } from "../store/store.ts";

/** How long a sign-in link works. */
const SIGN_IN_LINK_TTL_MS = 30 * 60_000;

/** How long one stays signed in. */
export const SESSION_TTL_SECONDS = 12 * 60 * 60;

/** A session as whoever opened it is given it. */
export interface NewSession {
  /** The only copy of it outside of the browser that it is sent to. */
  readonly token: string;
  readonly expires_at: string;
}

/** What somebody offers to be let in. */
export type Credentials = { readonly token: string } | { readonly password: string };

/** A token that opens the dashboard once. */
export async function createSignInToken(tx: Tx, now: number): Promise<string> {
  const token = randomToken(24);
  await tx.run(sql`insert into sign_in_tokens (hash, expires_at)
    values (${sha256(token)}, ${timestamp(now + SIGN_IN_LINK_TTL_MS)})`);
  return token;
}

/** Forgets tokens that nobody has used in time; answers how many. */
export function deleteExpiredSignInTokens(tx: Tx, now: number): Promise<number> {
  return tx.run(sql`delete from sign_in_tokens where expires_at < ${timestamp(now)}`);
}

/** The sessions of the dashboard. They outlive a restart of the service. */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #password: string | undefined;

  /** @param password lets in whoever knows it; undefined turns sign-in by password off */
  constructor(deps: { store: Store; clock: Clock }, password: string | undefined) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#password = password;
  }

  get acceptsPassword(): boolean {
    return this.#password !== undefined;
  }

  /** Null for a link that is unknown, used or too old, and for a wrong password. */
  async open(credentials: Credentials): Promise<NewSession | null> {
    if ("password" in credentials && !this.#matchesPassword(credentials.password)) return null;
    const token = randomToken(32);
    const now = this.#clock.now();
    const session = { token, expires_at: timestamp(now + SESSION_TTL_SECONDS * 1_000) };
    return await this.#store.write(async (tx) => {
      if ("token" in credentials) {
        const used = await tx.run(sql`delete from sign_in_tokens
          where hash = ${sha256(credentials.token)} and expires_at > ${timestamp(now)}`);
        if (used === 0) return null;
      }
      await tx.run(sql`delete from dashboard_sessions where expires_at <= ${timestamp(now)}`);
      await tx.run(sql`insert into dashboard_sessions (hash, expires_at)
        values (${sha256(token)}, ${session.expires_at})`);
      return session;
    });
  }

  /** When a session ends; undefined for one that is unknown, ended or too old. */
  async expiry(token: string): Promise<string | undefined> {
    // The comparison of hashes is the index's: its timing tells about a hash, not about a token.
    const row = await this.#store.queryOne<{ expires_at: string }>(sql`select expires_at
      from dashboard_sessions
      where hash = ${sha256(token)} and expires_at > ${timestamp(this.#clock.now())}`);
    return row?.expires_at;
  }

  async end(token: string): Promise<void> {
    await this.#store.write((tx) =>
      tx.run(sql`delete from dashboard_sessions where hash = ${sha256(token)}`)
    );
  }

  #matchesPassword(password: string): boolean {
    return this.#password !== undefined &&
      timingSafeEqual(sha256Bytes(password), sha256Bytes(this.#password));
  }
}

function randomToken(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Of one length for any text, as a comparison in constant time needs it. */
function sha256Bytes(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
