/** `commonplace connect CLIENT --remove`: revokes the key and removes the entry. */

import { keyInEntry, refersToKey } from "../../connect/clients.ts";
import { systemClock } from "../../kernel/clock.ts";
import { programName } from "../../kernel/process/program_name.ts";
import { dataDirectory, hasRecords, printResult, withServices } from "../command.ts";
import { type Call, revoke } from "./call.ts";
import { type ClientConfig, readClientConfig, writeEntry } from "./config.ts";

/** Removes a client's entry. */
export async function remove(call: Call): Promise<void> {
  const { client, machine, scope, flags, terminal } = call;
  const config = readClientConfig(client, machine, scope);
  const key = config.entry && keyInEntry(config.entry);
  // First the key: should the second step fail, the client has no access, and this can be repeated.
  const revoked = key === undefined ? null : await revoke(call, key);
  const remaining = await remainingKeys(call, config);
  const { changed, backup } = await writeEntry(config, undefined, systemClock().now());
  if (flags.switches.has("json")) {
    const file = config.file.path;
    const result = { client: client.id, file, changed, backup, revoked, remaining };
    return printResult(terminal, flags, result);
  }
  if (!changed) return terminal.print(`${client.title} is not connected`);
  terminal.print(`Removed the entry from ${config.file.path}; ${backup} is the file as it was`);
  if (revoked !== null) terminal.print(`Revoked the key "${client.id}" (${revoked})`);
  else if (key !== undefined) {
    const directory = dataDirectory(flags, terminal);
    terminal.print(`The key ${key.slice(0, 8)}… isn't one that connect created in "${directory}"`);
  }
  for (const id of remaining) {
    terminal.print(
      `The key "${client.id}" (${id}) is still valid. If the entry referred to it, run:`,
    );
    terminal.print(`${programName(terminal.environment)} keys revoke ${id}`);
  }
}

/** Returns the keys that were created for a client, one of which its entry may refer to. */
async function remainingKeys(
  { flags, terminal, client }: Call,
  { entry }: ClientConfig,
): Promise<string[]> {
  if (entry === undefined || !refersToKey(entry) || !hasRecords(flags, terminal)) return [];
  return await withServices(
    flags,
    terminal,
    ({ appContext, keys }) => appContext.store.read((db) => keys.findByName(db, client.id)),
  );
}
