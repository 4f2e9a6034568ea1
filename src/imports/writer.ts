/**
 * Writes imported records. A batch is one unit of work: its records, their history, the journal,
 * the counters and the import's progress are written together.
 */

import type { Actor } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import type { DocumentService, PreparedDocument } from "../documents/service.ts";
import type { ImportedMemories } from "../memories/imported.ts";
import type { MemoryService } from "../memories/service.ts";
import type { Reader, Tx } from "../store/store.ts";
import { existingTasks } from "../tasks/repository.ts";
import { unreadPart } from "./inferred_adds.ts";
import type { ImportStep } from "./reading.ts";
import {
  comesFrom,
  type DocumentParts,
  type ImportedDocument,
  type ImportedRecords,
  type Owners,
} from "./records.ts";
import type { StepOutcome } from "./tally.ts";

/** Maximum size of a batch. Other writers wait no longer than for a large request. */
const MAX_BATCH_RECORDS = 100;
const MAX_BATCH_BYTES = 256 * 1024;

/** Dependencies of the writer. */
export interface WriterDeps {
  readonly appContext: AppContext;
  readonly memories: MemoryService;
  readonly imported: ImportedMemories;
  readonly documents: DocumentService;
}

/** Consecutive steps to be written together. */
export interface ImportBatch {
  /** Number of steps up to the end of the batch. */
  readonly end: number;
  readonly steps: readonly ImportStep[];
}

/** A batch's records, with the slow part of the work already done. */
export interface PreparedBatch {
  readonly batch: ImportBatch;
  readonly documents: Map<ImportedDocument, PreparedDocument>;
}

/** What writing a batch did. */
export interface BatchOutcome extends StepOutcome {
  /** Documents that were not written because their source belongs to someone else. */
  readonly refused: readonly { readonly where: string; readonly reason: string }[];
  /** Adds that were left out along with these documents. */
  readonly refusedAdds: number;
}

/**
 * Groups steps into batches, starting after the first `done` steps. All are in one list, which is
 * emptied when the next batch is requested: V8 soon allocates lists like it with its old objects,
 * where a forgotten one keeps its texts in memory until the next full collection.
 */
export async function* batchesOf(
  steps: AsyncIterable<ImportStep>,
  done: number,
): AsyncGenerator<ImportBatch> {
  let [end, size, bytes]: [number, number, number] = [0, 0, 0];
  const batch: ImportStep[] = [];
  for await (const step of steps) {
    if (++end <= done) continue;
    batch.push(step);
    size += recordCount(step);
    bytes += byteCount(step);
    if (size < MAX_BATCH_RECORDS && bytes < MAX_BATCH_BYTES && batch.length < 1_000) continue;
    yield { end, steps: batch };
    batch.length = 0;
    [size, bytes] = [0, 0];
  }
  if (batch.length > 0) yield { end, steps: batch };
}

function recordCount(step: ImportStep): number {
  if (step.kind !== "records") return 0;
  const { memories, documents, adds } = step.records;
  return memories.length + documents.length + adds.length;
}

/** Returns roughly the size of a step's texts, in characters. */
function byteCount(step: ImportStep): number {
  if (step.kind !== "records") return 0;
  const { memories, documents } = step.records;
  return memories.reduce((sum, { memory }) => sum + memory.length, 0) +
    documents.reduce((sum, { document }) => sum + document.content.length, 0);
}

/** Writes batches. */
export class ImportWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Returns what writing a batch would do, without writing it. */
  preview(project: number, batch: ImportBatch): Promise<BatchOutcome> {
    return this.#deps.appContext.store.read(async (db) => {
      const outcome = new Outcome();
      await this.#forEachRecord(batch, {
        memories: async (memories) => {
          const ids = memories.map(({ id }) => id);
          const known = await this.#deps.imported.known(db, project, ids);
          outcome.memories += ids.filter((id) => !known.has(id)).length;
        },
        document: async (imported, where) => {
          const head = await this.#headOf(db, project, imported, where, outcome);
          if (head === "differs") outcome.documents++;
          return head !== "foreign";
        },
        refusedAdds: (count) => void (outcome.refusedAdds += count),
        add: async (add) => {
          const existing = await existingTasks(db, project, add.ids);
          if (unreadPart(add, existing) !== null) outcome.inferred_adds++;
        },
      });
      return outcome;
    });
  }

  /** Cuts a batch's documents into chunks. The caller must pass the result to `dispose`. */
  async prepare(project: number, batch: ImportBatch): Promise<PreparedBatch> {
    const documents = new Map<ImportedDocument, PreparedDocument>();
    const prepared = { batch, documents };
    try {
      for (const step of batch.steps) {
        for (const imported of step.kind === "records" ? step.records.documents : []) {
          const { document, createdAt } = imported;
          documents.set(
            imported,
            await this.#deps.documents.prepare(project, { ...document, createdAt }),
          );
        }
      }
      return prepared;
    } catch (error) {
      this.dispose(prepared);
      throw error;
    }
  }

  /** Writes a prepared batch in the given unit of work. */
  async write(
    tx: Tx,
    actor: Actor,
    { batch, documents }: PreparedBatch,
    operation: string,
  ): Promise<BatchOutcome> {
    const outcome = new Outcome();
    const { project } = actor;
    await this.#forEachRecord(batch, {
      memories: async (memories) => {
        outcome.memories += await this.#deps.imported.add(tx, actor, memories, operation);
      },
      document: async (imported, where) => {
        const head = await this.#headOf(tx, project, imported, where, outcome);
        if (head !== "differs") return head !== "foreign";
        const { created } = await this.#deps.documents.ingest(tx, actor, documents.get(imported)!);
        if (created) outcome.documents++;
        return true;
      },
      parts: (parts, owners) => this.#deleteFurtherParts(tx, actor, parts, owners),
      refusedAdds: (count) => void (outcome.refusedAdds += count),
      add: async (add) => {
        const unread = unreadPart(add, await existingTasks(tx, project, add.ids));
        if (unread === null) return;
        await this.#deps.memories.enqueueInference(tx, actor, unread.body, unread.id);
        outcome.inferred_adds++;
      },
    });
    return outcome;
  }

  /** Releases a batch's prepared documents, whether or not they were written. */
  dispose({ documents }: PreparedBatch): void {
    for (const document of documents.values()) this.#deps.documents.dispose(document);
    // As for the list of a batch's steps.
    documents.clear();
  }

  async #forEachRecord(batch: ImportBatch, visit: {
    memories(memories: ImportedRecords["memories"]): Promise<void>;
    /** Returns false for a document that is refused. */
    document(document: ImportedDocument, where: string): Promise<boolean>;
    parts?(parts: DocumentParts, owners: Owners): Promise<void>;
    add(add: ImportedRecords["adds"][number]): Promise<void>;
    refusedAdds(count: number): void;
  }): Promise<void> {
    const steps = batch.steps.flatMap((step) => step.kind === "records" ? [step] : []);
    const memories = steps.flatMap(({ records }) => records.memories);
    if (memories.length > 0) await visit.memories(memories);
    for (const { records, where } of steps) {
      let accepted = true;
      for (const document of records.documents) {
        accepted = await visit.document(document, where) && accepted;
      }
      // What else a record consists of depends on its document.
      if (!accepted) {
        visit.refusedAdds(records.adds.length);
        continue;
      }
      if (records.parts !== null) {
        await visit.parts?.(records.parts, records.documents[0]!.document);
      }
      for (const add of records.adds) await visit.add(add);
    }
  }

  /**
   * Deletes the parts that are left over from a longer version of a document. Any other document
   * with such a key is on its own, and so is one that the owner has given to someone else. Parts
   * can be missing in between: clients can delete them.
   */
  async #deleteFurtherParts(
    tx: Tx,
    actor: Actor,
    { count, origin, keyPrefix }: DocumentParts,
    owners: Owners,
  ): Promise<void> {
    const { documents } = this.#deps;
    // No key of a part comes after this one.
    const end = `${keyPrefix}\u{10ffff}`;
    for (let after = keyPrefix;;) {
      const heads = await documents.currentBetween(tx, actor.project, after, end);
      for (const head of heads) {
        const number = head.source_key.slice(keyPrefix.length);
        const isFurther = /^[1-9]\d*$/.test(number) && Number(number) > count;
        if (!isFurther || !comesFrom(head.metadata, origin) || !isOwnedBy(head, owners)) continue;
        await documents.delete(tx, actor, head.id);
      }
      if (heads.length === 0) return;
      after = heads.at(-1)!.source_key;
    }
  }

  /**
   * Compares a document with its source's head. One that belongs to someone else is refused, since
   * storing it would take the source away from them.
   */
  async #headOf(
    db: Reader,
    project: number,
    { document }: ImportedDocument,
    where: string,
    outcome: Outcome,
  ): Promise<"same" | "differs" | "foreign"> {
    const head = await this.#deps.documents.current(db, project, document.source_key);
    if (head === undefined) return "differs";
    if (!isOwnedBy(head, document)) {
      const reason = `The document "${document.source_key}" belongs to another owner`;
      outcome.refused.push({ where, reason });
      return "foreign";
    }
    return head.version_hash === document.version_hash ? "same" : "differs";
  }
}

function isOwnedBy(document: Owners, owners: Owners): boolean {
  return SCOPE_KEYS.every((key) => document[key] === owners[key]);
}

class Outcome implements BatchOutcome {
  memories = 0;
  documents = 0;
  inferred_adds = 0;
  readonly refused: { where: string; reason: string }[] = [];
  refusedAdds = 0;
}
