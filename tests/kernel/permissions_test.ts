/**
 * Makes sure that optional permissions are used if granted, and never prompted for in the terminal.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const PROGRAM = fileURLToPath(new URL("./optional_permissions.ts", import.meta.url));

/** Returns the permissions requested by a process with `permissions`, except for reading files. */
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

Deno.test("trimHeapNow() and lowerPriority() don't request permissions that were not granted", async () => {
  deepStrictEqual(await requestedPermissions(), []);
  deepStrictEqual(await requestedPermissions("--allow-ffi", "--allow-sys=setPriority"), [
    "ffi libc.so.6",
    "sys setPriority",
  ]);
});
