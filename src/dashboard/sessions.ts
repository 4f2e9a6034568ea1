/**
 * Dashboard access: one-time links, an optional password, and the sessions they open. Links and
 * sessions are stored only as hashes. A session isn't an API key, and an API key can't open a
 * session.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import sql from "sql-template-tag";
import { recordEvent } from "../connections/audit.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/hash.ts";
import type { Store, Tx } from "../store/store.ts";
import { NO_PROJECT } from "../tasks/maintenance.ts";

/** How long a sign-in link is valid, in milliseconds. */
const SIGN_IN_LINK_TTL_MS = 30 * 60_000;

/** How long a session lasts, in seconds. */
export const SESSION_TTL_SECONDS = 12 * 60 * 60;

/** A session, as returned to the client that opened it. */
export interface NewSession {
  /** The session token. No one but the receiving browser has a copy. */
  readonly token: string;
  readonly expires_at: string;
}

/** A request to sign in, for the audit log. */
export interface SignInRequest {
  readonly address: string;
  readonly requestId: string;
}

/** Credentials sent by a client to sign in. */
export type Credentials = { readonly token: string } | { readonly password: string };

/** Creates and returns a token that opens the dashboard once. */
export async function createSignInToken(tx: Tx, now: number): Promise<string> {
  const token = randomToken(24);
  await tx.run(sql`insert into sign_in_tokens (hash, expires_at)
    values (${sha256(token)}, ${timestamp(now + SIGN_IN_LINK_TTL_MS)})`);
  return token;
}

/** Deletes tokens not used in time and returns how many there were. */
export function deleteExpiredSignInTokens(tx: Tx, now: number): Promise<number> {
  return tx.run(sql`delete from sign_in_tokens where expires_at < ${timestamp(now)}`);
}

/** Dashboard sessions. They survive a restart of the service. */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #password: string | undefined;

  /** @param password opens a session; if undefined, password sign-in is disabled */
  constructor(deps: { store: Store; clock: Clock }, password: string | undefined) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#password = password;
  }

  get acceptsPassword(): boolean {
    return this.#password !== undefined;
  }

  /**
   * Opens a session. Returns null if the link is unknown, used or expired, or the password is
   * wrong.
   */
  async open(credentials: Credentials, request: SignInRequest): Promise<NewSession | null> {
    if ("password" in credentials && !this.#matchesPassword(credentials.password)) return null;
    const token = randomToken(32);
    const now = this.#clock.now();
    const session = { token, expires_at: timestamp(now + SESSION_TTL_SECONDS * 1_000) };
    return await this.#store.write("rows", async (tx) => {
      if ("token" in credentials) {
        const used = await tx.run(sql`delete from sign_in_tokens
          where hash = ${sha256(credentials.token)} and expires_at > ${timestamp(now)}`);
        if (used === 0) return null;
      }
      await tx.run(sql`delete from dashboard_sessions where expires_at <= ${timestamp(now)}`);
      await tx.run(sql`insert into dashboard_sessions (hash, expires_at)
        values (${sha256(token)}, ${session.expires_at})`);
      const method = "token" in credentials ? "link" : "password";
      await this.#record(tx, "signed_in", { method, address: request.address }, request);
      return session;
    });
  }

  /** Records a wrong password. The caller limits how many there are: anyone can cause them. */
  async recordFailure(request: SignInRequest): Promise<void> {
    const details = { method: "password", address: request.address };
    await this.#store.write("rows", (tx) => this.#record(tx, "sign_in_failed", details, request));
  }

  /** Returns when a session expires, or undefined if it's unknown, ended or expired. */
  async expiry(token: string): Promise<string | undefined> {
    // The index compares hashes, so timing may reveal something about a hash, but never about a
    // token.
    const row = await this.#store.queryOne<{ expires_at: string }>(sql`select expires_at
      from dashboard_sessions
      where hash = ${sha256(token)} and expires_at > ${timestamp(this.#clock.now())}`);
    return row?.expires_at;
  }

  async end(token: string): Promise<void> {
    await this.#store.write(
      "rows",
      (tx) => tx.run(sql`delete from dashboard_sessions where hash = ${sha256(token)}`),
    );
  }

  async #record(
    tx: Tx,
    event: "signed_in" | "sign_in_failed",
    details: Readonly<Record<string, string>>,
    { requestId }: SignInRequest,
  ): Promise<void> {
    const at = timestamp(this.#clock.now());
    await recordEvent(tx, { project: NO_PROJECT, event, details, requestId, at });
  }

  #matchesPassword(password: string): boolean {
    return this.#password !== undefined &&
      timingSafeEqual(sha256Bytes(password), sha256Bytes(this.#password));
  }
}

function randomToken(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Returns a fixed-length hash. Constant-time comparisons need inputs of equal length. */
function sha256Bytes(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
