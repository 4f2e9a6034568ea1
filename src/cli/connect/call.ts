/** A call of `connect` for one client. */

import type { Client } from "../../connect/clients.ts";
import type { Machine } from "../../connect/machine.ts";
import type { FixedScope } from "../../mcp/scopes.ts";
import { type Flags, hasRecords, inUnitOfWork, type Terminal } from "../command.ts";
import { withCleanup } from "../interruption.ts";
import type { ConfigScope } from "./config.ts";
import { findOwnKey } from "./keys.ts";

/** A parsed command line. */
export interface Call {
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly machine: Machine;
  readonly client: Client;
  readonly scope: ConfigScope;
  readonly fixed: FixedScope;
}

/** Revokes a key if it was created for this client in this data directory. */
export async function revoke(call: Call, key: string): Promise<string | null> {
  const { flags, terminal, client } = call;
  if (!hasRecords(flags, terminal)) return null;
  return await inUnitOfWork(flags, terminal, async (tx, { keys }) => {
    const record = await findOwnKey(tx, keys, client, key);
    if (record !== undefined) await keys.revoke(tx, record.id);
    return record?.id ?? null;
  }, { owner: "rows" });
}

/**
 * Runs `work`. If it fails or a signal ends the process, revokes the key that was created for it.
 *
 * @param key undefined if none was created
 */
export async function withNewKey<T>(
  call: Call,
  key: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return await work();
  const undo = () => revoke(call, key);
  try {
    return await withCleanup(undo, work);
  } catch (error) {
    await undo();
    throw error;
  }
}
