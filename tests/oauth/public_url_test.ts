/** Where sign-in is offered: at the public URL or on loopback, and nowhere else. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { resolveSettings } from "../../src/server/config.ts";
import { withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { callMcp, connect, type OwnedServer, postJson, redeem, refresh } from "./owner.ts";

const PATHS = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
] as const;

Deno.test("metadata names the public URL, even if a client sends another host", async () => {
  await withServer(async (server) => {
    for (const headers of [{}, { "x-forwarded-host": "evil.example" }]) {
      const documents = await Promise.all(PATHS.map(async (path) => {
        const response = await fetch(server.url + path, { headers });
        strictEqual(response.headers.get("access-control-allow-origin"), "*");
        return await response.json();
      }));
      deepStrictEqual(documents.map(({ resource, issuer }) => resource ?? issuer), [
        "https://memory.example/mcp",
        "https://memory.example/mcp",
        "https://memory.example",
        "https://memory.example",
      ]);
    }
    const refused = await callMcp(server, null, { method: "tools/list" });
    match(
      refused.headers.get("www-authenticate")!,
      /resource_metadata="https:\/\/memory\.example\/\.well-known\/oauth-protected-resource\/mcp"/,
    );
    await refused.body?.cancel();
    match((await server.manage("dashboard")).url, /^https:\/\/memory\.example\/#signin=/);
  }, { publicUrl: "https://memory.example" });
});

Deno.test("without a public URL, sign-in is off for requests through a proxy", async () => {
  await withServer(async (server) => {
    const headers = { "x-forwarded-host": "memory.example" };
    for (const path of [...PATHS, "/oauth/authorize", "/oauth/token", "/oauth/register"]) {
      const response = await fetch(server.url + path, { headers });
      strictEqual(response.status, 404, path);
      strictEqual((await response.json()).code, "NOT_FOUND");
    }
    const { status } = await postJson(`${server.url}/oauth/register`, {}, headers);
    strictEqual(status, 404);
  });
});

Deno.test("--public-url accepts an https URL without a path, or one on this machine", () => {
  const problemOf = (value: string) => {
    try {
      resolveSettings([`--public-url=${value}`], () => undefined);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (
    const url of ["https://memory.example", "https://memory.example:8443/", "http://localhost:1"]
  ) {
    strictEqual(problemOf(url), null, url);
  }
  for (
    const url of [
      "http://memory.example",
      "https://memory.example/memory",
      "https://memory.example?x=1",
      "https://a@memory.example",
      "memory.example",
      "ftp://memory.example",
    ]
  ) {
    match(problemOf(url)!, /^--public-url must be an https URL without a path/, url);
  }
});

Deno.test("a server that logs everything logs no code, token, secret of a client or sign-in link", async () => {
  const directory = makeTempDirSync();
  const process = await ServerProcess.start(directory, { logLevel: "debug" });
  const links: string[] = [];
  const server: OwnedServer = {
    url: process.url,
    async manage(...args) {
      const { code, stdout, stderr } = await run([...args, "--data", directory, "--json"]);
      strictEqual(code, 0, stderr);
      const result = JSON.parse(stdout);
      if (args[0] === "dashboard") links.push(new URL(result.url).hash.replace("#signin=", ""));
      return result;
    },
  };
  try {
    const { client, code, verifier, accessToken, refreshToken } = await connect(server);
    const { json } = await refresh(client, refreshToken);
    const latest = [json.access_token, json.refresh_token];
    for (const token of [accessToken, ...latest]) {
      const reply = await callMcp(server, token, { method: "tools/list" });
      await reply.body?.cancel();
    }
    // Requests that fail are logged in more detail.
    await redeem(client, code, verifier);
    await refresh(client, refreshToken);
    await process.stop();
    match(process.log, /\/oauth\/token/);
    const secrets = [code, verifier, accessToken, refreshToken, ...latest, ...links];
    strictEqual(secrets.length, 7);
    for (const secret of secrets) {
      strictEqual(process.log.includes(secret), false, secret.slice(0, 4));
    }
  } finally {
    await process.stop();
    await rm(directory);
  }
});

Deno.test("tokens appear in no log, list or database, and the command line revokes a connection", async () => {
  await withServer(async (server) => {
    const { accessToken, refreshToken, code } = await connect(server);
    const list = await server.manage("connections", "list", "--project", "default");
    const log = await server.manage("connections", "log", "--project", "default");
    deepStrictEqual(
      log.map(({ event }: { event: string }) => event),
      ["connection_active", "connection_approved"],
    );
    await server.manage("connections", "revoke", list[0].id);
    const [revoked] = await server.manage("connections", "list", "--project", "default");
    deepStrictEqual([revoked.status, revoked.ended_by], ["revoked", "owner"]);
    const refused = await callMcp(server, accessToken, { method: "tools/list" });
    strictEqual(refused.status, 401);
    await refused.body?.cancel();

    await server.stop();
    const files = [...Deno.readDirSync(server.directory)].filter(({ isFile }) => isFile)
      .map(({ name }) => Deno.readTextFileSync(`${server.directory}/${name}`));
    for (const secret of [accessToken, refreshToken, code]) {
      for (const text of [JSON.stringify([list, log]), ...files]) {
        strictEqual(text.includes(secret), false);
      }
    }
    await server.start();
  });
});
