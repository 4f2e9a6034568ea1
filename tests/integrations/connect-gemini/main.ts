/** Checks that the Gemini CLI reports the server as connected after `connect gemini`. */

import { match, strictEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print, withClientProgram } from "../../../testing/client_program.ts";

await withClientProgram("connect-gemini", async ({ client, commonplace, home, folder, url }) => {
  const file = join(home, ".gemini/settings.json");
  const before = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "true" }\n  }\n}';
  mkdirSync(join(home, ".gemini"));
  writeFileSync(file, before);
  // Gemini CLI starts no server in a folder that isn't trusted.
  writeFileSync(
    join(home, ".gemini/trustedFolders.json"),
    JSON.stringify({ [folder]: "TRUST_FOLDER" }),
  );
  match(await commonplace("connect", "gemini"), /^Gemini CLI is connected to /);
  print(`gemini ${(await client("gemini", ["--version"])).trim()}`);
  match(
    await client("gemini", ["mcp", "list"]),
    new RegExp(`✓ commonplace: ${url}/mcp .*Connected`),
  );
  print("gemini mcp list: connected");
  await commonplace("connect", "gemini", "--remove");
  strictEqual(readFileSync(file, "utf8"), before);
  print("connect gemini --remove: the file is as it was");
  await commonplace("connect", "gemini", "--stdio");
  match(
    await client("gemini", ["mcp", "list"], { COMMONPLACE_EMBEDDER: "none" }),
    /✓ commonplace: .*\(stdio\).*Connected/,
  );
  print("connect gemini --stdio: connected");
});
