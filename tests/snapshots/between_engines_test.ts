/** Tests that a project moves between the engines with a snapshot, in both directions. */

import { strictEqual } from "node:assert/strict";
import { canonicalJson } from "../../src/kernel/hash.ts";
import { withServer } from "../../testing/harness.ts";
import { testWith } from "../../testing/tools.ts";
import { postgres } from "../store/engines.ts";
import { exportSnapshot, importSnapshot, populate, waitForOperation } from "./snapshots.ts";

for (const from of ["SQLite", "PostgreSQL"] as const) {
  testWith(
    ["initdb", "setpriv"],
    `POST /v1/imports restores a project from ${from} on the other engine`,
    async () => {
      const database = (await postgres()).newSchema();
      const [source, target] = from === "SQLite" ? [undefined, database] : [database, undefined];
      await withServer(async (first) => {
        await populate(first);
        const { snapshot } = await exportSnapshot(first.call);
        await withServer(async (second) => {
          const { id } = (await importSnapshot(second.call, snapshot)).json;
          strictEqual((await waitForOperation(second.call, id)).status, "success");
          const again = await exportSnapshot(second.call);
          strictEqual(
            canonicalJson(again.snapshot.records),
            canonicalJson(snapshot.records),
          );
          const body = { query: "Where does Ana live?", user_id: "ana" };
          const [one, other] = [first, second].map(({ call }) =>
            call("POST", "/v1/memories/search", { body })
          );
          const idsOf = ({ json }: { json: { results: { id: string; score: number }[] } }) =>
            json.results.map(({ id, score }) => [id, score]);
          strictEqual(
            JSON.stringify(idsOf(await one!)),
            JSON.stringify(idsOf(await other!)),
          );
        }, { database: target });
      }, { database: source });
    },
  );
}
