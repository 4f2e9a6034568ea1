/**
 * Clients described by documents. Each document is fetched at most once in ten minutes, and hosts that
 * don't respond aren't contacted for a while, so that the service can't be used to flood another one.
 */

import type { Clock } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LruCache } from "../kernel/caches/lru_cache.ts";
import { FailureLimiter } from "../kernel/http/rate_limiter.ts";
import { clientFromDocument, type FetchDocument } from "./client_documents.ts";
import { CONSENT_MS } from "./owner_attention.ts";
import { type OAuthClient, OAuthError } from "./schema.ts";

const MAX_CACHED_DOCUMENTS = 100;

/**
 * How long a client is cached, in milliseconds. Long enough for the consent page and the decision
 * to see the same document.
 */
const CLIENT_TTL_MS = CONSENT_MS;

/** How long a failure is cached, in milliseconds. The client's author may be fixing it. */
const FAILURE_TTL_MS = 60_000;

interface CachedClient {
  readonly client: Promise<OAuthClient>;
  until: number;
}

/** Finds clients by the URL of their document. */
export class DocumentClients {
  readonly #clock: Clock;
  readonly #fetchText: FetchDocument;
  readonly #cache = new LruCache<string, CachedClient>(MAX_CACHED_DOCUMENTS);
  readonly #failures: FailureLimiter;

  constructor(clock: Clock, fetchText: FetchDocument) {
    this.#clock = clock;
    this.#fetchText = fetchText;
    this.#failures = new FailureLimiter(clock, {
      maxFailures: LIMITS.failedDocumentsPerMinute,
      windowMs: 60_000,
    });
  }

  /**
   * Returns the client that a document describes.
   *
   * @throws OAuthError if there's no such document, or too many from its host have failed
   */
  async find(id: string): Promise<OAuthClient> {
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > this.#clock.now()) return await cached.client;
    const host = new URL(id).hostname;
    this.#requireAllowed(host);
    // Cached before it arrives: requests at the same time share one fetch.
    const client = clientFromDocument(id, this.#fetchText);
    const entry: CachedClient = { client, until: this.#clock.now() + CLIENT_TTL_MS };
    this.#cache.set(id, entry);
    try {
      return await client;
    } catch (error) {
      entry.until = this.#clock.now() + FAILURE_TTL_MS;
      this.#failures.record(host);
      throw error;
    }
  }

  #requireAllowed(host: string): void {
    try {
      this.#failures.requireAllowed(host, `Too many documents from ${host} have failed`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new OAuthError("temporarily_unavailable", error.message, error.retryAfter ?? null);
    }
  }
}
