/** Tests the server of the desktop extension with the SDK's client. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { VERSION } from "../../src/version.ts";
import { withServer } from "../../testing/harness.ts";
import {
  connectOverHttp,
  type McpClient,
  newClient,
  PROTOCOL_ERAS,
  type ProtocolEra,
  toMcpClient,
} from "../mcp/client.ts";

const EXTENSION = join(import.meta.dirname!, "../../contrib/mcpb");

/** Starts the extension's server and connects to it. */
async function start(era: ProtocolEra, environment: Record<string, string>): Promise<McpClient> {
  const client = newClient(era);
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: [
        ...["run", "--quiet", "--no-config", "--allow-env", "--allow-net"],
        join(EXTENSION, "server/index.mjs"),
      ],
      env: { PATH: Deno.env.get("PATH")!, HOME: Deno.env.get("HOME")!, ...environment },
      stderr: "ignore",
    }),
  );
  return await toMcpClient(client);
}

for (const era of PROTOCOL_ERAS) {
  Deno.test(`the extension offers what the server offers (opened as ${era})`, async () => {
    await withServer(async (server) => {
      const environment = { COMMONPLACE_URL: `${server.url}/`, COMMONPLACE_API_KEY: server.key };
      const peer = await start(era, environment);
      const direct = await connectOverHttp(server.url, server.key, era);
      deepStrictEqual(await peer.tools(), await direct.tools());
      const added = await peer.call("add_memory", {
        content: "The spare key is with Ana.",
        infer: false,
        user_id: "ana",
      });
      const id = added.json.results[0].id;
      const [found, missing] = await Promise.all([
        peer.call("get_memory", { memory_id: id }),
        peer.call("get_memory", { memory_id: "mem_x" }),
      ]);
      strictEqual(found.json.memory, "The spare key is with Ana.");
      strictEqual(missing.json.code, "MEMORY_NOT_FOUND");
      const { contents } = await peer.client.readResource({ uri: `commonplace://memories/${id}` });
      match(JSON.stringify(contents), /spare key/);
      await direct.close();
      await peer.close();
    });
  });
}

Deno.test("the extension fixes the user, unless the option is empty", async () => {
  await withServer(async (server) => {
    const hasUser = async (value: string) => {
      const peer = await start("auto", {
        COMMONPLACE_URL: server.url,
        COMMONPLACE_API_KEY: server.key,
        COMMONPLACE_USER_ID: value,
      });
      const { tools } = await peer.client.listTools();
      await peer.close();
      const { properties } = tools.find(({ name }) => name === "search_memories")!.inputSchema;
      return "user_id" in properties!;
    };
    strictEqual(await hasUser("ana"), false);
    ok(await hasUser(""));
    ok(await hasUser("${user_config.user_id}"));
  });
});

Deno.test("the extension says what is wrong if the key or the address is", async () => {
  await withServer(async ({ url, key }) => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ COMMONPLACE_URL: url, COMMONPLACE_API_KEY: "cpl_wrong" }, /key/i],
      [{ COMMONPLACE_URL: "http://127.0.0.1:9", COMMONPLACE_API_KEY: key }, /127\.0\.0\.1:9/],
    ];
    for (const [environment, message] of cases) {
      for (const era of PROTOCOL_ERAS) {
        await rejects(start(era, environment), (error: Error) => {
          match(error.message, message);
          return true;
        });
      }
    }
  });
});

Deno.test("the extension has the version of the program", () => {
  strictEqual(JSON.parse(readFileSync(join(EXTENSION, "manifest.json"), "utf8")).version, VERSION);
});
