/**
 * Clients that register themselves (RFC 7591). Anyone can register, so a registration gives no
 * access, is limited in number, and expires unless an owner approves a connection.
 *
 * A flood of registrations must not keep the owner from connecting a client. A new registration
 * replaces the oldest one beyond the limit, except for those that the owner has approved and those
 * that the consent page asks about. While the owner looks at the connections, addresses have no
 * limit of their own, because strangers can share the client's address behind a proxy.
 */

import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { z } from "zod";
import type { AppContext } from "../contract/app_context.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { HOUR_MS, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isStorageUnavailable } from "../store/disk_error.ts";
import { texts } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import {
  addAwaitedClient,
  awaitedClients,
  openRegistrationUntil,
  registrationOpenUntil,
} from "./owner_attention.ts";
import { redirectUriProblem } from "./redirect_uris.ts";
import { type OAuthClient, OAuthError } from "./schema.ts";

/** How long registration stays open after the owner has looked at the connections, in milliseconds. */
const OPEN_REGISTRATION_MS = 2 * 60_000;

/** How often that's written while the owner does, in milliseconds. */
const MIN_REOPEN_INTERVAL_MS = 30_000;

const UNNAMED = "Unnamed client";

const redirectUri = z.string().superRefine((uri, context) => {
  const problem = redirectUriProblem(uri);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** Metadata of a client. Members that this service doesn't use are ignored. */
const metadataSchema = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(redirectUri).min(1).max(10),
  grant_types: z.array(z.string()).optional()
    .refine((types) => types === undefined || types.includes("authorization_code"), {
      message: "must contain authorization_code",
    }),
  response_types: z.array(z.string()).optional()
    .refine((types) => types === undefined || types.includes("code"), {
      message: "must contain code",
    }),
});

/** What a client says about itself. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/**
 * Parses the metadata of a client.
 *
 * @throws OAuthError that names the invalid member
 */
export function parseClientMetadata(value: unknown): ClientMetadata {
  const parsed = metadataSchema.safeParse(value, { error: zodErrorMap });
  if (parsed.success) {
    const { client_name = "", redirect_uris } = parsed.data;
    return { name: displayName(client_name), redirectUris: [...new Set(redirect_uris)] };
  }
  const [issue] = parsed.error.issues;
  const path = issue!.path.join(".");
  const code = path.startsWith("redirect_uris")
    ? "invalid_redirect_uri"
    : "invalid_client_metadata";
  throw new OAuthError(code, path === "" ? issue!.message : `${path}: ${issue!.message}`);
}

/** Returns a name that is safe to show: on one line, without characters that reorder the text. */
function displayName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return [...plain].slice(0, LIMITS.clientNameCharacters).join("") || UNNAMED;
}

/** The registered clients. */
export class ClientRegistry {
  readonly #appContext: AppContext;
  /** Until when this process has opened registration. */
  #openUntil = -Infinity;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** Lets clients register for two minutes, even if many others do. Only the owner can cause that. */
  async openRegistration(): Promise<void> {
    const until = this.#appContext.clock.now() + OPEN_REGISTRATION_MS;
    if (until < this.#openUntil + MIN_REOPEN_INTERVAL_MS) return;
    try {
      await this.#appContext.store.write("projects", (tx) => openRegistrationUntil(tx, until));
      this.#openUntil = until;
    } catch (error) {
      // No client can register then either, but the owner can still see the page.
      if (!isStorageUnavailable(error)) throw error;
    }
  }

  /** Checks whether the owner is looking at the connections, and so could be adding one. */
  async isRegistrationOpen(): Promise<boolean> {
    const until = await this.#appContext.store.read(registrationOpenUntil);
    const left = until - this.#appContext.clock.now();
    // More is left if the clock was wrong when it was opened.
    return left > 0 && left <= OPEN_REGISTRATION_MS;
  }

  /** Records that the owner is asked about a client. Newer registrations don't replace it now. */
  async recordConsentRequest(id: string): Promise<void> {
    const now = this.#appContext.clock.now();
    await this.#appContext.store.write("projects", (tx) => addAwaitedClient(tx, id, now));
  }

  /**
   * Registers a client. It has no entry in the audit log, which anyone could fill that way; the
   * approval of a connection has one with the client's name and address.
   */
  async register(
    metadata: ClientMetadata,
  ): Promise<OAuthClient & { readonly createdAt: number }> {
    const now = this.#appContext.clock.now();
    const id = `client_${randomBytes(16).toString("base64url")}`;
    await this.#appContext.store.write("projects", async (tx) => {
      await this.#makeRoom(tx, now);
      await tx.run(sql`insert into oauth_clients (id, name, redirect_uris, created_at)
        values (${id}, ${metadata.name}, ${JSON.stringify(metadata.redirectUris)},
          ${timestamp(now)})`);
    });
    return { id, ...metadata, known: false, createdAt: now };
  }

  /** Returns a client, or undefined if there isn't one or its registration has expired. */
  async find(id: string): Promise<OAuthClient | undefined> {
    const unusedSince = timestamp(this.#appContext.clock.now() - registrationTtlMs());
    const row = await this.#appContext.store.queryOne<
      { name: string; redirect_uris: string; used_at: string | null }
    >(sql`select name, redirect_uris, used_at from oauth_clients
      where id = ${id} and (used_at is not null or created_at > ${unusedSince})`);
    if (row === undefined) return undefined;
    const { name, redirect_uris, used_at } = row;
    return { id, name, redirectUris: JSON.parse(redirect_uris), known: used_at !== null };
  }

  /** Deletes up to `count` registrations that no owner approved in time. */
  deleteUnused(tx: Tx, count: number): Promise<number> {
    const before = timestamp(this.#appContext.clock.now() - registrationTtlMs());
    return tx.run(sql`delete from oauth_clients where id in
      (select id from oauth_clients
       where used_at is null and created_at <= ${before} limit ${count})`);
  }

  /** Keeps the number of unused registrations within the limit. The oldest ones go first. */
  async #makeRoom(tx: Tx, now: number): Promise<void> {
    const { unused } = (await tx.first<{ unused: number }>(
      sql`select count(*) as unused from oauth_clients where used_at is null`,
    ))!;
    const excess = unused - LIMITS.unusedClients + 1;
    if (excess <= 0) return;
    const awaited = await awaitedClients(tx, now);
    await tx.run(sql`delete from oauth_clients where id in
      (select id from oauth_clients where used_at is null and id not in ${texts(awaited)}
       order by created_at limit ${excess})`);
  }
}

/** Remembers that an owner approved a client. Its registration no longer expires. */
export async function markClientUsed(tx: Tx, id: string, at: string): Promise<void> {
  await tx.run(sql`update oauth_clients set used_at = ${at} where id = ${id} and used_at is null`);
}

function registrationTtlMs(): number {
  return LIMITS.unusedClientHours * HOUR_MS;
}
