/**
 * What the owner is looking at. It's part of the records, because clients can register with another
 * process than the one that shows the owner a page.
 */

import { readMeta, writeMeta } from "../store/meta.ts";
import type { Reader, Tx } from "../store/store.ts";

/**
 * How long a client that the owner was asked about is kept, in milliseconds. Enough time to read the
 * page and decide.
 */
export const CONSENT_MS = 10 * 60_000;

/** Maximum number of clients that the owner is asked about at the same time. */
const MAX_AWAITED_CLIENTS = 100;

// Names in `meta`.
const OPEN_UNTIL = "registration_open_until";
const AWAITED_CLIENTS = "awaited_clients";

/** A client that the owner was asked about, and when, in milliseconds since the Unix epoch. */
type AwaitedClient = readonly [id: string, at: number];

/** Lets clients register until `until`, in milliseconds since the Unix epoch. */
export function openRegistrationUntil(tx: Tx, until: number): Promise<void> {
  return writeMeta(tx, OPEN_UNTIL, String(until));
}

/** Returns until when the owner's last look at the connections lets clients register. */
export async function registrationOpenUntil(db: Reader): Promise<number> {
  return Number(await readMeta(db, OPEN_UNTIL) ?? 0);
}

/** Records that the owner is asked about a client. */
export async function addAwaitedClient(tx: Tx, id: string, now: number): Promise<void> {
  const others = (await readAwaited(tx, now)).filter(([other]) => other !== id);
  const awaited: AwaitedClient[] = [...others, [id, now]];
  await writeMeta(tx, AWAITED_CLIENTS, JSON.stringify(awaited.slice(-MAX_AWAITED_CLIENTS)));
}

/** Returns the ids of the clients that the owner is asked about. */
export async function awaitedClients(db: Reader, now: number): Promise<string[]> {
  return (await readAwaited(db, now)).map(([id]) => id);
}

async function readAwaited(db: Reader, now: number): Promise<AwaitedClient[]> {
  const text = await readMeta(db, AWAITED_CLIENTS);
  const awaited: AwaitedClient[] = text === undefined ? [] : JSON.parse(text);
  return awaited.filter(([, at]) => at > now - CONSENT_MS);
}
