/** An import on a disk that may be cut off: what its client knows, and what is held against that. */

import { deepStrictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import type { Connection } from "../../src/store/sqlite/connection.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { RefusedError, replyText, throwIfRefused, waitForSuccess } from "../crash/client.ts";
import type { EmptyProject } from "../crash/importer.ts";
import type { Snapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";

/** What the client of an import learns. */
export type ImportEntry =
  /** It is about to be sent for a project. */
  | { readonly begins: number }
  /** It was refused, and nothing was changed. */
  | { readonly refused: true }
  /** It was answered 202. */
  | { readonly accepted: string }
  /** Its operation has succeeded. */
  | { readonly done: true };

/** How far an import is found to be. */
export type ImportState = "nothing" | "under way" | "whole";

/** Sections whose records are counted, by the tables that they are kept in. */
const COUNTED_TABLES = {
  memories: "memories",
  history: "memory_history",
  feedback: "memory_feedback",
  documents: "document_versions",
  document_contents: "document_contents",
} as const;

/**
 * Sends a snapshot and waits until it is there.
 *
 * @param restoreDisk where the disk may fail: called when it has, so that it goes on
 * @throws Violation for an answer that can't be
 */
export async function importOnce(
  url: string,
  snapshot: unknown,
  { number, key }: EmptyProject,
  record: (note: ImportEntry) => void,
  restoreDisk?: () => unknown,
): Promise<void> {
  const line = await HttpConnection.open(url);
  const headers = { authorization: `Bearer ${key}`, "idempotency-key": "import" };
  const request = encodeRequest("POST", "/v1/imports", headers, { snapshot });
  const send = async (): Promise<string> => {
    record({ begins: number });
    const reply = await line.send(request);
    if (reply.status === 202) return parseJson(reply).id;
    if (restoreDisk !== undefined) throwIfRefused(reply);
    throw new Violation(`the import answered ${replyText(reply)}`);
  };
  const id = await send().catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    record({ refused: true });
    restoreDisk!();
    return send();
  });
  record({ accepted: id });
  await waitForSuccess(line, id, restoreDisk, key);
  record({ done: true });
  line.close();
}

/** The one import of a record. */
export class ImportLedger {
  readonly #snapshot: Snapshot;
  #project: number | null = null;
  #accepted: string | null = null;
  #done = false;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  record(entry: ImportEntry): void {
    if ("begins" in entry) this.#project = entry.begins;
    else if ("refused" in entry) return;
    else if ("accepted" in entry) this.#accepted = entry.accepted;
    else this.#done = entry.done;
  }

  copy(): ImportLedger {
    const copy = new ImportLedger(this.#snapshot);
    [copy.#project, copy.#accepted, copy.#done] = [this.#project, this.#accepted, this.#done];
    return copy;
  }

  /** Each step is there with what it says of itself, or not at all. @throws Violation */
  verify(db: Connection): ImportState {
    if (this.#project === null) return "nothing";
    const [operation, ...more] = db.all<{ id: string; status: string; progress: string | null }>(
      sql`select id, status, progress from tasks
        where project = ${this.#project} and kind = 'import'`,
    );
    const { id = null, status = null } = operation ?? {};
    const says = `the import is ${status}, accepted ${this.#accepted}, done ${this.#done}`;
    if (more.length > 0) throw new Violation(`${says}, and there is another`);
    if (this.#accepted !== null && id !== this.#accepted) throw new Violation(`${says}: ${id}`);
    if (this.#done && status !== "success") throw new Violation(says);
    if (status === "success") this.#checkRecords(db);
    else this.#checkSteps(db, JSON.parse(operation?.progress ?? "null")?.done ?? {}, says);
    if (status === "success") return "whole";
    return status === null ? "nothing" : "under way";
  }

  #checkSteps(db: Connection, done: Readonly<Record<string, number>>, says: string): void {
    for (const [section, table] of Object.entries(COUNTED_TABLES)) {
      const counted = db.first<{ n: number }>(
        sql([`select count(*) as n from ${table} where project = ${this.#project}`]),
      )!;
      if (counted.n === (done[section] ?? 0)) continue;
      throw new Violation(`${says}: ${counted.n} ${section}, of ${done[section] ?? 0} it tells`);
    }
  }

  #checkRecords(db: Connection): void {
    const records = this.#snapshot.records;
    const kept = (rows: readonly unknown[] | undefined, name: "memory" | "content") =>
      (rows as readonly Record<string, string>[]).map((row) => [row["id"]!, row[name]!]).sort();
    const memories = db.all(sql`select id, memory from memories where project = ${this.#project}`);
    deepStrictEqual(kept(memories, "memory"), kept(records["memories"], "memory"));
    const contents = db.all(sql`select id, content from document_contents
      join document_versions on seq = version where document_contents.project = ${this.#project}`);
    deepStrictEqual(kept(contents, "content"), kept(records["document_contents"], "content"));
    const whole = Object.keys(COUNTED_TABLES).map((section) => [section, records[section]!.length]);
    this.#checkSteps(db, Object.fromEntries(whole), "the import is done");
  }
}
