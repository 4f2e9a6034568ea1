/** Checks that opencode reports the server as connected after `connect opencode`. */

import { match, strictEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print, withClientProgram } from "../../../testing/client_program.ts";

await withClientProgram("connect-opencode", async ({ client, commonplace, home }) => {
  const file = join(home, ".config/opencode/opencode.json");
  const before = '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"mcp": {}, // none\n}\n';
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  writeFileSync(file, before);
  match(await commonplace("connect", "opencode"), /^opencode is connected to /);
  print(`opencode ${(await client("opencode", ["--version"])).trim()}`);
  match(await client("opencode", ["mcp", "list"]), /✓ commonplace .*connected/);
  print("opencode mcp list: connected");
  await commonplace("connect", "opencode", "--remove");
  strictEqual(readFileSync(file, "utf8"), before);
  print("connect opencode --remove: the file is as it was");
  await commonplace("connect", "opencode", "--stdio");
  match(await client("opencode", ["mcp", "list"]), /✓ commonplace .*connected/);
  print("connect opencode --stdio: connected");
});
