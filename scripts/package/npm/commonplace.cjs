#!/usr/bin/env node
// Runs Commonplace with the Deno runtime from the npm package `deno`.
"use strict";

const { spawn } = require("node:child_process");
const { mkdirSync, realpathSync } = require("node:fs");
const { constants, homedir } = require("node:os");
const { delimiter, isAbsolute, join } = require("node:path");
const { isatty } = require("node:tty");

const FLAGS = "@FLAGS@";
// Only `connect` reads other programs' settings, and starts Claude Code and Node with this file.
const CONNECT_FLAGS = "@CONNECT_FLAGS@";

const home = homedir();
const [data, cache] = {
  darwin: [
    join(home, "Library/Application Support/Commonplace"),
    join(home, "Library/Caches/Commonplace"),
  ],
  win32: [
    join(process.env.LOCALAPPDATA || join(home, "AppData/Local"), "Commonplace"),
    join(process.env.LOCALAPPDATA || join(home, "AppData/Local"), "Commonplace/Cache"),
  ],
}[process.platform] || [
  join(process.env.XDG_DATA_HOME || join(home, ".local/share"), "commonplace"),
  join(process.env.XDG_CACHE_HOME || join(home, ".cache"), "commonplace/deno"),
];

/** Returns the path of the runtime for this platform. */
function findDeno() {
  try {
    return require("deno/install_api.cjs").runInstall();
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`;
    const [reason] = String(error && error.message || error).split("\n");
    process.stderr.write(`commonplace: Can't find the Deno runtime for ${platform}: ${reason}\n`);
    process.exit(1);
  }
}

/**
 * Returns a path of this Node that stays after an upgrade, if there is one. `process.execPath` has no
 * symlinks, so it can be in the folder of a version.
 */
function findNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const paths = (process.env.PATH || "").split(delimiter)
    // fnm's folders are removed when the shell ends.
    .filter((folder) => isAbsolute(folder) && !folder.includes("fnm_multishells"))
    .map((folder) => join(folder, name));
  return paths.find(isThisNode) || process.execPath;
}

function isThisNode(path) {
  try {
    return realpathSync(path) === process.execPath;
  } catch {
    return false;
  }
}

const deno = findDeno();
const node = findNode();
const args = process.argv.slice(2);
if (args.length === 0) args.push("serve");

const env = {
  DENO_DIR: cache,
  ...process.env,
  DENO_NO_UPDATE_CHECK: "1",
  COMMONPLACE_EXECUTABLE: __filename,
  // Programs that are opened from the desktop often don't have Node on their PATH.
  COMMONPLACE_RUNTIME: node,
};
const namesData = args.some((arg) => arg === "--data" || arg.startsWith("--data="));
if (!env.COMMONPLACE_DATA && !namesData) {
  env.COMMONPLACE_DATA = data;
  mkdirSync(join(data, ".."), { recursive: true });
  if (["serve", "mcp"].includes(args[0])) process.stderr.write(`Data  ${data}\n`);
}

const app = join(__dirname, "../app");
const command = [
  "run",
  ...(args[0] === "connect" ? CONNECT_FLAGS : FLAGS).split(" ").map((flag) =>
    flag.replace("=DENO", `=${deno}`).replace("LAUNCHER", node)
  ),
  "--config",
  join(app, "deno.json"),
  join(app, "main.js"),
  ...args,
];

if (process.execve) {
  // From Node 22.15 on, the program replaces this process, so signals reach it directly.
  process.removeAllListeners("warning");
  process.execve(deno, [deno, ...command], env);
}
// An older Node stays, and the program ends when it does.
const child = spawn(deno, command, {
  stdio: "inherit",
  env: { ...env, COMMONPLACE_LAUNCHER_PID: String(process.pid) },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to both, and `serve` doesn't finish its work after a second signal.
    if (signal !== "SIGINT" || !isatty(0)) child.kill(signal);
  });
}
child.on("error", (error) => {
  process.stderr.write(`commonplace: Can't run ${deno}: ${error.message}\n`);
  process.exit(1);
});
// As a shell does: 128 and the number of the signal that ended the program.
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
