/** What a server can do without it does where that was allowed, and asks nobody in the terminal. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const PROGRAM = fileURLToPath(new URL("./asking.ts", import.meta.url));

/** What a process with these permissions asked leave for, beside reading its own code. */
async function requestedPermissions(...permissions: readonly string[]): Promise<string[]> {
  const directory = makeTempDirSync();
  const audit = join(directory, "audit.jsonl");
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--allow-read", ...permissions, PROGRAM],
      env: { DENO_AUDIT_PERMISSIONS: audit },
    }).output();
    strictEqual(code, 0, new TextDecoder().decode(stderr));
    return readFileSync(audit, "utf8").split("\n").filter((line) => line !== "")
      .map((line) => JSON.parse(line)).filter(({ permission }) => permission !== "read")
      .map(({ permission, value }) => `${permission} ${value}`);
  } finally {
    await rm(directory);
  }
}

Deno.test("who gave no leave for native code or priorities isn't asked for it", async () => {
  deepStrictEqual(await requestedPermissions(), []);
  deepStrictEqual(await requestedPermissions("--allow-ffi", "--allow-sys=setPriority"), [
    "ffi libc.so.6",
    "sys setPriority",
  ]);
});
