/** A client that imports: at most one snapshot between two ends of the server, each into a project of its own. */

import sql from "sql-template-tag";
import { canonicalJson } from "../../src/kernel/hash.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import type { Connection } from "../../src/store/sqlite/connection.ts";
import { encodeRequest, HttpConnection, parseJson } from "../../testing/http_connection.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import {
  isConnectionLost,
  replyText,
  throwIfStopping,
  waitForSuccess,
  type WorkOptions,
} from "./client.ts";
import { exportSnapshot, renumberIds, type Snapshot } from "./snapshot.ts";
import { Violation } from "./violation.ts";

/** How often there is an import between two ends. */
const IMPORT_CHANCE = 0.8;

/** A project into which nothing has been imported yet. */
export interface EmptyProject {
  readonly number: number;
  readonly key: string;
}

/** What came of the import into one project. */
type Stage = "none" | "sent" | "accepted" | "done";

/** Records of a kind in each project, by its number. */
export type FoundImports = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** What is counted of an import: sections of the snapshot, by the tables they are kept in. */
const COUNTED_TABLES = {
  memories: "memories",
  history: "memory_history",
  feedback: "memory_feedback",
  documents: "document_versions",
} as const;

/** Adds projects to a directory, beside the server that runs on it. */
export async function addProjects(directory: string, count: number): Promise<EmptyProject[]> {
  const services = await openServices(directory);
  try {
    return await services.appContext.store.write(async (tx) => {
      const made: EmptyProject[] = [];
      for (let index = 0; index < count; index++) {
        const project = await services.projects.create(tx, `import-${index}`);
        const { key } = await services.keys.create(tx, project, {});
        made.push({ number: project.number, key });
      }
      return made;
    });
  } finally {
    await closeServices(services);
  }
}

/** Counts what imports have made. */
export function findImports(db: Connection): FoundImports {
  type Counted = { project: number; n: number };
  return new Map(
    Object.entries(COUNTED_TABLES).map(([section, table]) => {
      const rows = db.all<Counted>(sql([`select project, count(*) as n from ${table} group by 1`]));
      return [section, new Map(rows.map(({ project, n }) => [project, n]))];
    }),
  );
}

export class Importer {
  readonly #snapshot: Snapshot;
  readonly #projects: readonly EmptyProject[];
  readonly #random: SeededRandom;
  readonly #stages: Stage[];
  /** The import that was cut off: whether it was found to be done. */
  #toReplay: { readonly index: number; readonly done: boolean } | null = null;

  constructor(snapshot: Snapshot, projects: readonly EmptyProject[], random: SeededRandom) {
    this.#snapshot = snapshot;
    this.#projects = projects;
    this.#random = random;
    this.#stages = projects.map(() => "none");
  }

  /** How many snapshots are in their projects. */
  get done(): number {
    return this.#stages.filter((stage) => stage === "done").length;
  }

  /** The key of a project; undefined for one that isn't filled by imports. */
  keyOf(project: number): string | undefined {
    return this.#projects.find(({ number }) => number === project)?.key;
  }

  /** Imports once, or not. @throws Violation for an answer that can't be */
  async work(url: string, { onAcknowledged }: Pick<WorkOptions, "onAcknowledged">): Promise<void> {
    const index = this.#toReplay?.index ?? this.#stages.indexOf("none");
    if (index < 0 || !this.#random.chance(IMPORT_CHANCE)) return;
    let line: HttpConnection | undefined;
    try {
      line = await HttpConnection.open(url);
      await this.#import(line, index);
      onAcknowledged();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    } finally {
      line?.close();
    }
  }

  /** Each project has all of its snapshot or nothing. @throws Violation */
  verify({ imports }: { readonly imports: FoundImports }): void {
    for (const [index, { number }] of this.#projects.entries()) {
      const stage = this.#stages[index]!;
      const found = Object.keys(COUNTED_TABLES).map((section) =>
        imports.get(section)!.get(number) ?? 0
      );
      const whole = Object.keys(COUNTED_TABLES).map((section) =>
        this.#snapshot.records[section]!.length
      );
      const isWhole = found.join() === whole.join();
      if (!isWhole && (stage === "accepted" || stage === "done" || found.some((n) => n > 0))) {
        throw new Violation(`import ${index}, ${stage}, has ${found} of ${whole}`);
      }
      if (isWhole && stage === "none") throw new Violation(`import ${index} was never sent`);
      if (stage === "sent") this.#toReplay = { index, done: isWhole };
      // What was accepted may have been answered or not; sent again, it must be a replay.
      if (stage === "accepted") this.#toReplay = { index, done: true };
    }
  }

  /** What was imported comes out again, record by record. @throws Violation */
  async checkRecords(url: string): Promise<void> {
    const line = await HttpConnection.open(url);
    for (const [index, { key }] of this.#projects.entries()) {
      if (this.#stages[index] !== "done") continue;
      const { records } = renumberIds(this.#snapshot, index);
      const again = await exportSnapshot(line, key, `again-${index}`);
      if (canonicalJson(again.records) === canonicalJson(records)) continue;
      throw new Violation(`import ${index} is exported as another`);
    }
    line.close();
  }

  async #import(line: HttpConnection, index: number): Promise<void> {
    const { key } = this.#projects[index]!;
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": `import-${index}` };
    const body = { snapshot: renumberIds(this.#snapshot, index) };
    this.#stages[index] = "sent";
    const reply = await line.send(encodeRequest("POST", "/v1/imports", headers, body));
    throwIfStopping(reply);
    if (reply.status !== 202) throw new Violation(`import ${index} answered ${replyText(reply)}`);
    const replayed = reply.head.includes("\r\nidempotency-replayed: true");
    const expected = this.#toReplay?.done ?? false;
    if (replayed !== expected) {
      throw new Violation(
        `import ${index} done: ${expected}, but answered as replayed: ${replayed}`,
      );
    }
    this.#stages[index] = "accepted";
    this.#toReplay = null;
    await waitForSuccess(line, parseJson(reply).id, undefined, key);
    this.#stages[index] = "done";
  }
}
