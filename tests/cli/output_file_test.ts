/** Tests the file that `export` writes: it's complete, or not there, and never lost. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFile } from "../../src/cli/records/output_file.ts";
import { withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function withFolder(test: (folder: string) => unknown): Promise<void> {
  const folder = makeTempDirSync();
  try {
    await test(folder);
  } finally {
    await rm(folder);
  }
}

Deno.test("export replaces a file only with --force", async () => {
  await withServer(async ({ add, directory }) => {
    await add("Rye");
    await withFolder(async (folder) => {
      const path = join(folder, "notes.json");
      const exported = (...flags: string[]) =>
        run(["export", "--project", "default", "--output", path, "--data", directory, ...flags]);
      writeFileSync(path, "mine");
      const refused = await exported();
      strictEqual(refused.code, 1);
      strictEqual(
        refused.stderr,
        `commonplace: --output: "${path}" already exists; pass --force to replace it\n`,
      );
      strictEqual(readFileSync(path, "utf8"), "mine");
      const replaced = await exported("--force");
      strictEqual(replaced.code, 0, replaced.stderr);
      match(readFileSync(path, "utf8"), /Rye/);
      deepStrictEqual(readdirSync(folder), ["notes.json"]);
    });
  });
});

Deno.test("export refuses an existing file before it opens the data directory", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "notes.zip");
    writeFileSync(path, "mine");
    const data = ["--project", "default", "--data", join(folder, "missing")];
    const { code, stderr } = await run(["export", "--format", "jsonl", "--output", path, ...data]);
    strictEqual(code, 1);
    match(stderr, /already exists; pass --force/);
  });
});

Deno.test("export writes no file in the data directory", async () => {
  await withServer(async ({ add, directory }) => {
    await add("Rye");
    for (const name of ["commonplace.db", "commonplace.db-journal"]) {
      const path = join(directory, name);
      const flags = ["--project", "default", "--data", directory, "--force"];
      const { code, stderr } = await run(["export", "--output", path, ...flags]);
      const message = `commonplace: --output: "${path}" is in the data directory\n`;
      deepStrictEqual([code, stderr], [1, message]);
    }
    match(readFileSync(join(directory, "commonplace.db"), "latin1"), /^SQLite format/);
  });
});

Deno.test("writeFile() leaves no files behind if writing fails", async () => {
  await withFolder(async (folder) => {
    const output = { path: join(folder, "out"), force: false };
    await rejects(
      writeFile(output, async (append) => {
        await append(bytes("half"));
        throw new Error("broken");
      }),
      /^Error: broken$/,
    );
    deepStrictEqual(readdirSync(folder), []);
    await rejects(
      writeFile({ ...output, path: join(folder, "missing", "out") }, () => Promise.resolve()),
      { message: `${join(folder, "missing", "out")}: no such file or directory` },
    );
  });
});

Deno.test("writeFile() doesn't replace a file that was created in the meantime", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "out");
    const write = (append: (bytes: Uint8Array) => Promise<void>) => {
      writeFileSync(path, "theirs");
      return append(bytes("ours"));
    };
    await rejects(writeFile({ path, force: false }, write), /already exists; pass --force/);
    strictEqual(readFileSync(path, "utf8"), "theirs");
    deepStrictEqual(readdirSync(folder), ["out"]);
  });
});

Deno.test("writeFile() replaces the target of a link and keeps the link", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "link");
    writeFileSync(join(folder, "target"), "old");
    symlinkSync("target", path);
    await writeFile({ path, force: true }, (append) => append(bytes("new")));
    deepStrictEqual([readlinkSync(path), readFileSync(path, "utf8")], ["target", "new"]);
  });
});

/**
 * Starts a program that writes to the file "out" in a folder, which has one already.
 *
 * @param write the body of a function with the parameter `append`
 * @param prefix words to put before the command line
 */
function startWriting(folder: string, write: string, prefix: readonly string[] = []) {
  const root = join(import.meta.dirname!, "../..");
  const script = join(folder, "program.ts");
  writeFileSync(join(folder, "out"), "old");
  writeFileSync(
    script,
    `import { writeFile } from "${join(root, "src/cli/records/output_file.ts")}";
    await writeFile({ path: "${
      join(folder, "out")
    }", force: true }, async (append) => {${write}});`,
  );
  const flags = ["--quiet", "--no-check", "--allow-all", "--config", join(root, "deno.json")];
  const [program, ...args] = [...prefix, Deno.execPath(), "run", ...flags, script];
  return new Deno.Command(program!, { args, stdout: "piped", stderr: "piped" }).spawn();
}

function assertOnlyOldFile(folder: string): void {
  deepStrictEqual(readdirSync(folder).sort(), ["out", "program.ts"]);
  strictEqual(readFileSync(join(folder, "out"), "utf8"), "old");
}

Deno.test("writeFile() that runs out of space keeps the old file and names it in the error", async () => {
  await withFolder(async (folder) => {
    const write = "for (;;) await append(new Uint8Array(1_000_000));";
    // A limit of the file size, in 512 bytes, in place of a full disk.
    const prefix = ["sh", "-c", `trap '' XFSZ; ulimit -f 4000; exec "$@"`, "sh"];
    const child = startWriting(folder, write, prefix);
    await child.stdout.cancel();
    match(await child.stderr.text(), /UsageError: \S+\/out: [Ff]ile too large\n/);
    assertOnlyOldFile(folder);
  });
});

Deno.test("writeFile() that a signal ends deletes the unfinished file and exits with 128 and its number", async (t) => {
  const write = `
    setInterval(() => {}, 60_000);
    await append(new Uint8Array(1_000));
    console.log("written");
    await new Promise(() => {});`;
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    await t.step(signal, () =>
      withFolder(async (folder) => {
        await using child = startWriting(folder, write);
        const { value } = await child.stdout.getReader().read();
        match(new TextDecoder().decode(value), /written/);
        ok(readdirSync(folder).some((name) => name.startsWith("out.partial-")));
        child.kill(signal);
        strictEqual((await child.status).code, code);
        assertOnlyOldFile(folder);
        await child.stderr.cancel();
      }));
  }
});
