/** The keys that `connect` creates: one for each connection, named after the client. */

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../connect/clients.ts";
import type { CreatedKey } from "../../projects/schema.ts";
import type { KeyRecord } from "../../projects/keys.ts";
import type { NumberedProject } from "../../projects/service.ts";
import type { Services } from "../../server/services.ts";
import type { Tx } from "../../store/store.ts";

/** A key for a connection. */
export interface ConnectionKey {
  readonly id: string;
  readonly key: string;
  readonly permissions: readonly string[];
  /** Whether it was created now. */
  readonly isNew: boolean;
}

/**
 * Returns the key that the client already has, if it was created for this client and project with
 * the same permissions. Otherwise creates one.
 *
 * @param permissions undefined for all of them, or for those of the existing key
 */
export async function findOrCreateKey(
  tx: Tx,
  { keys }: Services,
  project: NumberedProject,
  client: Client,
  existing: string | undefined,
  permissions: readonly string[] | undefined,
): Promise<ConnectionKey> {
  const record = existing && await findOwnKey(tx, keys, client, existing);
  if (record && record.project === project.number && sameItems(record.permissions, permissions)) {
    return { ...record, key: existing, isNew: false };
  }
  const created: CreatedKey = await keys.create(tx, project, {
    name: client.id,
    ...(permissions === undefined ? {} : { permissions }),
  });
  return { ...created, isNew: true };
}

/** Returns the record of a key that was created for a client, or undefined for any other key. */
export async function findOwnKey(
  tx: Tx,
  keys: Services["keys"],
  client: Client,
  key: string,
): Promise<KeyRecord | undefined> {
  const record = await keys.findRecord(tx, key);
  return record?.name === client.id ? record : undefined;
}

function sameItems(actual: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || isDeepStrictEqual(new Set(actual), new Set(wanted));
}
