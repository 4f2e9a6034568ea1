/** The single executable: it holds everything, and unpacks itself whole or not at all. */

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
import { type CommandResult, run, type RunOptions, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const root = join(import.meta.dirname!, "../..");

/** Folders of this file's tests, removed at its end. */
const directory = makeTempDirSync();
const executable = join(directory, "commonplace");
/** Where the first test unpacks, and others find it. */
const place = join(directory, "program");

Deno.test.beforeAll(async () => {
  await buildExecutable(root, executable);
  // Other users must be able to reach it.
  chmodSync(directory, 0o755);
});
Deno.test.afterAll(() => rm(directory));

function unpackedIn(unpackDir: string, options: RunOptions = {}): RunOptions {
  const environment = { ...options.environment, COMMONPLACE_UNPACK_DIR: unpackDir };
  return { executable, ...options, environment };
}

function version(options: RunOptions): Promise<CommandResult> {
  return run(["version", "--json"], options);
}

function folderIn(unpackDir: string): string {
  const [name, ...others] = readdirSync(unpackDir).filter((entry) => entry !== "lock");
  deepStrictEqual(others, []);
  match(name!, /^[0-9a-f]{16}$/);
  return join(unpackDir, name!);
}

/** The files, below a path or all of them, that are not as the executable has them. */
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

Deno.test("two first starts at once unpack one folder, and clear away what nobody needs", async () => {
  const outdated = join(place, "0123456789abcdef");
  const running = join(place, "fedcba9876543210");
  const abandoned = join(place, "new.killed");
  for (const folder of [outdated, running, abandoned]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(running, "ready"), "");
  utimesSync(abandoned, 0, 0);
  using held = Deno.openSync(join(running, "ready"));
  held.lockSync(false);
  const both = await Promise.all([version(unpackedIn(place)), version(unpackedIn(place))]);
  for (const { code, stdout, stderr } of both) {
    deepStrictEqual([code, stderr], [0, ""]);
    strictEqual(JSON.parse(stdout).name, "commonplace");
  }
  ok(statSync(running).isDirectory());
  rmSync(running, { recursive: true });
  deepStrictEqual(wrongFiles(folderIn(place)), []);
});

Deno.test("every slice works, from the executable, through a link and with no network", async () => {
  // As systemd shows a service of DynamicUser= its folders.
  const linked = join(directory, "linked");
  symlinkSync(place, linked);
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

/** A namespace with nothing but loopback; where that is forbidden, a proxy that isn't there. */
const NO_NETWORK = isolates("-n")
  ? ["unshare", "-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"]
  : ["env", "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9"];

function isolates(kind: "-n" | "-m"): boolean {
  return new Deno.Command("unshare", { args: ["-r", kind, "true"] }).outputSync().success;
}

Deno.test("a damaged folder is mended, whatever is damaged, under a server that runs from it", async (t) => {
  const folder = folderIn(place);
  const options = unpackedIn(place);
  await using program = await ServeProcess.serve(join(directory, "mended"), [], options);
  const damages: readonly (readonly [string, string, (path: string) => void])[] = [
    ["a file of the program is missing", "app/main.ts", (path) => rmSync(path)],
    [
      "a model is cut short",
      "app/assets/embedding/all-minilm-l6-v2-int8/model.onnx",
      (path) => truncateSync(path, 1_000),
    ],
    ["a byte of a package is wrong", "app/node_modules/zod/index.js", flipByte],
    ["a folder is missing", "app/migrations", (path) => rmSync(path, { recursive: true })],
    ["the start is wrong", "app/src/bundle/start.ts", flipByte],
    ["the list of files is empty", "manifest.json", (path) => truncateSync(path)],
    ["the runtime is missing", "deno", (path) => rmSync(path)],
    ["the mark of a whole folder is missing", "ready", (path) => rmSync(path)],
  ];
  for (const [name, path, damage] of damages) {
    await t.step(name, async () => {
      damage(join(folder, path));
      const { code, stderr } = await version(options);
      strictEqual(code, 0, stderr);
      match(stderr, /^$|^commonplace: Mended \d+ damaged files in [^\n]+\n$/);
      deepStrictEqual(wrongFiles(folder, path), []);
      ok(existsSync(join(folder, path)));
      const again = await version(options);
      deepStrictEqual([again.code, again.stderr], [0, ""]);
    });
  }
  deepStrictEqual(wrongFiles(folder), []);
  await t.step("the server goes on", async () => {
    strictEqual((await call(program.url, "GET", "/readyz", { key: null })).status, 200);
    strictEqual((await program.stop()).code, 0);
  });
});

Deno.test("without root, from a read-only place, the data directory alone is enough", async () => {
  const readOnly = join(directory, "read-only");
  mkdirSync(readOnly);
  const copy = join(readOnly, "commonplace");
  copyFileSync(executable, copy);
  chmodSync(readOnly, 0o555);
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  const nobody = 65_534;
  const privileged = Deno.uid() === 0;
  if (privileged) chownSync(data, nobody, nobody);
  const options: RunOptions = {
    executable: copy,
    cwd: readOnly,
    prefix: privileged
      ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
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
});

Deno.test("a full disk is told in one line, and nothing half stays", async (t) => {
  const mount = join(directory, "small");
  mkdirSync(mount);
  const onDiskOf = (megabytes: number) =>
    isolates("-m")
      ? `mount -t tmpfs -o size=${megabytes}m small "$0" || exit 9`
      // Where mounts are forbidden, the limit on the size of files stands in.
      : `ulimit -f ${megabytes}; trap '' XFSZ`;
  const steps = { "the runtime has no room": 30, "the rest has no room": 200 };
  for (const [name, megabytes] of Object.entries(steps)) {
    await t.step(name, async () => {
      const script = `${onDiskOf(megabytes)}; "$@"; code=$?; ls -A "$0"; exit $code`;
      const isolated = isolates("-m") ? ["unshare", "-rm"] : [];
      const prefix = [...isolated, "sh", "-c", script, mount];
      const ended = await version(unpackedIn(mount, { prefix }));
      strictEqual(ended.code, 1, ended.stderr);
      match(ended.stderr, /^commonplace: Can't unpack the program; [^\n]+\n$/);
      match(ended.stderr, /no room|No space left|File too large/);
      match(ended.stdout, /^(lock\n)?$/);
    });
  }
});

Deno.test("a damaged executable is told in one line, and nothing of it is unpacked", async (t) => {
  const bad = join(directory, "damaged");
  const unpackDir = join(directory, "of-damaged");
  const cut = () => truncateSync(bad, statSync(bad).size - 1);
  for (
    const [name, damage] of [["cut short", cut], ["a byte is wrong", () => flipByte(bad)]] as const
  ) {
    await t.step(name, async () => {
      copyFileSync(executable, bad);
      damage();
      const ended = await version({ ...unpackedIn(unpackDir), executable: bad });
      strictEqual(ended.code, 1);
      match(ended.stderr, /^commonplace: [^\n]*damaged; get it anew[^\n]*\n$/);
      deepStrictEqual(present(unpackDir).filter((entry) => entry !== "lock"), []);
    });
  }
});

function present(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}
