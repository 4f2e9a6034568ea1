/** Tests for the numbers of reads, which are written behind in batches. */

import { deepStrictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { withServer } from "../../testing/harness.ts";

Deno.test("a server that stops has written every read of more memories than fit in a batch", async () => {
  await withServer(async (server) => {
    const messages = Array.from(
      { length: 100 },
      (_, n) => ({ role: "user", content: `Note ${n}` }),
    );
    const ids: string[] = [];
    for (const run_id of ["first", "second", "third"]) {
      const body = { messages, user_id: "ana", run_id, infer: false };
      const { json } = await server.call("POST", "/v1/memories", { body });
      ids.push(...json.results.map(({ id }: { id: string }) => id));
    }
    const gone = ids.pop()!;
    for (const id of [...ids, gone, ids[0], ids[298]]) {
      await server.call("GET", `/v1/memories/${id}`);
    }
    await server.call("DELETE", `/v1/memories/${gone}`);
    await server.stop();
    const rows = await server.records<{ id: string; count: number }>(
      sql`select memory_id as id, count from memory_access order by memory_id`,
    );
    const expected = ids.map((id, at) => ({ id, count: at === 0 || at === 298 ? 2 : 1 }));
    deepStrictEqual(rows, expected.sort((a, b) => a.id < b.id ? -1 : 1));
    await server.start();
  });
});
