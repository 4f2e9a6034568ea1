/** A projector with a reader that finds no claims, in a fresh project. */

import { join } from "node:path";
import sql from "sql-template-tag";
import type { TextReader } from "../../src/memories/claims/pending_texts.ts";
import { DerivedProjector } from "../../src/derived/projector.ts";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { ulidIds } from "../../src/kernel/ids.ts";
import { FeedbackService } from "../../src/memories/history/feedback.ts";
import { MemoryService } from "../../src/memories/service.ts";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import type { TaskResult } from "../../src/tasks/handler.ts";
import { type QueueFixture, withQueue } from "../tasks/queue_fixture.ts";

export const ACTOR = { project: 1, projectId: "proj_1", requestId: "req_1" };

const NEW = {
  scope: { user_id: "ana" },
  metadata: undefined,
  memory_type: "fact",
  importance: 0.5,
} as const;

/** Reads no claims. Its name and the texts that it can't read may be changed. */
export interface FixtureReader extends TextReader {
  name: string;
  unreadable: RegExp | null;
}

export interface ProjectorFixture {
  readonly reader: FixtureReader;
  readonly queueFixture: QueueFixture;
  readonly projector: DerivedProjector;
  readonly memories: MemoryService;
  readonly feedback: FeedbackService;
  now(): string;
  /** Adds `count` memories to a project, by default the first one, and returns their ids. */
  add(count: number, project?: number): Promise<string[]>;
  /** Queues and runs a derivation, picking up the progress of a previous attempt. */
  derive(progress?: unknown): Promise<TaskResult>;
  /** Checks whether the views include all changes. */
  isUpToDate(): Promise<boolean>;
}

/**
 * Runs a test in a fresh project, with an extractor that finds no claims.
 *
 * @param onRead called before texts are read
 */
export async function withProjector(
  work: (fixture: ProjectorFixture) => Promise<void>,
  onRead: (fixture: ProjectorFixture) => Promise<void> = () => Promise.resolve(),
  isEmbeddingBacklog?: () => Promise<boolean>,
): Promise<void> {
  await withQueue(async (queueFixture) => {
    const { store, clock } = queueFixture;
    const ids = ulidIds(clock, Math.random);
    const blobs = new FolderBlobs(join(store.path, "../blobs"), Math.random);
    const appContext = { store, blobs, clock, ids, cursors: new Cursors("secret") };
    const reader: FixtureReader = {
      name: "none",
      unreadable: null,
      async *read(texts) {
        await onRead(fixture);
        const readings = texts.map(({ text }) =>
          reader.unreadable?.test(text) ? { unread: "ENGINE_ERROR" } as const : { claims: [] }
        );
        if (readings.every((one) => "claims" in one)) yield readings;
        else for (const reading of readings) yield [reading];
      },
    };
    const projector = new DerivedProjector(appContext, reader, isEmbeddingBacklog);
    const memories = new MemoryService(appContext);
    const queue = queueFixture.queue("a");
    const [handler] = projector.handlers();
    const now = () => new Date(clock.now()).toISOString();
    const fixture: ProjectorFixture = {
      reader,
      queueFixture,
      projector,
      memories,
      feedback: new FeedbackService(appContext),
      now,
      async add(count, project = 1) {
        const texts = Array.from({ length: count }, (_, n) => ({
          text: `It is ${n}.`,
          event_date: null,
        }));
        const added = { ...NEW, texts };
        const actor = { ...ACTOR, project };
        const memory = await store.write("maintenance", (tx) => memories.add(tx, actor, added));
        return memory.map(({ id }) => id);
      },
      async derive(progress) {
        await projector.enqueueLagging();
        const [task] = await queue.claim(new Map([["derive", 1]]));
        const result = await handler!.run({
          task: { ...task!, progress: JSON.stringify(progress) ?? task!.progress },
          signal: new AbortController().signal,
          commit: (work) => queue.commit(task!, work),
          saveProgress: (tx, progress) => queue.saveProgress(tx, task!, progress),
          advance: () => {},
        });
        await queue.succeed(task!, () => Promise.resolve(result as TaskResult));
        return result as TaskResult;
      },
      async isUpToDate() {
        await projector.enqueueLagging();
        return (await queue.claim(new Map([["derive", 1]]))).length === 0;
      },
    };
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`insert into projects (number, id, name, created_at)
        values (1, 'proj_1', 'default', ${now()})`),
    );
    await work(fixture);
  });
}
