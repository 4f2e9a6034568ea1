/** A client that imports at most one snapshot per server run, always into a fresh project. */

import sql from "sql-template-tag";
import { canonicalJson } from "../../src/kernel/hash.ts";
import type { Reader } from "../../src/store/store.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import type { EmptyProject } from "../../testing/projects.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import type { WorkOptions } from "./client.ts";
import {
  isConnectionLost,
  RefusedError,
  replyText,
  throwIfRefused,
  throwIfStopping,
  waitForSuccess,
} from "./responses.ts";
import { exportSnapshot, renumberIds, type Snapshot } from "./snapshot.ts";
import { Violation } from "./violation.ts";

/** Probability of an import during a server run. */
const IMPORT_CHANCE = 0.8;

/** State of the import into a single project. */
type Stage = "none" | "sent" | "accepted" | "done";

/** Record counts by section, then by project number. */
export type FoundImports = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The snapshot sections whose records we count, and the tables that store them. */
const COUNTED_TABLES = {
  memories: "memories",
  history: "memory_history",
  feedback: "memory_feedback",
  documents: "document_versions",
} as const;

/** Counts imported records. */
export async function findImports(db: Reader): Promise<FoundImports> {
  type Counted = { project: number; n: number };
  const found = new Map<string, ReadonlyMap<number, number>>();
  for (const [section, table] of Object.entries(COUNTED_TABLES)) {
    const rows = await db.all<Counted>(
      sql([`select project, count(*) as n from ${table} group by 1`]),
    );
    found.set(section, new Map(rows.map(({ project, n }) => [project, n])));
  }
  return found;
}

export class Importer {
  readonly #snapshot: Snapshot;
  readonly #projects: readonly EmptyProject[];
  readonly #random: SeededRandom;
  readonly #stages: Stage[];
  /** A cut-off import, and whether it turned out to be complete. */
  #toReplay: { readonly index: number; readonly done: boolean } | null = null;

  constructor(snapshot: Snapshot, projects: readonly EmptyProject[], random: SeededRandom) {
    this.#snapshot = snapshot;
    this.#projects = projects;
    this.#random = random;
    this.#stages = projects.map(() => "none");
  }

  /** How many projects have a complete import. */
  get done(): number {
    return this.#stages.filter((stage) => stage === "done").length;
  }

  /** Returns a project's key, or undefined if the project isn't populated by an import. */
  keyOf(project: number): string | undefined {
    return this.#projects.find(({ number }) => number === project)?.key;
  }

  /**
   * Imports one snapshot or none.
   *
   * @throws Violation if a response is impossible
   */
  async work(url: string, { onAcknowledged, restoreStorage }: WorkOptions): Promise<void> {
    const index = this.#toReplay?.index ?? this.#stages.indexOf("none");
    if (index < 0 || !this.#random.chance(IMPORT_CHANCE)) return;
    const stage = this.#stages[index]!;
    let connection: HttpConnection | undefined;
    try {
      connection = await HttpConnection.open(url);
      await this.#import(connection, index, restoreStorage);
      onAcknowledged();
    } catch (error) {
      if (error instanceof RefusedError) this.#stages[index] = stage;
      else if (!isConnectionLost(error)) throw error;
    } finally {
      connection?.close();
    }
  }

  /**
   * Checks that each project contains either its whole snapshot or nothing.
   *
   * @throws Violation if a project contains anything else
   */
  verify({ imports }: { readonly imports: FoundImports }): void {
    for (const [index, { number }] of this.#projects.entries()) {
      const stage = this.#stages[index]!;
      const found = Object.keys(COUNTED_TABLES).map((section) =>
        imports.get(section)!.get(number) ?? 0
      );
      const complete = Object.keys(COUNTED_TABLES).map((section) =>
        this.#snapshot.records[section]!.length
      );
      const isComplete = found.join() === complete.join();
      if (!isComplete && (stage === "accepted" || stage === "done" || found.some((n) => n > 0))) {
        throw new Violation(`import ${index}, ${stage}, has ${found} of ${complete}`);
      }
      if (isComplete && stage === "none") throw new Violation(`import ${index} was never sent`);
      if (stage === "sent") this.#toReplay = { index, done: isComplete };
      // An accepted import is sent again. The response must be a replay.
      if (stage === "accepted") this.#toReplay = { index, done: true };
    }
  }

  /**
   * Exports each import again and compares it record by record.
   *
   * @throws Violation if an export differs
   */
  async checkRecords(url: string): Promise<void> {
    const connection = await HttpConnection.open(url);
    for (const [index, { key }] of this.#projects.entries()) {
      if (this.#stages[index] !== "done") continue;
      const { records } = renumberIds(this.#snapshot, index);
      const again = await exportSnapshot(connection, key, `again-${index}`);
      if (canonicalJson(again.records) === canonicalJson(records)) continue;
      throw new Violation(`the export of import ${index} differs from its snapshot`);
    }
    connection.close();
  }

  async #import(
    connection: HttpConnection,
    index: number,
    restoreStorage: WorkOptions["restoreStorage"],
  ): Promise<void> {
    const { key } = this.#projects[index]!;
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": `import-${index}` };
    const body = { snapshot: renumberIds(this.#snapshot, index) };
    this.#stages[index] = "sent";
    const reply = await connection.send(encodeRequest("POST", "/v1/imports", headers, body));
    throwIfStopping(reply);
    if (restoreStorage !== undefined) throwIfRefused(reply);
    if (reply.status !== 202) throw new Violation(`import ${index} returned ${replyText(reply)}`);
    const replayed = reply.head.includes("\r\nidempotency-replayed: true");
    const expected = this.#toReplay?.done ?? false;
    if (replayed !== expected) {
      throw new Violation(
        `import ${index} done: ${expected}, but the response says replayed: ${replayed}`,
      );
    }
    this.#stages[index] = "accepted";
    this.#toReplay = null;
    await waitForSuccess(connection, parseJson(reply).id, restoreStorage, key);
    this.#stages[index] = "done";
  }
}
