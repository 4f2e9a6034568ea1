/**
 * Tests operation and event lists: newest first by creation time, however the records got into the
 * project.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  type Call,
  exportSnapshot,
  importSnapshot,
  populate,
  waitForOperation,
} from "../snapshots/snapshots.ts";
import { withServer } from "../../testing/harness.ts";

interface Listed {
  readonly id: string;
  readonly created_at: string;
}

/** Returns the whole list, fetched in pages of one. */
async function listAll(call: Call, path: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const parameter: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await call("GET", `${path}?limit=1${parameter}`);
    all.push(...page.json.results);
    cursor = page.json.next_cursor;
  }
  return all;
}

/** Returns the expected order: by `created_at`, then by id. */
function newestFirst(all: readonly Listed[]): Listed[] {
  const key = ({ created_at, id }: Listed) => `${created_at} ${id}`;
  return [...all].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

Deno.test("GET /v1/operations and /v1/events list imported records by when they were created, not imported", async () => {
  await withServer(async (first) => {
    await populate(first);
    const { snapshot } = await exportSnapshot(first.call);
    await withServer(async (second) => {
      const queued = await importSnapshot(second.call, snapshot);
      await waitForOperation(second.call, queued.json.id);
      const added = await second.call("POST", "/v1/memories", {
        body: { content: "I moved to Faro.", user_id: "rui" },
        headers: { "idempotency-key": "after" },
      });
      const [episode] = snapshot.records.episodes;
      const events = await listAll(second.call, "/v1/events");
      deepStrictEqual(events.map(({ id }) => id), [added.json.event_id, episode.id]);
      const operations = await listAll(second.call, "/v1/operations");
      deepStrictEqual(operations, newestFirst(operations));
      strictEqual(operations.at(-1)!.id, episode.id);
    });
  });
});
