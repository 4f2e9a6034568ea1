/** Tests MCP over standard input and output: without a server, alongside one, and as a proxy. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { databaseEnvironment } from "../../testing/engine.ts";
import { KEY, withServer } from "../../testing/harness.ts";
import { COMMAND_ARGS } from "../../testing/process.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import {
  type McpClient,
  newClient,
  PROTOCOL_ERAS,
  type ProtocolEra,
  toMcpClient,
} from "./client.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const ENVIRONMENT = { COMMONPLACE_EMBEDDER: "none", COMMONPLACE_LOG_LEVEL: "warn" };

/** Returns the variables for `commonplace mcp` with some arguments. */
function environmentFor(args: readonly string[]): Record<string, string> {
  const [flag, directory] = args;
  return { ...ENVIRONMENT, ...(flag === "--data" ? databaseEnvironment(directory!) : {}) };
}

/** Starts `commonplace mcp` and connects to it. */
async function overStdio(
  args: readonly string[],
  era: ProtocolEra = "auto",
  environment: Record<string, string> = {},
): Promise<McpClient> {
  const client = newClient(era);
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: [...COMMAND_ARGS, "mcp", ...args],
      env: { ...Deno.env.toObject(), ...environmentFor(args), ...environment },
      stderr: "inherit",
    }),
  );
  return await toMcpClient(client);
}

/** Adds text with inference, waits for the outcome, and returns the new memory. */
async function learn(peer: McpClient, content: string): Promise<string> {
  const queued = await peer.call("add_memory", { content, user_id: "ana" });
  const event = await waitUntil(
    () => peer.call("get_event", { event_id: queued.json.event_id }),
    ({ json }) => json.status === "SUCCEEDED",
  );
  return event.json.results[0].memory;
}

for (const era of PROTOCOL_ERAS) {
  Deno.test(`commonplace mcp --data works without a server (opened as ${era})`, async () => {
    const directory = makeTempDirSync();
    try {
      const peer = await overStdio(["--data", directory], era);
      strictEqual((await peer.tools()).length, 16);
      match(await learn(peer, "I live in Porto."), /Porto/);
      const found = await peer.call("search_memories", { query: "Porto", user_id: "ana" });
      strictEqual(found.json.results.length, 1);
      const uri = `commonplace://memories/${found.json.results[0].id}`;
      strictEqual((await peer.client.readResource({ uri })).contents.length, 1);
      await peer.close();

      const again = await overStdio(["--data", directory, "--user-id", "ben"], era);
      const none = await again.call("search_memories", { query: "Porto" });
      deepStrictEqual(none.json.results, []);
      strictEqual(
        (await again.call("list_memories", { user_id: "ana" })).json.code,
        "INVALID_REQUEST",
      );
      await again.close();
    } finally {
      await rm(directory);
    }
  });

  Deno.test(`commonplace mcp --url forwards to a running server (opened as ${era})`, async () => {
    await withServer(async (server) => {
      const args = ["--url", server.url, "--user-id", "ana"];
      const peer = await overStdio(args, era, { COMMONPLACE_API_KEY: server.key });
      const { tools } = await peer.client.listTools();
      ok(tools.every(({ inputSchema }) => !("user_id" in (inputSchema.properties ?? {}))));
      const added = await peer.call("add_memory", { content: "Through a process", infer: false });
      const id = added.json.results[0].id;
      strictEqual((await server.call("GET", `/v1/memories/${id}`)).json.user_id, "ana");
      const unknown = await peer.call("get_memory", { memory_id: "mem_unknown" });
      strictEqual(unknown.json.code, "MEMORY_NOT_FOUND");
      const { contents } = await peer.client.readResource({ uri: `commonplace://memories/${id}` });
      strictEqual(contents.length, 1);
      await peer.client.readResource({ uri: "commonplace://memories/mem_unknown" }).then(
        () => ok(false, "an unknown memory was read"),
        (error: Error) => match(error.message, /No memory "mem_unknown"/),
      );
      await peer.close();
    });
  });
}

Deno.test("commonplace mcp --data shares a directory with a server, and one of them does the background work", async () => {
  await withServer(async (server) => {
    const peer = await overStdio(["--data", server.directory]);
    const id = await server.add("Written over REST");
    strictEqual(
      (await peer.call("get_memory", { memory_id: id })).json.memory,
      "Written over REST",
    );
    const added = await peer.call("add_memory", {
      content: "Written by the process",
      infer: false,
      user_id: "ana",
    });
    const found = await server.call("POST", "/v1/memories/search", {
      body: { query: "process", user_id: "ana" },
    });
    strictEqual(found.json.results[0].id, added.json.results[0].id);
    match(await learn(peer, "I live in Porto."), /Porto/);

    const text = "A paragraph of a long document, with words in it.\n\n".repeat(6_000);
    const stored = await peer.call("add_document", {
      content: text,
      title: "Long",
      user_id: "ana",
    });
    const content = await server.call("GET", `/v1/documents/${stored.json.document.id}/content`);
    strictEqual(content.json.content, text);

    // No concurrent write gets lost just because the other process has the lock.
    const count = 40;
    await Promise.all([
      ...Array.from({ length: count }, (_, n) => server.add(`rest ${n}`, { user_id: "both" })),
      ...Array.from({ length: count }, async (_, n) => {
        const body = { content: `mcp ${n}`, infer: false, user_id: "both" };
        strictEqual((await peer.call("add_memory", body)).isError, false);
      }),
    ]);
    const page = await server.call("GET", "/v1/memories?user_id=both&limit=100");
    strictEqual(page.json.results.length, 2 * count);

    await server.stop();
    match(await learn(peer, "I work as a nurse."), /nurse/);
    await server.start();
    match(await learn(peer, "My dog is called Rex."), /Rex/);
    await peer.close();
  });
});

Deno.test("commonplace mcp writes nothing but the protocol to standard output and exits at the end of its input", async () => {
  const directory = makeTempDirSync();
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: [...COMMAND_ARGS, "mcp", "--data", directory],
      env: {
        COMMONPLACE_EMBEDDER: "none",
        COMMONPLACE_LOG_LEVEL: "debug",
        ...databaseEnvironment(directory),
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const [errors, input] = [new Response(child.stderr).text(), child.stdin.getWriter()];
    const send = (message: unknown) =>
      input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "tests", version: "1" },
    };
    await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await input.write(new TextEncoder().encode("this is not JSON\n"));
    await send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    let text = "";
    while (!text.includes('"id":2')) text += (await output.read()).value;
    await input.close();
    strictEqual((await child.status).code, 0);
    for (let part = await output.read(); !part.done; part = await output.read()) text += part.value;
    const responses = text.trim().split("\n").map((line) => JSON.parse(line));
    ok(responses.every(({ jsonrpc }) => jsonrpc === "2.0"));
    strictEqual(responses[0].result.protocolVersion, "2025-06-18");
    const logged = (await errors).trim().split("\n").filter((line) => line !== "");
    ok(logged.every((line) => typeof JSON.parse(line).event === "string"));
  } finally {
    await rm(directory);
  }
});

Deno.test("commonplace mcp responds to requests that were sent before the end of its input", async () => {
  const directory = makeTempDirSync();
  try {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "tests", version: "1" },
    };
    const toolCall = (id: number, name: string, args: Record<string, unknown>) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: args },
    });
    const requests = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      toolCall(2, "add_memory", { content: "Ana naps", user_id: "ana", infer: false }),
      toolCall(3, "add_document", { content: "Bo reads", user_id: "bo" }),
    ];
    const ended = await run(["mcp", "--data", directory], {
      environment: { COMMONPLACE_EMBEDDER: "none" },
      stdin: requests.map((message) => `${JSON.stringify(message)}\n`).join(""),
    });
    strictEqual(ended.code, 0, ended.stderr);
    const responses = ended.stdout.trim().split("\n").map((line) => JSON.parse(line));
    deepStrictEqual(responses.map(({ id }) => id).sort(), [1, 2, 3]);
    ok(responses.every(({ result }) => result !== undefined && !result.isError));
  } finally {
    await rm(directory);
  }
});

Deno.test("commonplace mcp reports errors on a single line on standard error", async () => {
  await withServer(async ({ directory, url }) => {
    const refusals = [
      [["--data", directory, "--project", "unknown"], {}, /^commonplace: No project "unknown"\n$/],
      [
        ["--data", directory, "--url", "http://x"],
        {},
        /^commonplace: --url and --data can't be combined\n$/,
      ],
      [
        ["--url", "http://127.0.0.1:1"],
        {},
        /^commonplace: --url requires COMMONPLACE_API_KEY\n$/,
      ],
      [["--url", "x"], { COMMONPLACE_API_KEY: KEY }, /^commonplace: --url must be an http/],
      [["--data", directory, "--user-id", " "], {}, /^commonplace: user_id: Must not be empty\n$/],
      [
        ["--url", "http://127.0.0.1:1"],
        { COMMONPLACE_API_KEY: KEY },
        /^commonplace: Can't connect to http:\/\/127\.0\.0\.1:1\/mcp: .+\n$/,
      ],
      [
        ["--url", url],
        { COMMONPLACE_API_KEY: "cpl_unknown" },
        /^commonplace: Can't connect to http:.+\/mcp: the server refuses COMMONPLACE_API_KEY\n$/,
      ],
    ] as const;
    for (const [args, env, message] of refusals) {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [...COMMAND_ARGS, "mcp", ...args],
        env: { ...environmentFor(args), ...env },
        stdin: "null",
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      deepStrictEqual([code, text(stdout)], [1, ""], args.join(" "));
      match(text(stderr), message);
    }
  });
});
