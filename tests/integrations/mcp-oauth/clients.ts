/** Published OAuth clients, from 401 to a tool call, a refresh and a revocation. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { TestServer } from "../../../testing/harness.ts";
import type { PythonEnvironment } from "../../../testing/python.ts";
import { checkOfficialClient } from "../../oauth/official_client.ts";
import { postForm } from "../../oauth/owner.ts";
import type { OwnerBrowser } from "./owner_browser.ts";

const HERE = import.meta.dirname!;
const PYTHON_CALLBACK = "http://127.0.0.1:9/callback";

/** Runs the client of the TypeScript SDK, with a page of its own that the browser is sent back to. */
export async function checkTypeScriptClient(
  server: TestServer,
  browser: OwnerBrowser,
): Promise<void> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using page = Deno.serve(options, () => new Response("You can close this page."));
  const callback = `http://127.0.0.1:${(page.addr as Deno.NetAddr).port}/callback`;
  await checkOfficialClient(server, callback, (url) => browser.allow(url.href, callback));
  report("@modelcontextprotocol/client 2.4.0: signed in, called a tool, refreshed, revoked");
}

/** Runs the OAuth client of the Python SDK. */
export async function checkPythonClient(
  server: TestServer,
  python: PythonEnvironment,
  browser: OwnerBrowser,
): Promise<void> {
  const child = new Deno.Command(join(python.bin, "python"), {
    args: [
      join(HERE, "programs/python_client.py"),
      server.url,
      PYTHON_CALLBACK,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  const next = async () => JSON.parse((await lines.next()).value ?? "{}");

  const { open } = await next();
  const back = await browser.allow(open, PYTHON_CALLBACK);
  await input.write(new TextEncoder().encode(`${back}\n`));
  ok(
    (await next()).tools.includes("add_memory"),
    "a tool call after the sign-in",
  );
  ok(
    (await next()).tools.includes("add_memory"),
    "a tool call after a refresh",
  );
  deepStrictEqual(await next(), { refreshed: true });
  const { revoke, client_id } = await next();
  await checkRevocation(server, revoke, client_id);
  await input.close();
  strictEqual((await child.status).code, 0);
  report("mcp (Python) 2.3.0: signed in, called a tool, refreshed, revoked");
}

/** Runs mcp-remote over standard input and output. */
export async function checkMcpRemote(
  server: TestServer,
  packages: string,
  home: string,
  browser: OwnerBrowser,
): Promise<void> {
  const connect = async (allow: boolean) => {
    const transport = new StdioClientTransport({
      command: "node",
      args: [
        join(packages, "node_modules/mcp-remote/dist/proxy.js"),
        `${server.url}/mcp`,
        "--auth-timeout",
        "300",
      ],
      env: {
        PATH: Deno.env.get("PATH")!,
        HOME: home,
        MCP_REMOTE_CONFIG_DIR: home,
        BROWSER: "true",
      },
      stderr: "pipe",
    });
    let printed = "";
    let opened = false;
    transport.stderr!.on("data", (chunk: Uint8Array) => {
      printed += new TextDecoder().decode(chunk);
      const url = /(http\S+\/oauth\/authorize\?\S+)/.exec(printed)?.[1];
      if (url === undefined || opened) return;
      opened = true;
      const callback = new URL(url).searchParams.get("redirect_uri")!;
      void browser.allow(url, callback);
    });
    const client = new Client({ name: "tests", version: "1" });
    try {
      await client.connect(transport, { timeout: 300_000 });
    } catch (error) {
      throw new Error(`mcp-remote did not connect:\n${printed}`, {
        cause: error,
      });
    }
    strictEqual(opened, allow, "asks the owner only the first time");
    const result = await client.callTool({
      name: "list_documents",
      arguments: {},
    });
    ok(!result.isError, JSON.stringify(result));
    await client.close();
  };
  await connect(true);
  const before = readTokens(home);
  await connect(false);
  // Only the first process has the access token. A server that forgets it makes the client refresh.
  forgetAccessToken(home, before);
  await connect(false);
  const after = readTokens(home);
  ok(
    after.tokens.refresh_token !== before.tokens.refresh_token,
    "has refreshed its tokens",
  );
  const [connection] = (await server.manage("connections", "list", "--project", "default"))
    .filter(({ status }: { status: string }) => status === "active");
  await checkRevocation(
    server,
    after.tokens.refresh_token,
    connection.client_id,
  );
  report("mcp-remote 0.15.1: signed in, called a tool, refreshed, revoked");
}

/** Revokes a connection and makes sure that its refresh token no longer works. */
async function checkRevocation(
  server: TestServer,
  token: string,
  clientId: string,
): Promise<void> {
  const fields = { client_id: clientId };
  const revoked = await postForm(`${server.url}/oauth/revoke`, {
    ...fields,
    token,
  });
  strictEqual(revoked.status, 200);
  const refused = await postForm(`${server.url}/oauth/token`, {
    ...fields,
    grant_type: "refresh_token",
    refresh_token: token,
  });
  strictEqual(refused.json.error, "invalid_grant");
}

interface StoredTokens {
  readonly path: string;
  readonly tokens: {
    readonly access_token: string;
    readonly refresh_token: string;
  };
}

/** Returns what mcp-remote has stored. */
function readTokens(home: string): StoredTokens {
  for (const path of filesUnder(home)) {
    if (!path.endsWith("_tokens.json")) continue;
    return { path, tokens: JSON.parse(Deno.readTextFileSync(path)) };
  }
  throw new Error(`mcp-remote has stored no tokens in ${home}`);
}

function forgetAccessToken(_home: string, { path }: StoredTokens): void {
  const stored = JSON.parse(Deno.readTextFileSync(path));
  Deno.writeTextFileSync(
    path,
    JSON.stringify({ ...stored, access_token: "cpt_expired" }),
  );
}

function filesUnder(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesUnder(join(folder, name)) : [join(folder, name)]
  );
}

async function* readLines(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
