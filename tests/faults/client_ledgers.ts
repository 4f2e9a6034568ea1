/** What all clients of a server know, and how it is compared with a data directory. */

import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { startServer } from "../../src/server/serve.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { asReader, databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import sql from "sql-template-tag";
import { Archive } from "../crash/archive.ts";
import { findAll } from "../crash/found.ts";
import { checkRecords } from "../crash/invariants.ts";
import { Ledger } from "../crash/ledger.ts";
import { waitUntilDrained } from "../crash/projections.ts";
import { Violation } from "../crash/violation.ts";
import { ImportLedger, type ImportState } from "./import_ledger.ts";

/**
 * Opens a directory as the next start would, and compares it with the ledgers. If an import was cut
 * off, starts a server, which has to finish everything that was accepted.
 *
 * @throws Violation if the directory lacks an acknowledged change or contains a rejected one
 */
export async function checkDirectory(
  directory: string,
  ledgers: ClientLedgers,
): Promise<ImportState> {
  await new SqliteStore(directory).close();
  const found = await check(directory, ledgers.copy(), false);
  if (found !== "in progress") return found;
  await finishAccepted(directory);
  if (await check(directory, ledgers, true) !== "complete") {
    throw new Violation("the import was given up");
  }
  return found;
}

async function check(
  directory: string,
  ledgers: ClientLedgers,
  drained: boolean,
): Promise<ImportState> {
  const faults = runDoctor(directory).filter(({ ok }) => !ok);
  if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
  const db = new Connection(databasePath(directory));
  try {
    const imported = ledgers.imported?.verify(db) ?? "none";
    // A memory without its history isn't a record yet. Records are checked once the import is
    // complete.
    if (imported !== "in progress") await checkRecords(asReader(db));
    ledgers.verify({ ...await findAll(asReader(db)), drained });
    if (ledgers.started && db.first(sql`select 1 from api_keys`) === undefined) {
      throw new Violation("the key of the first start is missing");
    }
    return imported;
  } finally {
    db.close();
  }
}

/** Starts a server and waits until it has finished everything that was accepted. */
async function finishAccepted(directory: string): Promise<void> {
  const server = await startServer({
    data: directory,
    host: "127.0.0.1",
    port: 0,
    logLevel: "off",
    metrics: false,
    apiKey: undefined,
    embedder: NO_EMBEDDER,
    searchMemoryBytes: 2 ** 20,
  }, () => {});
  try {
    await waitUntilDrained(directory, "operations", ({ id }) => {
      throw new Violation(`${id} was given up`);
    });
  } finally {
    await server.stop();
  }
}

/**
 * The ledgers of all clients, built from their entries. A copy can be compared with a directory.
 */
export class ClientLedgers {
  #ledgers = new Map<string, Ledger | Archive>();
  started = false;
  /** Null if nothing is being imported. */
  readonly imported: ImportLedger | null;

  constructor(imported: ImportLedger | null = null) {
    this.imported = imported;
  }

  /**
   * Records an entry.
   *
   * @param text the client and the entry, as JSON
   */
  record(text: string): void {
    const { client, note } = JSON.parse(text);
    if (client === "server") {
      this.started = true;
      return;
    }
    if (client === "import") {
      this.imported!.record(note);
      return;
    }
    let ledger = this.#ledgers.get(client);
    if (ledger === undefined) {
      ledger = client.startsWith("a") ? new Archive(client) : new Ledger(client);
      this.#ledgers.set(client, ledger);
    }
    ledger.record(note);
  }

  copy(): ClientLedgers {
    const copy = new ClientLedgers(this.imported?.copy() ?? null);
    copy.#ledgers = new Map([...this.#ledgers].map(([name, ledger]) => [name, ledger.copy()]));
    copy.started = this.started;
    return copy;
  }

  verify(found: Parameters<Ledger["verify"]>[0] & Parameters<Archive["verify"]>[0]): void {
    for (const ledger of this.#ledgers.values()) ledger.verify(found);
  }
}
