/** Lists of operations and events: newest first, whatever came into the project and when. */

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

/** The whole list, in pages of one. */
async function listed(call: Call, path: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const at: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await call("GET", `${path}?limit=1${at}`);
    all.push(...page.json.results);
    cursor = page.json.next_cursor;
  }
  return all;
}

/** As decisions of the interface have it: by `created_at`, then by id. */
function newestFirst(all: readonly Listed[]): Listed[] {
  const key = ({ created_at, id }: Listed) => `${created_at} ${id}`;
  return [...all].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

Deno.test("what an import brings along is listed by when it was made, not by when it came", async () => {
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
      const events = await listed(second.call, "/v1/events");
      deepStrictEqual(events.map(({ id }) => id), [added.json.event_id, episode.id]);
      const operations = await listed(second.call, "/v1/operations");
      deepStrictEqual(operations, newestFirst(operations));
      strictEqual(operations.at(-1)!.id, episode.id);
    });
  });
});
