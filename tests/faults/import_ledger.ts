/**
 * An import that the disk can cut off: what its client knows, and how that is compared with the
 * database.
 */

import { deepStrictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import type { Connection } from "../../src/store/sqlite/connection.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import { RefusedError, replyText, throwIfRefused, waitForSuccess } from "../crash/responses.ts";
import type { EmptyProject } from "../../testing/projects.ts";
import type { Snapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";

/** An event that the client of an import observes. */
export type ImportEntry =
  /** The import for a project is about to be sent. */
  | { readonly begins: number }
  /** The import was rejected and nothing changed. */
  | { readonly refused: true }
  /** The response was 202. */
  | { readonly accepted: string }
  /** The operation has succeeded. */
  | { readonly done: true };

/** The state of an import as found in the database. */
export type ImportState = "none" | "in progress" | "complete";

/** The sections whose records are counted, and the tables that store them. */
const COUNTED_TABLES = {
  memories: "memories",
  history: "memory_history",
  feedback: "memory_feedback",
  documents: "document_versions",
  document_contents: "document_contents",
} as const;

/**
 * Sends a snapshot and waits until it has been imported.
 *
 * @param restoreStorage set if the storage can fail; called after a failure, so that the import continues
 * @throws Violation if a response is impossible
 */
export async function importOnce(
  url: string,
  snapshot: unknown,
  { number, key }: EmptyProject,
  record: (note: ImportEntry) => void,
  restoreStorage?: () => unknown,
): Promise<void> {
  const connection = await HttpConnection.open(url);
  const headers = { authorization: `Bearer ${key}`, "idempotency-key": "import" };
  const request = encodeRequest("POST", "/v1/imports", headers, { snapshot });
  const send = async (): Promise<string> => {
    record({ begins: number });
    const reply = await connection.send(request);
    if (reply.status === 202) return parseJson(reply).id;
    if (restoreStorage !== undefined) throwIfRefused(reply);
    throw new Violation(`the import returned ${replyText(reply)}`);
  };
  const id = await send().catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    record({ refused: true });
    restoreStorage!();
    return send();
  });
  record({ accepted: id });
  await waitForSuccess(connection, id, restoreStorage, key);
  record({ done: true });
  connection.close();
}

/** What the client of a single import knows. */
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

  /**
   * Checks that each step is either stored exactly as its progress reports, or not stored at all.
   *
   * @throws Violation if the import is in any other state
   */
  verify(db: Connection): ImportState {
    if (this.#project === null) return "none";
    const [operation, ...others] = db.all<{ id: string; status: string; progress: string | null }>(
      sql`select id, status, progress from tasks
        where project = ${this.#project} and kind = 'import'`,
    );
    const { id = null, status = null } = operation ?? {};
    const summary = `the import is ${status}, accepted ${this.#accepted}, done ${this.#done}`;
    if (others.length > 0) throw new Violation(`${summary}, and there is a second one`);
    if (this.#accepted !== null && id !== this.#accepted) throw new Violation(`${summary}: ${id}`);
    if (this.#done && status !== "success") throw new Violation(summary);
    if (status === "success") this.#checkRecords(db);
    else this.#checkSteps(db, JSON.parse(operation?.progress ?? "null")?.done ?? {}, summary);
    if (status === "success") return "complete";
    return status === null ? "none" : "in progress";
  }

  #checkSteps(db: Connection, done: Readonly<Record<string, number>>, summary: string): void {
    for (const [section, table] of Object.entries(COUNTED_TABLES)) {
      const counted = db.first<{ n: number }>(
        sql([`select count(*) as n from ${table} where project = ${this.#project}`]),
      )!;
      if (counted.n === (done[section] ?? 0)) continue;
      throw new Violation(`${summary}: ${counted.n} ${section}, expected ${done[section] ?? 0}`);
    }
  }

  #checkRecords(db: Connection): void {
    const records = this.#snapshot.records;
    const sorted = (rows: readonly unknown[] | undefined, name: "memory" | "content") =>
      (rows as readonly Record<string, string>[]).map((row) => [row["id"]!, row[name]!]).sort();
    const memories = db.all(sql`select id, memory from memories where project = ${this.#project}`);
    deepStrictEqual(sorted(memories, "memory"), sorted(records["memories"], "memory"));
    const contents = db.all(sql`select id, content from document_contents
      join document_versions on seq = version where document_contents.project = ${this.#project}`);
    deepStrictEqual(sorted(contents, "content"), sorted(records["document_contents"], "content"));
    const complete = Object.keys(COUNTED_TABLES).map((
      section,
    ) => [section, records[section]!.length]);
    this.#checkSteps(db, Object.fromEntries(complete), "the import is done");
  }
}
