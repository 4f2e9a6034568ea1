/** A project's webhooks: URLs, subscribed events, and positions in the journal. */

import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ManagementError } from "../projects/schema.ts";
import type { NumberedProject } from "../projects/service.ts";
import type { Reader, Tx } from "../store/store.ts";
import { isPrivateAddress, literalAddress } from "../kernel/http/private_addresses.ts";

/** Event types, keyed by the `kind change` of their journal entries. */
export const EVENT_TYPES: Readonly<Record<string, string>> = {
  "memory ADD": "memory.added",
  "memory UPDATE": "memory.updated",
  "memory DELETE": "memory.deleted",
  "memory INVALIDATE": "memory.invalidated",
  "event SUCCESS": "event.succeeded",
  "event DEAD": "event.failed",
  "operation SUCCESS": "operation.succeeded",
  "operation DEAD": "operation.dead",
  "document ADD": "document.created",
  "document DELETE": "document.deleted",
};

const ALL_EVENTS = Object.values(EVENT_TYPES);
/** Standard Webhooks recommends 24–64 bytes. */
const SECRET_BYTES = 32;
const MAX_URL_CHARACTERS = 2_000;

/** A webhook as listed. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly status: "active" | "disabled";
  readonly created_at: string;
  readonly last_delivery_at: string | null;
  /** HTTP status of the last attempt, or why there isn't one. */
  readonly last_status: string | null;
}

/**
 * A new webhook, including the secret its deliveries are signed with. The secret is shown only
 * once.
 */
export type CreatedWebhook = Pick<Webhook, "id" | "url" | "events"> & { readonly secret: string };

/** Settings for a new webhook. */
export interface NewWebhook {
  readonly url: string;
  /** Event types to subscribe to. Defaults to all. */
  readonly events?: readonly string[];
  readonly allowPrivate: boolean;
}

/** The webhook service. Methods that take a `tx` run in its unit of work. */
export class WebhookService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /**
   * Creates a webhook.
   *
   * @throws ManagementError if the URL or an event is invalid
   */
  async create(tx: Tx, project: NumberedProject, settings: NewWebhook): Promise<CreatedWebhook> {
    const url = validateUrl(settings);
    const events = validateEvents(settings.events ?? ALL_EVENTS);
    const { clock, ids } = this.#appContext;
    const id = ids.next("webhook");
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
    // Events from before its creation aren't delivered.
    await tx.run(sql`insert into webhooks
      (project, id, url, secret, events, created_at, position)
      values (${project.number}, ${id}, ${url}, ${secret}, ${JSON.stringify(events)},
       ${timestamp(clock.now())}, (select coalesce(max(seq), 0) from journal))`);
    tx.notify("journal");
    return { id, url, events, secret };
  }

  /** Returns a project's webhooks, oldest first. */
  async list(db: Reader, project: NumberedProject): Promise<Webhook[]> {
    const rows = await db.all<Omit<Webhook, "events"> & { events: string }>(sql`
      select id, url, events, status, created_at, last_delivery_at, last_status
      from webhooks where project = ${project.number} order by id`);
    return rows.map((row) => ({ ...row, events: JSON.parse(row.events) }));
  }

  /**
   * Deletes a webhook.
   *
   * @throws ManagementError if the webhook doesn't exist
   */
  async delete(tx: Tx, id: string): Promise<void> {
    if (await tx.run(sql`delete from webhooks where id = ${id}`) === 0) {
      throw new ManagementError(`No webhook "${id}"`);
    }
  }
}

function validateUrl({ url, allowPrivate }: NewWebhook): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ManagementError("Webhook URL must begin with https:// or http://");
  }
  if (url.length > MAX_URL_CHARACTERS) {
    throw new ManagementError(`Webhook URL must have at most ${MAX_URL_CHARACTERS} characters`);
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new ManagementError("Webhook URL must not contain a user name or password");
  }
  const literal = literalAddress(parsed.hostname);
  if (!allowPrivate && literal !== null && isPrivateAddress(literal)) {
    throw new ManagementError(
      `${literal} is a private address; pass --webhooks-allow-private to allow it`,
    );
  }
  return parsed.href;
}

function validateEvents(events: readonly string[]): readonly string[] {
  const unknown = events.find((event) => !ALL_EVENTS.includes(event));
  if (unknown === undefined && events.length > 0) return [...new Set(events)];
  throw new ManagementError(
    `Unknown event "${unknown ?? ""}"; expected one of ${ALL_EVENTS.join(", ")}`,
  );
}
