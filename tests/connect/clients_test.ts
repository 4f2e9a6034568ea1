/** Tests the table of clients: files on each system, and the entries that their guides describe. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENTS, entryFor, isInstalled, userFile } from "../../src/connect/clients.ts";
import { backUp, readConfigFile, writeConfigFile } from "../../src/connect/config_file.ts";
import { instructionsFor } from "../../src/connect/instructions.ts";
import type { Machine } from "../../src/connect/machine.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

function machine(
  os: Machine["os"],
  { files = [], variables = {} }: {
    readonly files?: readonly string[];
    readonly variables?: Readonly<Record<string, string>>;
  } = {},
): Machine {
  const home = { linux: "/home/ana", darwin: "/Users/ana", windows: "C:\\Users\\ana" }[os];
  return {
    os,
    home,
    environment: (name) => variables[name],
    exists: (path) => files.includes(path),
  };
}

Deno.test("userFile() returns each client's file on Linux, macOS and Windows", () => {
  const expected: Record<string, readonly [linux: string, darwin: string, windows: string]> = {
    "claude-code": [".claude.json", ".claude.json", ".claude.json"],
    "claude-desktop": [
      ".config/Claude/claude_desktop_config.json",
      "Library/Application Support/Claude/claude_desktop_config.json",
      "AppData\\Roaming\\Claude\\claude_desktop_config.json",
    ],
    cursor: [".cursor/mcp.json", ".cursor/mcp.json", ".cursor\\mcp.json"],
    vscode: [
      ".config/Code/User/mcp.json",
      "Library/Application Support/Code/User/mcp.json",
      "AppData\\Roaming\\Code\\User\\mcp.json",
    ],
    windsurf: [
      ".codeium/windsurf/mcp_config.json",
      ".codeium/windsurf/mcp_config.json",
      ".codeium\\windsurf\\mcp_config.json",
    ],
    codex: [".codex/config.toml", ".codex/config.toml", ".codex\\config.toml"],
    gemini: [".gemini/settings.json", ".gemini/settings.json", ".gemini\\settings.json"],
    opencode: [
      ".config/opencode/opencode.jsonc",
      ".config/opencode/opencode.jsonc",
      ".config\\opencode\\opencode.jsonc",
    ],
    zed: [
      ".config/zed/settings.json",
      ".config/zed/settings.json",
      "AppData\\Roaming\\Zed\\settings.json",
    ],
  };
  for (const client of CLIENTS) {
    const [linux, darwin, windows] = expected[client.id]!;
    strictEqual(userFile(client, machine("linux")), `/home/ana/${linux}`);
    strictEqual(userFile(client, machine("darwin")), `/Users/ana/${darwin}`);
    strictEqual(userFile(client, machine("windows")), `C:\\Users\\ana\\${windows}`);
  }
});

Deno.test("userFile() follows the variables that move a client's files", () => {
  const moved: readonly (readonly [id: string, variable: string, file: string])[] = [
    ["claude-code", "CLAUDE_CONFIG_DIR", "/x/.claude.json"],
    ["codex", "CODEX_HOME", "/x/config.toml"],
    ["opencode", "XDG_CONFIG_HOME", "/x/opencode/opencode.jsonc"],
    ["zed", "XDG_CONFIG_HOME", "/x/zed/settings.json"],
    ["vscode", "XDG_CONFIG_HOME", "/x/Code/User/mcp.json"],
  ];
  for (const [id, variable, file] of moved) {
    const client = CLIENTS.find((client) => client.id === id)!;
    strictEqual(userFile(client, machine("linux", { variables: { [variable]: "/x" } })), file);
  }
});

Deno.test("userFile() prefers a file that exists", () => {
  const opencode = CLIENTS.find(({ id }) => id === "opencode")!;
  const file = "/home/ana/.config/opencode/opencode.json";
  strictEqual(userFile(opencode, machine("linux", { files: [file] })), file);
});

Deno.test("isInstalled() finds a client by its command or its folder", () => {
  const [claude, cursor] = ["claude-code", "cursor"].map((id) =>
    CLIENTS.find((client) => client.id === id)!
  );
  const variables = { PATH: "/usr/bin:/opt/bin" };
  ok(isInstalled(cursor!, machine("linux", { files: ["/opt/bin/cursor"], variables })));
  ok(isInstalled(cursor!, machine("linux", { files: ["/home/ana/.cursor"] })));
  ok(isInstalled(claude!, machine("linux", { files: ["/home/ana/.claude.json"] })));
  ok(!isInstalled(claude!, machine("linux", { files: ["/home/ana"], variables })));
  const onWindows = { files: ["D:\\bin\\cursor.cmd"], variables: { PATH: "C:\\x;D:\\bin" } };
  ok(isInstalled(cursor!, machine("windows", onWindows)));
});

Deno.test("entryFor() returns what each client's guide describes", () => {
  const url = "http://127.0.0.1:8420/mcp";
  const headers = { Authorization: "Bearer cpl_x" };
  const http: Record<string, unknown> = {
    "claude-code": { type: "http", url, headers },
    "claude-desktop": undefined,
    cursor: { url, headers },
    vscode: { type: "http", url, headers },
    windsurf: { serverUrl: url, headers },
    codex: { url, http_headers: headers },
    gemini: { type: "http", url, headers },
    opencode: { type: "remote", url, headers },
    zed: { url, headers },
  };
  const common = { command: "/bin/commonplace", args: ["mcp"], env: { A: "b" } };
  const process: Record<string, unknown> = {
    "claude-code": { type: "stdio", ...common },
    vscode: { type: "stdio", ...common },
    opencode: { type: "local", command: ["/bin/commonplace", "mcp"], environment: { A: "b" } },
  };
  for (const client of CLIENTS) {
    const entry = client.http && entryFor(client, { kind: "http", url, key: "cpl_x" });
    deepStrictEqual(entry, http[client.id], client.id);
    const target = { program: "/bin/commonplace", args: ["mcp"], environment: { A: "b" } };
    deepStrictEqual(
      entryFor(client, { kind: "process", ...target }),
      process[client.id] ?? common,
      client.id,
    );
  }
});

Deno.test("instructionsFor() makes links that decode to the entry", () => {
  const url = "http://127.0.0.1:8420/mcp?user_id=a%2Fb";
  const target = { kind: "http", url, key: "cpl_x" } as const;
  const headers = { Authorization: "Bearer cpl_x" };
  const links = CLIENTS.filter(({ http }) => http !== undefined).flatMap((client) =>
    instructionsFor(client, target).link ?? []
  );
  const [cursor, vscode, ...more] = links.map((link) => new URL(link));
  strictEqual(
    cursor!.origin + cursor!.host + cursor!.pathname,
    "nullanysphere.cursor-deeplink/mcp/install",
  );
  strictEqual(cursor!.searchParams.get("name"), "commonplace");
  deepStrictEqual(JSON.parse(atob(cursor!.searchParams.get("config")!)), { url, headers });
  strictEqual(vscode!.protocol + vscode!.pathname, "vscode:mcp/install");
  deepStrictEqual(JSON.parse(decodeURIComponent(vscode!.search.slice(1))), {
    name: "commonplace",
    type: "http",
    url,
    headers,
  });
  deepStrictEqual(more, []);
});

Deno.test("writeConfigFile() refuses a file that was changed after it was read", async () => {
  const directory = makeTempDirSync();
  try {
    const path = join(directory, "mcp.json");
    writeFileSync(path, "{}");
    const file = readConfigFile(path);
    writeFileSync(path, '{"a": 1}');
    let message = "";
    try {
      writeConfigFile(file, '{"b": 1}', { isSecret: false, backupAt: 0 });
    } catch (error) {
      message = (error as Error).message;
    }
    strictEqual(message, "It was changed by another program at the same time; try again");
    strictEqual(readFileSync(path, "utf8"), '{"a": 1}');
  } finally {
    await rm(directory);
  }
});

Deno.test("backUp() never replaces another backup, and only the owner can read one", async () => {
  const directory = makeTempDirSync();
  try {
    const path = join(directory, "mcp.json");
    const contents = ["first", "second", "third"];
    const backups = contents.map((content) => {
      writeFileSync(path, content, { mode: 0o644 });
      return backUp(readConfigFile(path), Date.UTC(2026, 10, 26, 15, 4, 5))!;
    });
    const name = `${path}.before-commonplace-20261126T150405`;
    deepStrictEqual(backups, [name, `${name}-2`, `${name}-3`]);
    deepStrictEqual(backups.map((backup) => readFileSync(backup, "utf8")), contents);
    for (const backup of backups) strictEqual(statSync(backup).mode & 0o777, 0o600);
  } finally {
    await rm(directory);
  }
});

Deno.test("writeConfigFile() creates folders, and restricts a file with a key to its owner", async () => {
  const directory = makeTempDirSync();
  try {
    const path = join(directory, "a/b/mcp.json");
    const write = (text: string, isSecret: boolean) =>
      writeConfigFile(readConfigFile(path), text, { isSecret, backupAt: 0 });
    const mode = () => (statSync(path).mode & 0o777).toString(8);
    strictEqual(write("{}", false), null);
    strictEqual(mode(), "600", "a new file");
    chmodSync(path, 0o754);
    const backup = write("{ }", false)!;
    strictEqual(mode(), "754");
    write("{  }", true);
    strictEqual(mode(), "700");
    deepStrictEqual([readFileSync(path, "utf8"), readFileSync(backup, "utf8")], ["{  }", "{}"]);
  } finally {
    await rm(directory);
  }
});
