/** Webhooks of a project: who is told of which events, and how far that has come. */

import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { timestamp } from "../kernel/clock.ts";
import { ManagementError } from "../projects/schema.ts";
import type { NumberedProject } from "../projects/service.ts";
import type { Reader, Tx } from "../store/store.ts";
import { isPrivateAddress, literalAddress } from "./private_addresses.ts";

/** Entries of the journal that are events, as `kind change`, and the type each is told as. */
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
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const MAX_URL_CHARACTERS = 2_000;

/** A webhook as it is shown. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly status: "active" | "disabled";
  readonly created_at: string;
  readonly last_delivery_at: string | null;
  /** The HTTP status of the last attempt, or in words why there was none. */
  readonly last_status: string | null;
}

/** A webhook as it is shown once: with the secret that its deliveries are signed with. */
export type CreatedWebhook = Pick<Webhook, "id" | "url" | "events"> & { readonly secret: string };

/** What a new webhook is to be. */
export interface NewWebhook {
  readonly url: string;
  /** All when not given. */
  readonly events?: readonly string[];
  readonly allowPrivate: boolean;
}

/** The service of webhooks. Methods that take a `tx` are part of its unit of work. */
export class WebhookService {
  readonly #appContext: AppContext;

  constructor(appContext: AppContext) {
    this.#appContext = appContext;
  }

  /** @throws ManagementError for an address or an event that can't be */
  async create(tx: Tx, project: NumberedProject, wanted: NewWebhook): Promise<CreatedWebhook> {
    const url = validateUrl(wanted);
    const events = validateEvents(wanted.events ?? ALL_EVENTS);
    const { clock, ids } = this.#appContext;
    const id = ids.next("webhook");
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
    // What happened before somebody wanted to know is not told.
    await tx.run(sql`insert into webhooks
      (project, id, url, secret, events, created_at, position)
      values (${project.number}, ${id}, ${url}, ${secret}, ${JSON.stringify(events)},
       ${timestamp(clock.now())}, (select coalesce(max(seq), 0) from journal))`);
    tx.notify("journal");
    return { id, url, events, secret };
  }

  /** Oldest first. */
  async list(db: Reader, project: NumberedProject): Promise<Webhook[]> {
    const rows = await db.all<Omit<Webhook, "events"> & { events: string }>(sql`
      select id, url, events, status, created_at, last_delivery_at, last_status
      from webhooks where project = ${project.number} order by id`);
    return rows.map((row) => ({ ...row, events: JSON.parse(row.events) }));
  }

  /** @throws ManagementError when there is none */
  async delete(tx: Tx, id: string): Promise<void> {
    if (await tx.run(sql`delete from webhooks where id = ${id}`) === 0) {
      throw new ManagementError(`There is no webhook "${id}"`);
    }
  }
}

function validateUrl({ url, allowPrivate }: NewWebhook): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ManagementError("The URL of a webhook must begin with https:// or http://");
  }
  if (url.length > MAX_URL_CHARACTERS) {
    throw new ManagementError(
      `The URL of a webhook can have at most ${MAX_URL_CHARACTERS} characters`,
    );
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new ManagementError("The URL of a webhook can't hold a password");
  }
  const literal = literalAddress(parsed.hostname);
  if (!allowPrivate && literal !== null && isPrivateAddress(literal)) {
    throw new ManagementError(`${literal} is a private address; see --webhooks-allow-private`);
  }
  return parsed.href;
}

function validateEvents(events: readonly string[]): readonly string[] {
  const unknown = events.find((event) => !ALL_EVENTS.includes(event));
  if (unknown === undefined && events.length > 0) return [...new Set(events)];
  throw new ManagementError(
    `There is no event "${unknown ?? ""}"; there are ${ALL_EVENTS.join(", ")}`,
  );
}
