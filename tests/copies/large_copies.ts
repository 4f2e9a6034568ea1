/** Search copies in which some projects are large enough for a file of their own. */

import { join } from "node:path";
import { CopyImages } from "../../src/copies/images.ts";
import { SearchCopies } from "../../src/copies/copies.ts";
import type { Log } from "../../src/kernel/log.ts";
import { systemRandom } from "../../src/kernel/ids.ts";
import { markOf } from "../../src/store/blobs/mark.ts";
import { SharedFolderBlobs } from "../../src/store/blobs/shared_folder.ts";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { PgMembership } from "../../src/store/postgres/membership.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { newDatabase } from "./content.ts";

/** Number of records beyond which a project has a file of its own. */
export const MAX_SHARED = 20;

/** A server, and processes with search copies of its records. */
export interface LargeFixture {
  readonly server: TestServer;
  readonly database: PgAddress;
  readonly store: PgStore;
  readonly blobs: SharedFolderBlobs;
  /** Time of the processes' clock, in milliseconds. */
  now: number;
  /** Events that processes have logged. */
  readonly logged: string[];
  /** Adds a batch of memories. */
  add(count: number, word: string, key?: string): Promise<string[]>;
  /** Starts a process with a folder that's new, or has a name. Ended with the fixture. */
  process(name?: string): CopyProcess;
}

/** A process with search copies. */
export interface CopyProcess {
  readonly folder: string;
  readonly copies: SearchCopies;
  close(): Promise<void>;
}

/** Runs work with a server whose files are in a shared folder. */
export async function withLargeCopies(work: (fixture: LargeFixture) => Promise<void>) {
  const database = await newDatabase();
  const root = makeTempDirSync();
  const files = makeTempDirSync();
  const run = async (server: TestServer) => {
    const store = await PgStore.open(database);
    const membership = new PgMembership(database, { boot: "tester", version: "1", startedAt: 0 });
    await membership.join("local");
    const blobs = new SharedFolderBlobs(files, await store.read(markOf), systemRandom());
    const logged: string[] = [];
    const log = (event: string) => void logged.push(event);
    const processes: CopyProcess[] = [];
    const fixture: LargeFixture = {
      ...{ server, database, store, blobs, logged, now: 0 },
      async add(count, word, key = server.key) {
        const messages = Array.from({ length: count }, (_, n) => ({
          role: "user",
          content: `The ${word} number ${n} was seen at dawn`,
        }));
        const body = { messages, user_id: "ana", infer: false };
        const added = await server.call("POST", "/v1/memories", { body, key });
        return added.json.results.map(({ id }: { id: string }) => id);
      },
      process(name = `process-${processes.length}`) {
        const folder = join(root, name);
        const clock = { now: () => fixture.now };
        const copies = new SearchCopies(store, folder, clock, { maxSharedRecords: MAX_SHARED });
        copies.images = new CopyImages({ records: store, blobs, membership, clock });
        copies.images.log = { info: log, warn: log } as unknown as Log;
        const process = { folder, copies, close: () => copies.close() };
        processes.push(process);
        return process;
      },
    };
    try {
      await work(fixture);
    } finally {
      for (const process of processes) await process.close();
      await membership.leave();
      await store.close();
    }
  };
  try {
    await withServer(run, { database, blobs: { kind: "folder", directory: files } });
  } finally {
    await rm(root);
    await rm(files);
  }
}
