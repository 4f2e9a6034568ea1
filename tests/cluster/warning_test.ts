/** Tests the warning for servers on one database that don't see each other's files. */

import { deepStrictEqual, match } from "node:assert/strict";
import { jsonLog } from "../../src/kernel/log.ts";
import { warnIfFilesAreApart } from "../../src/server/bootstrap.ts";
import type { Member, MemberKind } from "../../src/store/membership.ts";

/** Returns what a start logs next to processes of these kinds, itself included. */
async function warnings(kinds: readonly MemberKind[] | null): Promise<string[]> {
  const lines: string[] = [];
  const log = jsonLog({ now: () => 0 }, "info", (line) => void lines.push(line));
  const members = (kinds ?? []).map((kind, index): Member => ({
    kind,
    id: `process${index}`,
    version: "1",
    since: "",
    leads: index === 0,
    copies: null,
  }));
  await warnIfFilesAreApart(
    kinds === null ? null : { members: () => Promise.resolve(members) },
    log,
  );
  log.flush();
  return lines;
}

Deno.test("warnIfFilesAreApart() warns a server next to others, which don't have its files", async () => {
  for (const kinds of [null, ["server"], ["server", "local", "local"]] as const) {
    deepStrictEqual(await warnings(kinds), []);
  }
  match((await warnings(["server", "local", "server"])).join(), /set COMMONPLACE_BLOB_URL/);
});
