/** Checks the desktop extension with mcpb: it is valid, can be packed, and the packed server runs. */

import { match, ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { print, withClientProgram } from "../../../testing/client_program.ts";

const EXTENSION = join(import.meta.dirname!, "../../../contrib/mcpb");

await withClientProgram("mcpb", async ({ client, folder, url, key }) => {
  const packed = join(folder, "commonplace.mcpb");
  match(await client("mcpb", ["validate", join(EXTENSION, "manifest.json")]), /passes/);
  print(`mcpb validate ${(await client("mcpb", ["--version"])).trim()}: passes`);
  const output = await client("mcpb", ["pack", EXTENSION, packed]);
  print(`mcpb pack: ${/package size: .*/.exec(output)![0]}`);

  const unpacked = join(folder, "unpacked");
  await client("mcpb", ["unpack", packed, unpacked]);
  strictEqual(readdirSync(unpacked).toSorted().join(), "manifest.json,server");
  for (const mode of ["auto", "legacy"] as const) {
    const peer = new Client({ name: "integration", version: "1" }, {
      versionNegotiation: { mode },
    });
    await peer.connect(
      new StdioClientTransport({
        command: "node",
        args: [join(unpacked, "server/index.mjs")],
        env: {
          PATH: Deno.env.get("PATH")!,
          COMMONPLACE_URL: url,
          COMMONPLACE_API_KEY: key,
          COMMONPLACE_USER_ID: "ana",
        },
      }),
    );
    const { tools } = await peer.listTools();
    const added = await peer.callTool({
      name: "add_memory",
      arguments: { content: "The spare key is with Ana.", infer: false },
    });
    strictEqual(added.isError ?? false, false, JSON.stringify(added));
    ok(tools.length > 10);
    print(`packed server (${mode}): ${tools.length} tools, add_memory works`);
    await peer.close();
  }
});
