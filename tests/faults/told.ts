/** Everything that the clients of a server have been told, and a directory held against it. */

import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { examine } from "../../src/server/doctor/doctor.ts";
import { startServer } from "../../src/server/serve.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import sql from "sql-template-tag";
import { Archive } from "../crash/archive.ts";
import { findAll } from "../crash/found.ts";
import { checkRecords } from "../crash/invariants.ts";
import { Ledger } from "../crash/ledger.ts";
import { untilDrained } from "../crash/projections.ts";
import { Violation } from "../crash/violation.ts";
import { type ImportState, ToldImport } from "./imported.ts";

/**
 * Opens a directory as the next start would, and compares. Where an import is cut off, that start is
 * made: it has to finish what was accepted. @throws Violation
 */
export async function checkDirectory(directory: string, told: Told): Promise<ImportState> {
  await new SqliteStore(directory).close();
  const found = check(directory, told.copy(), false);
  if (found !== "under way") return found;
  await goOn(directory);
  if (check(directory, told, true) !== "whole") throw new Violation("the import was given up");
  return found;
}

function check(directory: string, told: Told, drained: boolean): ImportState {
  const faults = examine(directory).filter(({ ok }) => !ok);
  if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
  const db = new Connection(databasePath(directory));
  try {
    const imported = told.imported?.settle(db) ?? "nothing";
    // A memory whose history is still to come is no record yet; they are looked at afterwards.
    if (imported !== "under way") checkRecords(db);
    told.settle({ ...findAll(db), drained });
    if (told.started && db.first(sql`select 1 from api_keys`) === undefined) {
      throw new Violation("the key of the first start is gone");
    }
    return imported;
  } finally {
    db.close();
  }
}

/** Lets a server finish what had been accepted. */
async function goOn(directory: string): Promise<void> {
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
    await untilDrained(directory, "operations", (operation) => {
      throw new Violation(`${operation} was given up`);
    });
  } finally {
    await server.stop();
  }
}

/** What clients know, by their notes; a copy can be held against a directory. */
export class Told {
  #ledgers = new Map<string, Ledger | Archive>();
  started = false;
  /** Null where nothing is imported. */
  readonly imported: ToldImport | null;

  constructor(imported: ToldImport | null = null) {
    this.imported = imported;
  }

  /** @param text a client and what it noted, as JSON */
  hear(text: string): void {
    const { client, note } = JSON.parse(text);
    if (client === "server") {
      this.started = true;
      return;
    }
    if (client === "import") {
      this.imported!.hear(note);
      return;
    }
    let ledger = this.#ledgers.get(client);
    if (ledger === undefined) {
      ledger = client.startsWith("a") ? new Archive(client) : new Ledger(client);
      this.#ledgers.set(client, ledger);
    }
    ledger.note(note);
  }

  copy(): Told {
    const copy = new Told(this.imported?.copy() ?? null);
    copy.#ledgers = new Map([...this.#ledgers].map(([name, ledger]) => [name, ledger.copy()]));
    copy.started = this.started;
    return copy;
  }

  settle(found: Parameters<Ledger["settle"]>[0] & Parameters<Archive["settle"]>[0]): void {
    for (const ledger of this.#ledgers.values()) ledger.settle(found);
  }
}
