/** Tests the file that `export` writes: it's complete, or not there, and never lost. */

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

/** Exports a project of one memory, and passes the result to `test`. */
async function exportRye(
  pathIn: (directory: string) => string,
  test: (result: Awaited<ReturnType<typeof run>>, path: string) => unknown,
): Promise<void> {
  await withServer(async ({ add, directory }) => {
    await add("Rye");
    const path = pathIn(directory);
    await test(
      await run(["export", "--project", "default", "--output", path, "--data", directory]),
      path,
    );
  });
}

Deno.test("export replaces an existing file", async () => {
  await withFolder((folder) => {
    const path = join(folder, "notes.json");
    writeFileSync(path, "old");
    return exportRye(() => path, ({ code, stderr }) => {
      strictEqual(code, 0, stderr);
      match(readFileSync(path, "utf8"), /Rye/);
      deepStrictEqual(readdirSync(folder), ["notes.json"]);
    });
  });
});

Deno.test("export writes into the data directory, where a container keeps its files", async () => {
  for (const name of ["notes.json", "exports.db"]) {
    await exportRye((directory) => join(directory, name), ({ code, stderr }, path) => {
      strictEqual(code, 0, stderr);
      match(readFileSync(path, "utf8"), /Rye/);
    });
  }
});

Deno.test("export writes no file of the service", async () => {
  const names = ["commonplace.db", "commonplace.db-journal", "server.json", "blobs/notes.json"];
  for (const name of names) {
    await exportRye((directory) => {
      mkdirSync(join(directory, "blobs"), { recursive: true });
      return join(directory, name);
    }, ({ code, stderr }, path) => {
      const message = `commonplace: --output: "${path}" is a file of the service itself\n`;
      deepStrictEqual([code, stderr], [1, message]);
      ok(!existsSync(path) || !readFileSync(path, "utf8").includes("snapshot"));
    });
  }
});

Deno.test("writeFile() leaves no files behind if writing fails", async () => {
  await withFolder(async (folder) => {
    await rejects(
      writeFile(join(folder, "out"), async (append) => {
        await append(bytes("half"));
        throw new Error("broken");
      }),
      /^Error: broken$/,
    );
    deepStrictEqual(readdirSync(folder), []);
    await rejects(
      writeFile(join(folder, "missing", "out"), () => Promise.resolve()),
      { message: `${join(folder, "missing", "out")}: no such file or directory` },
    );
  });
});

Deno.test("writeFile() replaces the target of a link and keeps the link", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "link");
    writeFileSync(join(folder, "target"), "old");
    symlinkSync("target", path);
    await writeFile(path, (append) => append(bytes("new")));
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
    await writeFile("${join(folder, "out")}", async (append) => {${write}});`,
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
