/** Lists all clients: which ones are installed, and which ones are connected. */

import { askForTools, requireServer, UnreachableError } from "../../connect/ask_server.ts";
import {
  type Client,
  CLIENTS,
  isInstalled,
  keyInEntry,
  refersToKey,
  urlInEntry,
} from "../../connect/clients.ts";
import type { ConfigTable } from "../../connect/config_format.ts";
import type { Machine } from "../../connect/machine.ts";
import { UsageError } from "../command.ts";
import { readClientConfig } from "./config.ts";

/** How long to wait for each server, in milliseconds. */
const ASK_TIMEOUT_MS = 3_000;

/** A client as listed. */
export interface ListedClient {
  readonly client: string;
  readonly installed: string;
  /** Whether the client's entry works, as far as that can be checked without starting anything. */
  readonly status: string;
  readonly file: string | null;
}

/** Returns all clients. Servers with a URL are asked; processes are not started. */
export async function listClients(machine: Machine): Promise<ListedClient[]> {
  return await Promise.all(CLIENTS.map((client) => listClient(client, machine)));
}

async function listClient(client: Client, machine: Machine): Promise<ListedClient> {
  const installed = isInstalled(client, machine) ? "yes" : "no";
  try {
    const { entry, file } = readClientConfig(client, machine, "user");
    const [status, path] = entry === undefined ? ["-", null] : [await statusOf(entry), file.path];
    return { client: client.id, installed, status, file: path };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { client: client.id, installed, status: "unreadable file", file: null };
  }
}

async function statusOf(entry: ConfigTable): Promise<string> {
  const [url, key] = [urlInEntry(entry), keyInEntry(entry)];
  if (url === undefined) return "starts a process";
  try {
    if (key !== undefined) {
      await askForTools({ kind: "http", url, key }, ASK_TIMEOUT_MS);
      return "connected";
    }
    await requireServer(url, ASK_TIMEOUT_MS);
    return refersToKey(entry) ? "key set elsewhere" : "signs in";
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return error.refusesKey ? "key refused" : "server not reachable";
  }
}
