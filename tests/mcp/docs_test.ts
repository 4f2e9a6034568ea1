/** Checks docs/mcp.md against the actual tools. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../../testing/harness.ts";
import { connectOverHttp } from "./client.ts";

const PAGE = readFileSync(join(import.meta.dirname!, "../../docs/mcp.md"), "utf8");

Deno.test("docs/mcp.md lists every tool with its permission, title and effect", async () => {
  await withServer(async (server) => {
    const permissions = new Map<string, string>();
    for (const permission of ["memory:read", "memory:write", "operations:read"]) {
      const peer = await connectOverHttp(server.url, await server.createKey("default", permission));
      for (const name of await peer.tools()) permissions.set(name, permission);
      await peer.close();
    }
    const peer = await connectOverHttp(server.url, server.key);
    const { tools } = await peer.client.listTools();
    await peer.close();
    const rows = [...PAGE.matchAll(/^\| `(\w+)` +\| `([\w:]+)` +\| (.+?) +\| (.*?) +\|$/gm)];
    deepStrictEqual(
      rows.map(([, ...cells]) => cells),
      tools.map(({ name, title, annotations }) => [
        name,
        permissions.get(name),
        title,
        annotations!.readOnlyHint ? "reads" : annotations!.destructiveHint ? "modifies" : "adds",
      ]),
    );
  });
});

Deno.test("every tool and argument has a description, and no schema has references", async () => {
  await withServer(async (server) => {
    const peer = await connectOverHttp(server.url, server.key);
    const { tools } = await peer.client.listTools();
    for (const { name, description, inputSchema, outputSchema } of tools) {
      ok(description!.length > 20, name);
      ok(!JSON.stringify([inputSchema, outputSchema]).includes("$ref"), name);
      deepStrictEqual([inputSchema.type, outputSchema!.type], ["object", "object"]);
      const undescribed = Object.entries(inputSchema.properties ?? {})
        .filter(([, schema]) => !("description" in (schema as object))).map(([key]) => key);
      deepStrictEqual(undescribed, [], name);
    }
    await peer.close();
  });
});
