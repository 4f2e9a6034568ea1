/** Tests the file that `export` writes: until it's complete, the old one stays. */

import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { UsageError } from "../../src/cli/command.ts";
import { requireForeign, writeFile } from "../../src/cli/records/output_file.ts";
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

/** Starts a server with a memory, and passes a function that exports its project. */
async function withRye(
  test: (directory: string, exportTo: (path: string) => ReturnType<typeof run>) => Promise<void>,
): Promise<void> {
  await withServer(async ({ add, directory }) => {
    await add("Rye");
    const flags = ["--project", "default", "--data", directory];
    await test(directory, (path) => run(["export", "--output", path, ...flags]));
  });
}

Deno.test("export replaces an existing file, which keeps its mode", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "notes.json");
    writeFileSync(path, "old", { mode: 0o640 });
    await withRye(async (_, exportTo) => {
      const { code, stderr } = await exportTo(path);
      strictEqual(code, 0, stderr);
      match(readFileSync(path, "utf8"), /Rye/);
      strictEqual(statSync(path).mode & 0o777, 0o640);
      deepStrictEqual(readdirSync(folder), ["notes.json"]);
    });
  });
});

Deno.test("export writes into the data directory, where a container keeps its files", async () => {
  await withRye(async (directory, exportTo) => {
    for (const name of ["notes.json", "blobs.json"]) {
      const { code, stderr } = await exportTo(join(directory, name));
      strictEqual(code, 0, stderr);
      match(readFileSync(join(directory, name), "utf8"), /Rye/);
    }
  });
});

Deno.test("export refuses the service's own files, whether they exist or not", async () => {
  await withFolder(async (folder) => {
    await withRye(async (directory, exportTo) => {
      for (const name of ["blobs", "search-copy-2"]) {
        mkdirSync(join(directory, name), { recursive: true });
      }
      const link = join(folder, "link.json");
      symlinkSync(join(directory, "commonplace.db"), link);
      const names = ["commonplace.db", "commonplace.db-journal", "server.json", "work.lock"];
      const nested = ["blobs/notes.json", "search-copy-2/commonplace.db"];
      const paths = [...names, ...nested].map((name) => join(directory, name));
      for (const path of [...paths, link, relative(Deno.cwd(), paths[0]!)]) {
        const { code, stderr } = await exportTo(path);
        match(stderr, /is where the service keeps its own files; choose another path\n$/, path);
        strictEqual(code, 1);
      }
      for (const name of readdirSync(directory)) {
        throws(() => requireForeign(join(directory, name), directory), UsageError, name);
      }
      match(readFileSync(paths[0]!, "latin1"), /^SQLite format/);
      strictEqual(existsSync(paths[1]!), false);
    });
  });
});

Deno.test("requireForeign() refuses the target of a linked database, and its journals", async () => {
  await withFolder((folder) => {
    const [data, disk] = [join(folder, "data"), join(folder, "disk")];
    [data, disk].forEach((path) => mkdirSync(path));
    writeFileSync(join(disk, "large.db"), "");
    symlinkSync(join(disk, "large.db"), join(data, "commonplace.db"));
    for (const name of ["large.db", "large.db-wal"]) {
      throws(
        () => requireForeign(join(disk, name), data),
        /is where the service keeps its own files/,
      );
    }
    throws(() => requireForeign(join(data, "commonplace.db"), data), /choose another path/);
    requireForeign(join(disk, "notes.json"), data);
  });
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
