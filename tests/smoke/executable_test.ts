/**
 * Makes sure that the single-file executable contains everything, and unpacks completely or not at
 * all.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../../scripts/build/executable.ts";
import type { Manifest } from "../../src/bundle/unpack.ts";
import { call } from "../../testing/harness.ts";
import { isolates } from "../../testing/isolation.ts";
import {
  type CommandResult,
  ON_TERMINAL,
  run,
  type RunOptions,
  ServeProcess,
} from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

const root = join(import.meta.dirname!, "../..");

/** Shared by all tests in this file and removed at the end. */
const directory = makeTempDirSync();
const executable = join(directory, "commonplace");
/** The folder the first test unpacks into. Reused by the others. */
const unpackRoot = join(directory, "program");

Deno.test.beforeAll(async () => {
  await buildExecutable(root, executable);
  // Other users need access to it.
  chmodSync(directory, 0o755);
});
Deno.test.afterAll(() => rm(directory));

function unpackedIn(unpackDir: string, options: RunOptions = {}): RunOptions {
  const environment = { ...options.environment, COMMONPLACE_UNPACK_DIR: unpackDir };
  return { executable, ...options, environment };
}

/** What a start prints if it takes longer than ten seconds to unpack, on a busy machine. */
const PROGRESS_LINES = /^commonplace: (Unpacking|Checking) the program, \d+ of \d+ MB\n/gm;

/** Runs `version`. The result leaves out lines about progress, which depend on the machine. */
async function version(options: RunOptions): Promise<CommandResult> {
  const result = await run(["version", "--json"], options);
  return { ...result, stderr: result.stderr.replaceAll(PROGRESS_LINES, "") };
}

function folderIn(unpackDir: string): string {
  const [name, ...others] = readdirSync(unpackDir).filter((entry) => entry !== "lock");
  deepStrictEqual(others, []);
  match(name!, /^[0-9a-f]{16}$/);
  return join(unpackDir, name!);
}

/** Returns the files that differ from those in the executable, optionally only below a path. */
function wrongFiles(folder: string, below = ""): string[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  ok(manifest.length > 500);
  return manifest.filter(({ path }) => path.startsWith(below)).filter(({ path, sha256 }) =>
    createHash("sha256").update(readFileSync(join(folder, path))).digest("hex") !== sha256
  ).map(({ path }) => path);
}

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

Deno.test("executable unpacks one folder if started twice at the same time, and removes unused folders", async () => {
  const outdated = join(unpackRoot, "0123456789abcdef");
  const running = join(unpackRoot, "fedcba9876543210");
  const abandoned = join(unpackRoot, "new.killed");
  for (const folder of [outdated, running, abandoned]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(running, "ready"), "");
  utimesSync(abandoned, 0, 0);
  using lock = Deno.openSync(join(running, "ready"));
  lock.lockSync(false);
  const both = await Promise.all([
    version(unpackedIn(unpackRoot)),
    version(unpackedIn(unpackRoot)),
  ]);
  for (const { code, stdout, stderr } of both) {
    deepStrictEqual([code, stderr], [0, ""]);
    strictEqual(JSON.parse(stdout).name, "commonplace");
  }
  ok(statSync(running).isDirectory());
  rmSync(running, { recursive: true });
  deepStrictEqual(wrongFiles(folderIn(unpackRoot)), []);
});

testWith(
  ["python3"],
  "executable shows on a terminal how far unpacking is, and removes the line",
  async () => {
    const unpackDir = join(directory, "shown");
    const { code, stdout } = await version({ ...unpackedIn(unpackDir), prefix: ON_TERMINAL });
    strictEqual(code, 0, stdout);
    match(stdout, /\rUnpacking the program, \d+ of \d+ MB/);
    match(stdout, /\r +\r\{[^\r]*"name":"commonplace"[^\r]*\r\n$/);
    rmSync(unpackDir, { recursive: true });
  },
);

Deno.test("executable passes the smoke test through a symbolic link and without a network", async () => {
  // For a service with DynamicUser=, systemd provides the folders through links like this.
  const linked = join(directory, "linked");
  symlinkSync(unpackRoot, linked);
  const child = new Deno.Command(NO_NETWORK[0]!, {
    args: [
      ...NO_NETWORK.slice(1),
      Deno.execPath(),
      "run",
      "--quiet",
      "--allow-all",
      join(import.meta.dirname!, "main.ts"),
      executable,
    ],
    env: { COMMONPLACE_UNPACK_DIR: linked, NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  strictEqual(code, 0, text(stdout) + text(stderr));
  match(text(stdout), /text recognized/);
});

/**
 * Runs a command without a network: in a namespace with only a loopback device, or with an
 * unreachable proxy if namespaces are forbidden.
 */
const NO_NETWORK = isolates("-n")
  ? ["unshare", "-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"]
  : [
    "env",
    "HTTP_PROXY=http://127.0.0.1:9",
    "HTTPS_PROXY=http://127.0.0.1:9",
    "NO_PROXY=127.0.0.1,localhost",
  ];

Deno.test("executable repairs its folder after any damage while a server is running from it", async (t) => {
  const folder = folderIn(unpackRoot);
  const options = unpackedIn(unpackRoot);
  await using program = await ServeProcess.serve(join(directory, "repaired"), [], options);
  const damages: readonly (readonly [string, string, (path: string) => void])[] = [
    ["a file of the program is missing", "app/main.ts", (path) => rmSync(path)],
    [
      "a model is truncated",
      "app/assets/embedding/all-minilm-l6-v2-int8/model.onnx",
      (path) => truncateSync(path, 1_000),
    ],
    ["a byte of a package is wrong", "app/node_modules/zod/index.js", flipByte],
    ["a folder is missing", "app/migrations", (path) => rmSync(path, { recursive: true })],
    ["a byte of the entry point is wrong", "app/src/bundle/start.ts", flipByte],
    ["the manifest is empty", "manifest.json", (path) => truncateSync(path)],
    ["the runtime is missing", "deno", (path) => rmSync(path)],
    ["the ready marker is missing", "ready", (path) => rmSync(path)],
  ];
  for (const [name, path, damage] of damages) {
    await t.step(name, async () => {
      damage(join(folder, path));
      const { code, stderr } = await version(options);
      strictEqual(code, 0, stderr);
      match(stderr, /^$|^commonplace: Repaired \d+ damaged files in [^\n]+\n$/);
      deepStrictEqual(wrongFiles(folder, path), []);
      ok(existsSync(join(folder, path)));
      const again = await version(options);
      deepStrictEqual([again.code, again.stderr], [0, ""]);
    });
  }
  deepStrictEqual(wrongFiles(folder), []);
  await t.step("the server keeps running", async () => {
    strictEqual((await call(program.url, "GET", "/readyz", { key: null })).status, 200);
    strictEqual((await program.stop()).code, 0);
  });
});

/** Only root can drop its privileges, and it needs a program to do so. */
const privileged = Deno.uid() === 0;

testWith(
  privileged ? ["setpriv"] : [],
  "executable needs only the data directory without root in a read-only folder",
  async () => {
    const readOnly = join(directory, "read-only");
    mkdirSync(readOnly);
    const copy = join(readOnly, "commonplace");
    copyFileSync(executable, copy);
    chmodSync(readOnly, 0o555);
    const data = join(directory, "data");
    mkdirSync(data, { mode: 0o700 });
    const unprivileged = 65_534;
    if (privileged) chownSync(data, unprivileged, unprivileged);
    const options: RunOptions = {
      executable: copy,
      cwd: readOnly,
      prefix: privileged
        ? ["setpriv", `--reuid=${unprivileged}`, `--regid=${unprivileged}`, "--clear-groups"]
        : [],
      environment: { HOME: "/nonexistent", COMMONPLACE_EMBEDDER: "minilm" },
    };
    await using program = await ServeProcess.serve(data, [], options);
    const key = program.apiKey;
    const body = { content: "Ana whistles", user_id: "ana", infer: false };
    strictEqual((await call(program.url, "POST", "/v1/memories", { key, body })).status, 200);
    ok(folderIn(join(data, "program")));
    strictEqual(statSync(data).mode & 0o777, 0o700);
    strictEqual((await program.stop()).code, 0);
    chmodSync(readOnly, 0o755);
  },
);

Deno.test("executable reports a full disk on a single line and leaves no partial files behind", async (t) => {
  const mount = join(directory, "small");
  mkdirSync(mount);
  const onDiskOf = (megabytes: number) =>
    isolates("-m")
      ? `mount -t tmpfs -o size=${megabytes}m small "$0" || exit 9`
      // If mounts are forbidden, we use a file size limit instead of a full disk.
      : `ulimit -f ${megabytes}; trap '' XFSZ`;
  const steps = { "no space for the runtime": 30, "no space for the other files": 200 };
  for (const [name, megabytes] of Object.entries(steps)) {
    await t.step(name, async () => {
      const script = `${onDiskOf(megabytes)}; "$@"; code=$?; ls -A "$0"; exit $code`;
      const isolated = isolates("-m") ? ["unshare", "-rm"] : [];
      const prefix = [...isolated, "sh", "-c", script, mount];
      const ended = await version(unpackedIn(mount, { prefix }));
      strictEqual(ended.code, 1, ended.stderr);
      match(ended.stderr, /^commonplace: Can't unpack the program; [^\n]+\n$/);
      match(ended.stderr, /no space|No space left|File too large/);
      match(ended.stdout, /^(lock\n)?$/);
    });
  }
});

Deno.test("executable reports damage to itself on a single line and unpacks nothing", async (t) => {
  const bad = join(directory, "damaged");
  const unpackDir = join(directory, "of-damaged");
  const cut = () => truncateSync(bad, statSync(bad).size - 1);
  const damages = [["truncated", cut], ["a byte is wrong", () => flipByte(bad)]] as const;
  for (const [name, damage] of damages) {
    await t.step(name, async () => {
      copyFileSync(executable, bad);
      damage();
      const ended = await version({ ...unpackedIn(unpackDir), executable: bad });
      strictEqual(ended.code, 1);
      match(ended.stderr, /^commonplace: [^\n]*damaged; download it again[^\n]*\n$/);
      deepStrictEqual(present(unpackDir).filter((entry) => entry !== "lock"), []);
    });
  }
});

function present(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}
