/** Everything that the clients of a server have been told, and a directory held against it. */

import { examine } from "../../src/server/doctor/doctor.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import sql from "sql-template-tag";
import { Archive } from "../crash/archive.ts";
import { findAll } from "../crash/found.ts";
import { checkRecords } from "../crash/invariants.ts";
import { Ledger } from "../crash/ledger.ts";
import { Violation } from "../crash/violation.ts";

/** Opens a directory as the next start would, and compares. @throws Violation */
export async function checkDirectory(directory: string, told: Told): Promise<void> {
  await new SqliteStore(directory).close();
  const faults = examine(directory).filter(({ ok }) => !ok);
  if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
  const db = new Connection(databasePath(directory));
  try {
    checkRecords(db);
    told.settle({ ...findAll(db), drained: false });
    if (told.started && db.first(sql`select 1 from api_keys`) === undefined) {
      throw new Violation("the key of the first start is gone");
    }
  } finally {
    db.close();
  }
}

/** What clients know, by their notes; a copy can be held against a directory. */
export class Told {
  #ledgers = new Map<string, Ledger | Archive>();
  started = false;

  /** @param text a client and what it noted, as JSON */
  hear(text: string): void {
    const { client, note } = JSON.parse(text);
    if (client === "server") {
      this.started = true;
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
    const copy = new Told();
    copy.#ledgers = new Map([...this.#ledgers].map(([name, ledger]) => [name, ledger.copy()]));
    copy.started = this.started;
    return copy;
  }

  settle(found: Parameters<Ledger["settle"]>[0] & Parameters<Archive["settle"]>[0]): void {
    for (const ledger of this.#ledgers.values()) ledger.settle(found);
  }
}
