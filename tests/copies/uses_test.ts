/** Tests which copies follow changes. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { CopyUses } from "../../src/copies/uses.ts";

Deno.test("CopyUses.recent() returns the projects that were searched within a minute", () => {
  const uses = new CopyUses();
  uses.record(1, 0);
  uses.record(2, 1_000);
  uses.record(1, 30_000);
  deepStrictEqual([...uses.recent(59_000)], [2, 1]);
  deepStrictEqual([...uses.recent(61_000)], [1]);
  deepStrictEqual([...uses.recent(90_000)], []);
  strictEqual(uses.lastUse(1), 30_000);
});

Deno.test("CopyUses.delete() forgets a project", () => {
  const uses = new CopyUses();
  uses.record(1, 0);
  uses.delete(1);
  deepStrictEqual([...uses.recent(0)], []);
  strictEqual(uses.lastUse(1), undefined);
});
