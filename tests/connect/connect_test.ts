/** Tests `connect` on real files and servers. tests/integrations runs the clients themselves. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { connect } from "../../src/cli/connect/connect.ts";
import { scopesOfProcess } from "../../src/cli/connect/target.ts";
import { askForTools } from "../../src/connect/ask_server.ts";
import { CLIENTS, keyInEntry, urlInEntry, userFile } from "../../src/connect/clients.ts";
import { FORMATS, readEntry } from "../../src/connect/config_format.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { ClientHome } from "./client_home.ts";

const CURSOR = ".cursor/mcp.json";

/** Runs `work` with a server on a data directory and a home directory without clients. */
async function withHome(work: (server: TestServer, home: ClientHome) => Promise<void>) {
  await withServer(async (server) => {
    await using home = new ClientHome();
    await work(server, home);
  });
}

async function keyNames(server: TestServer): Promise<string[]> {
  const keys: { name: string }[] = await server.manage("keys", "list", "--project", "default");
  return keys.map(({ name }) => name);
}

function cursorEntry(home: ClientHome) {
  return JSON.parse(home.read(CURSOR)!).mcpServers.commonplace;
}

Deno.test("connect gives each client an entry with a key that opens the server", async () => {
  await withHome(async (server, home) => {
    for (const client of CLIENTS) {
      const printed = await home.run(["connect", client.id, "--data", server.directory]);
      match(printed, new RegExp(`^${client.title} is connected to ${server.url}\n`));
      const file = userFile(client, {
        os: "linux",
        home: home.path,
        environment: () => undefined,
        exists: () => true,
      });
      const text = readFileSync(file, "utf8");
      const path = { container: client.container, name: "commonplace" };
      const entry = readEntry(FORMATS[client.format], text, path)!;
      const key = keyInEntry(entry)!;
      const url = urlInEntry(entry);
      // Claude Desktop starts a process that forwards to the server.
      if (client.http === undefined) ok(JSON.stringify(entry).includes(server.url));
      else strictEqual(url, `${server.url}/mcp`);
      ok((await askForTools({ kind: "http", url: `${server.url}/mcp`, key })).length > 10);
      strictEqual(statSync(file).mode & 0o777, 0o600, "only the owner can read the key");
    }
    deepStrictEqual(await keyNames(server), ["first", ...CLIENTS.map(({ id }) => id)]);
  });
});

Deno.test("connect changes nothing the second time", async () => {
  await withHome(async (server, home) => {
    await home.run(["connect", "cursor", "--data", server.directory]);
    const before = home.read(CURSOR);
    const printed = await home.run(["connect", "cursor", "--data", server.directory]);
    match(printed, /has the entry already/);
    strictEqual(home.read(CURSOR), before);
    deepStrictEqual(readdirSync(join(home.path, ".cursor")), ["mcp.json"]);
    deepStrictEqual(await keyNames(server), ["first", "cursor"]);
  });
});

Deno.test("connect and connect --remove keep every other byte and links, and restrict the file to its owner", async () => {
  await withHome(async (server, home) => {
    const text = '\ufeff{\r\n\t// my servers\r\n\t"mcpServers": {\r\n' +
      '\t\t"other": { "command": "x" }, // keep\r\n\t},\r\n}';
    const real = join(home.path, "dotfiles.json");
    const link = join(home.path, CURSOR);
    writeFileSync(real, text);
    chmodSync(real, 0o640);
    mkdirSync(dirname(link));
    symlinkSync(real, link);
    const printed = await home.run(["connect", "cursor", "--data", server.directory]);
    match(printed, /^Only you can read it now, because it contains a key \(its mode was 640\)$/m);
    const [, backup] = /Changed .*; (.*) is the file as it was/.exec(printed)!;
    match(backup!, /^.*dotfiles\.json\.before-commonplace-\d{8}T\d{6}$/);
    strictEqual(readFileSync(backup!, "utf8"), text);
    strictEqual(statSync(backup!).mode & 0o777, 0o600);
    ok(readFileSync(real, "utf8").startsWith(text.slice(0, text.indexOf("\r\n\t},"))));
    await home.run(["connect", "cursor", "--data", server.directory, "--remove"]);
    strictEqual(readFileSync(real, "utf8"), text);
    strictEqual(statSync(real).mode & 0o777, 0o600);
    ok(lstatSync(link).isSymbolicLink());
  });
});

Deno.test("connect refuses a broken file, leaves it alone and leaves no key", async () => {
  await withHome(async (server, home) => {
    mkdirSync(join(home.path, ".cursor"));
    for (const content of ['{"mcpServers": {', '{"mcpServers": []}', "\xff\xfe"]) {
      writeFileSync(join(home.path, CURSOR), content, "latin1");
      const { code } = await home.tryRun(["connect", "cursor", "--data", server.directory]);
      strictEqual(code, 1);
      strictEqual(readFileSync(join(home.path, CURSOR), "latin1"), content);
      deepStrictEqual(readdirSync(join(home.path, ".cursor")), ["mcp.json"]);
    }
    deepStrictEqual(await keyNames(server), ["first"]);
  });
});

Deno.test("connect --remove revokes the key and removes the entry", async () => {
  await withHome(async (server, home) => {
    await home.run(["connect", "cursor", "--data", server.directory]);
    const key = keyInEntry(cursorEntry(home))!;
    const printed = await home.run(["connect", "cursor", "--remove", "--data", server.directory]);
    match(printed, /Revoked the key "cursor" \(key_/);
    deepStrictEqual(JSON.parse(home.read(CURSOR)!), { mcpServers: {} });
    strictEqual((await server.call("GET", "/v1/health", { key })).status, 401);
    const again = await home.run(["connect", "cursor", "--remove", "--data", server.directory]);
    strictEqual(again, "Cursor is not connected");
  });
});

Deno.test("connect --user-id fixes the scope and keeps the key", async () => {
  await withHome(async (server, home) => {
    await home.run(["connect", "cursor", "--data", server.directory]);
    const before = cursorEntry(home);
    await home.run(["connect", "cursor", "--data", server.directory, "--user-id", "ana b"]);
    deepStrictEqual(cursorEntry(home), { ...before, url: `${server.url}/mcp?user_id=ana+b` });
  });
});

Deno.test("connect keeps the scopes and tools in a URL, and flags for scopes replace only the scopes", async () => {
  await withHome(async (server, home) => {
    const urlAfter = async (url: string, ...flags: string[]) => {
      const entry = { ...cursorEntry(home), url: `${server.url}${url}` };
      writeFileSync(
        join(home.path, CURSOR),
        JSON.stringify({ mcpServers: { commonplace: entry } }),
      );
      await home.run(["connect", "cursor", "--data", server.directory, ...flags]);
      return cursorEntry(home).url.slice(server.url.length);
    };
    await home.run(["connect", "cursor", "--data", server.directory]);
    const scoped = "/mcp?user_id=ana%20b&tools=read";
    strictEqual(await urlAfter(scoped), scoped);
    strictEqual(await urlAfter("/mcp/?tools=read"), "/mcp?tools=read");
    strictEqual(await urlAfter(scoped, "--run-id", "r"), "/mcp?tools=read&run_id=r");
    strictEqual(await urlAfter("/elsewhere?tools=read"), "/mcp");
    deepStrictEqual(await keyNames(server), ["first", "cursor"]);
  });
});

Deno.test("connect --permissions replaces a key with other permissions", async () => {
  await withHome(async (server, home) => {
    const connect = (...flags: string[]) =>
      home.run(["connect", "cursor", "--data", server.directory, ...flags]);
    await connect();
    const full = keyInEntry(cursorEntry(home))!;
    await connect("--permissions", "memory:read");
    const limited = keyInEntry(cursorEntry(home))!;
    const [, key, ...more] = await server.manage("keys", "list", "--project", "default");
    deepStrictEqual([key.permissions, more], [["memory:read"], []]);
    strictEqual((await server.call("GET", "/v1/memories?user_id=a", { key: full })).status, 401);
    strictEqual((await server.call("GET", "/v1/memories?user_id=a", { key: limited })).status, 200);
    await connect();
    strictEqual(keyInEntry(cursorEntry(home)), limited, "without the flag, it stays");
  });
});

Deno.test("connect --project creates the key there", async () => {
  await withHome(async (server, home) => {
    await server.createKey("shop");
    await home.run(["connect", "cursor", "--data", server.directory, "--project", "shop"]);
    const keys = await server.manage("keys", "list", "--project", "shop");
    deepStrictEqual(keys.map(({ name }: { name: string }) => name), ["", "cursor"]);
  });
});

Deno.test("connect keeps what the user added to the entry", async () => {
  await withHome(async (server, home) => {
    mkdirSync(join(home.path, ".codex"));
    const text = '[mcp_servers.commonplace]\ncommand = "old"\nargs = ["x"]\nenabled = false\n';
    writeFileSync(join(home.path, ".codex/config.toml"), text);
    await home.run(["connect", "codex", "--data", server.directory]);
    match(
      home.read(".codex/config.toml")!,
      /^\[mcp_servers\.commonplace\]\nurl = "http.*"\nhttp_headers = \{ Authorization = "Bearer cpl_.*" \}\nenabled = false\n$/,
    );
  });
});

Deno.test("connect leaves a key in an environment variable there, creates none, and names those that stay valid", async () => {
  await withHome(async (server, home) => {
    const CODEX = ".codex/config.toml";
    const codex = (...flags: string[]) =>
      home.run(["connect", "codex", "--data", server.directory, ...flags]);
    await codex();
    const text = home.read(CODEX)!
      .replace(/http_headers = .*/, 'bearer_token_env_var = "COMMONPLACE_API_KEY"');
    writeFileSync(join(home.path, CODEX), text);
    match(await codex(), /^Codex has an entry for .* that refers to a key, so none was created\n/);
    strictEqual(home.read(CODEX), text);
    await codex("--user-id", "ana");
    const scoped = text.replace(/\/mcp"/, '/mcp?user_id=ana"');
    strictEqual(home.read(CODEX), scoped);
    await codex();
    strictEqual(home.read(CODEX), scoped);
    writeFileSync(join(home.path, CODEX), text.replace(/\/mcp"/, '/mcp/?tools=read"'));
    await codex("--user-id", "ana");
    const limited = text.replace(/\/mcp"/, '/mcp?tools=read&user_id=ana"');
    strictEqual(home.read(CODEX), limited);
    const environment = { COMMONPLACE_API_KEY: server.key, COMMONPLACE_DATA: server.directory };
    match(
      await home.run(["connect", "codex", "--url", server.url], environment),
      /\nThe key in COMMONPLACE_API_KEY was not written\. /,
    );
    strictEqual(home.read(CODEX), limited);
    deepStrictEqual(await keyNames(server), ["first", "codex"]);
    match(await codex("--remove"), /The key "codex" \(key_\w+\) is still valid/);
  });
});

Deno.test("connect --url uses COMMONPLACE_API_KEY, which --remove doesn't revoke", async () => {
  await withHome(async (server, home) => {
    const environment = { COMMONPLACE_API_KEY: server.key, COMMONPLACE_DATA: server.directory };
    await home.run(["connect", "cursor", "--url", `${server.url}/`], environment);
    strictEqual(keyInEntry(cursorEntry(home)), server.key);
    deepStrictEqual(await keyNames(server), ["first"]);
    const printed = await home.run(["connect", "cursor", "--remove"], environment);
    match(printed, /The key cpl_test… isn't one that connect created/);
    strictEqual((await server.call("GET", "/v1/health")).status, 200);
  });
});

Deno.test("connect restricts a file that has the entry already, but no file of a project or without a key", async () => {
  await withHome(async (server, home) => {
    const cursor = (...flags: string[]) =>
      home.run(["connect", "cursor", "--data", server.directory, ...flags]);
    const file = join(home.path, CURSOR);
    await cursor();
    chmodSync(file, 0o644);
    match(await cursor(), /has the entry already\nOnly you can read it now/);
    strictEqual(statSync(file).mode & 0o777, 0o600);
    chmodSync(file, 0o644);
    await server.stop();
    await home.run(["connect", "cursor", "--data", server.directory, "--stdio"], {
      COMMONPLACE_EMBEDDER: "none",
    });
    strictEqual(statSync(file).mode & 0o777, 0o644, "no key");
    await server.start();
    const project = makeTempDirSync();
    try {
      const shared = join(project, ".mcp.json");
      writeFileSync(shared, "{}");
      chmodSync(shared, 0o644);
      await home.run(["connect", "claude-code", "--scope", "project", "--data", server.directory], {
        INIT_CWD: project,
      });
      strictEqual(statSync(shared).mode & 0o777, 0o644, "others in the project may need it");
    } finally {
      await rm(project);
    }
  });
});

Deno.test("connect never sends a key of this machine's data to another host", async () => {
  await withHome(async (server, home) => {
    const environment = { COMMONPLACE_DATA: server.directory };
    const foreign = [
      "http://192.0.2.1:8420",
      "https://memory.example",
      "http://127.0.0.1.memory.example:8420",
      "http://localhost.memory.example",
      "http://127.0.0.1@memory.example",
      "http://127.0.0.2:8420",
    ];
    for (const url of foreign) {
      await rejects(
        connect.run(["cursor", "--url", url], home.terminal(environment)),
        { message: /^--url needs a key: set COMMONPLACE_API_KEY, or pass the server's data/ },
        url,
      );
    }
    deepStrictEqual(readdirSync(home.path), []);
    deepStrictEqual(await keyNames(server), ["first"]);
    await home.run(["connect", "cursor", "--url", server.url], environment);
    strictEqual(cursorEntry(home).url, `${server.url}/mcp`, "this machine is not another host");
  });
});

Deno.test("connect claude-code edits the file itself if the command claude fails, with one backup", async () => {
  // What a broken, an older, a half-finished and a crashed command do.
  const programs = [
    "exit 1",
    "echo 'unknown command add-json' >&2; exit 0",
    'cat >/dev/null; echo \'{"mcpServers":{},"state":2}\' >"$HOME/.claude.json"; exit 1',
    "kill -SEGV $$",
  ];
  for (const [index, program] of programs.entries()) {
    await withHome(async (server, home) => {
      const bin = join(home.path, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "claude"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      const file = join(home.path, ".claude.json");
      writeFileSync(file, '{"mcpServers":{},"state":1}', { mode: 0o644 });
      const environment = { HOME: home.path, PATH: `${bin}:${Deno.env.get("PATH")}` };
      const claude = (...flags: string[]) =>
        run(["connect", "claude-code", "--data", server.directory, ...flags], { environment });
      const added = await claude("--json");
      strictEqual(added.code, 0, added.stderr);
      const { mcpServers, state } = JSON.parse(readFileSync(file, "utf8"));
      strictEqual(mcpServers.commonplace.url, `${server.url}/mcp`);
      strictEqual(state, index === 2 ? 2 : 1, "what the command changed stays");
      strictEqual(statSync(file).mode & 0o777, 0o600);
      const backups = readdirSync(home.path).filter((name) => name.includes("before-commonplace"));
      deepStrictEqual(backups.map((name) => join(home.path, name)), [
        JSON.parse(added.stdout).backup,
      ]);
      strictEqual(JSON.parse(readFileSync(join(home.path, backups[0]!), "utf8")).state, 1);
      const removed = await claude("--remove");
      strictEqual(removed.code, 0, removed.stderr);
      deepStrictEqual(JSON.parse(readFileSync(file, "utf8")).mcpServers, {});
      deepStrictEqual(await keyNames(server), ["first"]);
    });
  }
});

Deno.test("connect claude-code changes nothing and revokes the key if the command claude is interrupted", async (t) => {
  const programs = ["kill -INT $$", "exit 130"];
  const step = (program: string) =>
    withHome(async (server, home) => {
      const bin = join(home.path, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "claude"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      const file = join(home.path, ".claude.json");
      writeFileSync(file, '{"mcpServers":{}}');
      const environment = { HOME: home.path, PATH: `${bin}:${Deno.env.get("PATH")}` };
      const { code, stderr } = await run(
        ["connect", "claude-code", "--data", server.directory],
        { environment },
      );
      strictEqual(code, 1);
      match(stderr, /claude was interrupted\. .*before-commonplace.* is the file as it was/);
      strictEqual(readFileSync(file, "utf8"), '{"mcpServers":{}}');
      deepStrictEqual(await keyNames(server), ["first"]);
    });
  for (const program of programs) await t.step(program, () => step(program));
});

Deno.test("connect fails without a trace if the server is another one or not there", async () => {
  await withHome(async (server, home) => {
    await withServer(async (other) => {
      const gone = "http://127.0.0.1:9";
      for (const url of [other.url, gone, `${server.url}/nowhere/`]) {
        const args = ["connect", "cursor", "--url", url, "--data", server.directory];
        strictEqual((await home.tryRun(args)).code, 1);
      }
      const environment = { COMMONPLACE_API_KEY: "cpl_wrong" };
      const args = ["connect", "cursor", "--url", server.url];
      strictEqual((await home.tryRun(args, environment)).code, 1);
    });
    deepStrictEqual(readdirSync(home.path), []);
    deepStrictEqual(await keyNames(server), ["first"]);
  });
});

Deno.test("connect starts a process if no server runs, and checks that it works", async () => {
  await withHome(async (server, home) => {
    const environment = { COMMONPLACE_EMBEDDER: "none" };
    const args = ["connect", "cursor", "--data", server.directory, "--user-id", "ana"];
    await server.stop();
    const printed = await home.run(args, environment);
    match(printed, new RegExp(`^Cursor is connected to ${server.directory}\n`));
    const { command, args: words, env } = cursorEntry(home);
    strictEqual(env, undefined);
    deepStrictEqual(words.slice(-5), ["mcp", "--data", server.directory, "--user-id", "ana"]);
    ok((await askForTools({ kind: "process", program: command, args: words, environment })).length);

    await server.start();
    await home.run(args);
    strictEqual(cursorEntry(home).url, `${server.url}/mcp?user_id=ana`);
    strictEqual(cursorEntry(home).command, undefined);
    await home.run([...args, "--stdio"], environment);
    strictEqual(cursorEntry(home).command, command);
    await home.run(["connect", "cursor", "--data", server.directory, "--stdio"], environment);
    deepStrictEqual(cursorEntry(home).args, words, "connecting again keeps the scope");
    deepStrictEqual(await keyNames(server), ["first"], "the key for the URL is revoked");
  });
});

Deno.test("connect reads the scopes of a process only for the same server or data directory", () => {
  const url = "http://127.0.0.1:8420";
  const server = { kind: "server", url, data: "/data" } as const;
  const args = ["mcp", "--url", url, "--user-id", "ana", "--run-id", "r"];
  const scopes = { user_id: "ana", run_id: "r" };
  deepStrictEqual(scopesOfProcess({ command: "x", args }, server), scopes);
  deepStrictEqual(scopesOfProcess({ type: "local", command: ["x", ...args] }, server), scopes);
  deepStrictEqual(scopesOfProcess({ command: "x", args }, { ...server, url: `${url}1` }), {});
  deepStrictEqual(
    scopesOfProcess({ command: "x", args }, { kind: "directory", data: "/data" }),
    {},
  );
  deepStrictEqual(scopesOfProcess({ args: ["mcp", "--url", url, "--user-id"] }, server), {});
  deepStrictEqual(scopesOfProcess({ url: `${url}/mcp?user_id=ana` }, server), {});
});

Deno.test("connect writes an entry that starts the executable, with its runtime if it's a script", async () => {
  await withHome(async (server, home) => {
    const print = async (environment: Record<string, string>) => {
      const args = [
        "connect",
        "cursor",
        "--print",
        "--json",
        "--stdio",
        "--data",
        server.directory,
      ];
      const { text } = JSON.parse(await home.run(args, environment));
      const { command, args: words } = JSON.parse(text).mcpServers.commonplace;
      return [command, ...words].slice(0, -2);
    };
    const executable = { COMMONPLACE_EXECUTABLE: "/opt/commonplace" };
    deepStrictEqual(await print(executable), ["/opt/commonplace", "mcp"]);
    const script = { COMMONPLACE_EXECUTABLE: "/opt/x.cjs", COMMONPLACE_RUNTIME: "/opt/bin/node" };
    deepStrictEqual(await print(script), ["/opt/bin/node", "/opt/x.cjs", "mcp"]);
  });
});

Deno.test("connect --print shows the entry and the command, and changes nothing", async () => {
  await withHome(async (server, home) => {
    for (const { id, format, http } of CLIENTS) {
      const flags = ["--data", server.directory, "--user-id", "ana", "--print", "--json"];
      const { file, text, command } = JSON.parse(await home.run(["connect", id, ...flags]));
      ok(file.startsWith(home.path), id);
      FORMATS[format].parse(text);
      ok(text.includes("cpl_YOUR_KEY") && text.includes("ana"), id);
      if (http !== undefined) ok(text.includes(`${server.url}/mcp?user_id=ana`), id);
      if (command !== null) ok(command.includes("cpl_YOUR_KEY"), id);
    }
    deepStrictEqual(readdirSync(home.path), []);
    deepStrictEqual(await keyNames(server), ["first"]);
  });
});

Deno.test("connect --print shows the command that creates the same key, unless there is one", async () => {
  await withHome(async (server, home) => {
    const flags = [
      "--data",
      server.directory,
      "--permissions",
      "memory:read",
      "--project",
      "my app",
    ];
    const printed = await home.run(["connect", "cursor", "--print", ...flags]);
    const command = "deno task commonplace keys create --project 'my app' --name cursor " +
      `--permissions memory:read --data ${server.directory}`;
    ok(printed.endsWith(`\n${command}`), printed);

    const environment = { COMMONPLACE_API_KEY: server.key };
    const withKey = ["connect", "cursor", "--print", "--url", server.url];
    ok(!(await home.run(withKey, environment)).includes("keys create"));
    const args = [...withKey.slice(1), "--permissions", "memory:read"];
    await rejects(connect.run(args, home.terminal(environment)), {
      message: /^--permissions can't be combined with COMMONPLACE_API_KEY/,
    });
  });
});

Deno.test("connect lists clients with their status", async () => {
  await withHome(async (server, home) => {
    const status = async (): Promise<Record<string, string>> => {
      const listed = JSON.parse(await home.run(["connect", "--json"]));
      return Object.fromEntries(
        listed.map((
          row: Record<string, string>,
        ) => [row["client"], `${row["installed"]} ${row["status"]}`]),
      );
    };
    deepStrictEqual(new Set(Object.values(await status())), new Set(["no -"]));
    for (const id of ["cursor", "windsurf", "codex", "claude-desktop"]) {
      await home.run(["connect", id, "--data", server.directory]);
    }
    const { key_id } = JSON.parse(
      await home.run(["connect", "codex", "--data", server.directory, "--json"]),
    );
    await server.manage("keys", "revoke", key_id);
    writeFileSync(join(home.path, ".codeium/windsurf/mcp_config.json"), "{");
    mkdirSync(join(home.path, ".gemini"));
    for (
      const [file, servers, fields] of [
        [".gemini/settings.json", "mcpServers", {}],
        [".claude.json", "mcpServers", { headers: { Authorization: "Bearer ${KEY}" } }],
      ] as const
    ) {
      const entry = { commonplace: { url: `${server.url}/mcp`, ...fields } };
      writeFileSync(join(home.path, file), JSON.stringify({ [servers]: entry }));
    }
    // A server that doesn't respond within three seconds counts as not reachable.
    const {
      cursor,
      windsurf,
      codex,
      zed,
      gemini,
      "claude-code": code,
      "claude-desktop": desktop,
    } = await waitUntil(status, (all) => !Object.values(all).some((one) => /reachable/.test(one)));
    deepStrictEqual([cursor, windsurf, codex, zed, gemini, code, desktop], [
      "yes connected",
      "yes unreadable file",
      "yes key refused",
      "no -",
      "yes signs in",
      "yes key set elsewhere",
      "yes starts a process",
    ]);
    await server.stop();
    strictEqual((await status())["cursor"], "yes server not reachable");
    await server.start();
  });
});

Deno.test("connect --scope project writes to the current folder", async () => {
  await withHome(async (server, home) => {
    const project = makeTempDirSync();
    try {
      const args = ["connect", "vscode", "--scope", "project", "--data", server.directory];
      const { code, stdout, stderr } = await run(args, {
        cwd: project,
        environment: { HOME: home.path },
      });
      strictEqual(code, 0, stderr);
      match(stdout, /The file contains a key: keep it out of version control/);
      const { servers } = JSON.parse(readFileSync(join(project, ".vscode/mcp.json"), "utf8"));
      strictEqual(servers.commonplace.url, `${server.url}/mcp`);
      strictEqual(home.read(".config/Code/User/mcp.json"), null);
    } finally {
      await rm(project);
    }
  });
});

Deno.test("connect explains mistakes and changes nothing", async () => {
  await using home = new ClientHome();
  const missing = join(home.path, "missing");
  const mistakes: [string[], RegExp][] = [
    [["nope"], /^Unknown client "nope"\. Use one of: claude-code, .*, zed$/],
    [["--remove"], /^--remove needs a client$/],
    [["cursor", "zed"], /^Expected exactly one argument: client$/],
    [["cursor", "--nope"], /^Unknown option '--nope'$/],
    [["cursor", "--scope", "all"], /^--scope must be user or project, but is "all"$/],
    [["windsurf", "--scope", "project"], /^Windsurf has no files for projects$/],
    [["cursor", "--data", missing], /missing" doesn't exist/],
    [["cursor", "--url", "ftp://x"], /^--url must be an http or https URL, but is "ftp:\/\/x"$/],
    [["cursor", "--url", "http://127.0.0.1:9", "--data", missing], /^--url needs a key: set/],
    [["cursor", "--url", "http://127.0.0.1:9", "--stdio"], /^--url and --stdio can't be combined$/],
    [["cursor", "--user-id", ""], /user_id/],
  ];
  for (const [args, message] of mistakes) {
    await rejects(connect.run(args, home.terminal()), (error: Error) => {
      match(error.message, message);
      return true;
    });
  }
  deepStrictEqual(readdirSync(home.path), []);
  await rejects(connect.run(["cursor"], home.terminal({ HOME: "" })), /HOME/);
});
