/** Checks that `connect codex` adds a server that the Codex CLI lists as enabled. */

import { match, strictEqual } from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print, withClientProgram } from "../../../testing/client_program.ts";

await withClientProgram("connect-codex", async ({ client, commonplace, home, url }) => {
  const file = join(home, ".codex/config.toml");
  const before = 'model = "o3" # mine\n\n[mcp_servers.other]\ncommand = "true"\n';
  mkdirSync(join(home, ".codex"));
  writeFileSync(file, before);
  match(await commonplace("connect", "codex", "--user-id", "ana"), /^Codex is connected to /);
  print((await client("codex", ["--version"])).split("\n").find((line) => /^codex/.test(line))!);

  const server = JSON.parse(
    /\{[^]*\}/.exec(await client("codex", ["mcp", "get", "commonplace", "--json"]))![0],
  );
  strictEqual(server.enabled, true);
  strictEqual(server.transport.url, `${url}/mcp?user_id=ana`);
  match(server.transport.http_headers.Authorization, /^Bearer cpl_/);
  const listed = await client("codex", ["mcp", "list"]);
  match(listed, /^commonplace +http.* enabled +Bearer token/m);
  match(listed, /^other +true/m);
  print("codex mcp list: enabled, bearer token");

  await commonplace("connect", "codex", "--remove");
  strictEqual(readFileSync(file, "utf8"), before);
  print("connect codex --remove: the file is as it was");

  // A process, which Codex lists as a command.
  await commonplace("connect", "codex", "--stdio");
  match(await client("codex", ["mcp", "list"]), /^commonplace .*mcp --data .* enabled/m);
  print("connect codex --stdio: enabled");
});
