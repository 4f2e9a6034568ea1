/** Tests what management commands print, how they fail, and how they affect a running server. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { call, withServer } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("projects create, keys create and keys revoke affect a running server immediately", async () => {
  const directory = makeTempDirSync();
  try {
    await using program = await ServeProcess.serve(directory);
    const json = async (...words: string[]) => {
      const ended = await run([...words, "--data", directory, "--json"]);
      strictEqual(ended.code, 0, ended.stderr);
      return JSON.parse(ended.stdout);
    };
    const project = await json("projects", "create", "library");
    deepStrictEqual(Object.keys(project), ["id", "name", "created_at"]);
    match(project.id, /^proj_[0-9a-z]{26}$/);
    const made = await json("keys", "create", "--project", "library", "--name", "desk");
    deepStrictEqual(Object.keys(made), [
      "id",
      "key",
      "project_id",
      "name",
      "permissions",
      "created_at",
    ]);
    strictEqual(made.project_id, project.id);
    deepStrictEqual(made.permissions, ["memory:read", "memory:write", "operations:read"]);
    const request = () => call(program.url, "GET", "/v1/health", { key: made.key });
    strictEqual((await request()).status, 200);
    deepStrictEqual(await json("keys", "revoke", made.id), { id: made.id, revoked: true });
    strictEqual((await request()).status, 401);
  } finally {
    await rm(directory);
  }
});

Deno.test("keys create sets exactly the requested permissions", async () => {
  await withServer(async ({ manage, call }) => {
    const made = await manage(
      "keys",
      "create",
      "--project",
      "default",
      "--permissions",
      "operations:read, memory:read",
    );
    deepStrictEqual(made.permissions, ["memory:read", "operations:read"]);
    const { key } = made;
    strictEqual((await call("GET", "/v1/health", { key })).status, 200);
    const body = { content: "x", user_id: "ana", infer: false };
    strictEqual((await call("POST", "/v1/memories", { key, body })).status, 403);
  });
});

Deno.test("keys list shows only the beginning of each key", async () => {
  await withServer(async ({ manage, key }) => {
    const made = await manage("keys", "create", "--project", "default", "--name", "second");
    const listed = await manage("keys", "list", "--project", "default");
    strictEqual(listed.length, 2);
    const second = listed.find(({ id }: { id: string }) => id === made.id);
    deepStrictEqual(Object.keys(second), [
      "id",
      "name",
      "project_id",
      "prefix",
      "permissions",
      "created_at",
      "last_used_at",
    ]);
    strictEqual(second.last_used_at, null);
    ok(made.key.startsWith(second.prefix) && second.prefix.length < 12);
    ok(!JSON.stringify(listed).includes(key) && !JSON.stringify(listed).includes(made.key));
  });
});

Deno.test("a server saves when each key was last used as it stops", async () => {
  await withServer(async (server) => {
    await server.call("GET", "/v1/health");
    await server.restart();
    const [first] = await server.manage("keys", "list", "--project", "default");
    match(first.last_used_at, /^\d{4}-\d\d-\d\dT/);
  });
});

Deno.test("projects list counts the records in each project", async () => {
  await withServer(async ({ manage, add, createKey, call }) => {
    await add("one");
    await add("two", { agent_id: "bot" });
    const key = await createKey("library");
    const body = { content: "three", run_id: "r", infer: false };
    await call("POST", "/v1/memories", { key, body });
    const listed = await manage("projects", "list");
    deepStrictEqual(
      listed.map((
        { name, memories, documents, keys }: Record<string, unknown>,
      ) => [name, memories, documents, keys]),
      [["default", 2, 0, 1], ["library", 1, 0, 1]],
    );
  });
});

Deno.test("invalid commands fail with a single line and change nothing", async (t) => {
  const directory = makeTempDirSync();
  try {
    const made = await run(["projects", "create", "library", "--data", directory]);
    strictEqual(made.code, 0, made.stderr);
    const missing = `${directory}/nowhere/x`;
    const mistakes: [string[], RegExp][] = [
      [["projects", "create", "library"], /already exists/],
      [
        ["export", "--project", "library", "--output", missing],
        /\/nowhere\/x: no such file or directory\n/,
      ],
    ];
    for (const [words, message] of mistakes) {
      await t.step(words.join(" "), async () => {
        const ended = await run([...words, "--data", directory]);
        strictEqual(ended.code, 1);
        match(ended.stderr, /^commonplace: [^\n]+\n$/);
        match(ended.stderr, message);
      });
    }
    await t.step("commands fail if the data directory is a file", async () => {
      const ended = await run(["projects", "list", "--data", `${directory}/commonplace.db`]);
      strictEqual(ended.code, 1);
      match(ended.stderr, /^commonplace: [^\n]+\n$/);
    });
    const listed = await run(["projects", "list", "--data", directory, "--json"]);
    const [project, ...others] = JSON.parse(listed.stdout);
    deepStrictEqual([project.name, project.keys, others.length], ["library", 0, 0]);
  } finally {
    await rm(directory);
  }
});

Deno.test("commands print a table by default and read the data directory from the environment", async () => {
  const directory = makeTempDirSync();
  try {
    const environment = { COMMONPLACE_DATA: directory };
    const none = await run(["projects", "list"], { environment });
    strictEqual(none.stdout, "(none)\n");
    await run(["projects", "create", "library"], { environment });
    const table = await run(["projects", "list"], { environment });
    match(table.stdout, /^id +name +created_at +memories +documents +keys\nproj_\S+ +library /);
    ok(readdirSync(directory).includes("commonplace.db"));
    const empty = { environment: { COMMONPLACE_DATA: "" }, cwd: directory };
    match(
      (await run(["projects", "list"], empty)).stderr,
      /Directory "\.\/commonplace-data" doesn't exist/,
    );
  } finally {
    await rm(directory);
  }
});

Deno.test("concurrent commands on a new data directory all succeed", async () => {
  const directory = makeTempDirSync();
  try {
    const names = ["a", "b", "c", "d"];
    const ended = await Promise.all(
      names.map((name) => run(["projects", "create", name, "--data", directory])),
    );
    deepStrictEqual(ended.map(({ code, stderr }) => [code, stderr]), names.map(() => [0, ""]));
    const listed = JSON.parse(
      (await run(["projects", "list", "--data", directory, "--json"])).stdout,
    );
    strictEqual(listed.length, names.length);
  } finally {
    await rm(directory);
  }
});

Deno.test("dashboard prints a new link each time and stores only its hash", async () => {
  await withServer(async ({ manage, directory, url }) => {
    const [one, two] = [await manage("dashboard"), await manage("dashboard", "--port", "9999")];
    ok(
      one.url.startsWith(`${url}/#signin=`),
      "the address of the running server by default",
    );
    match(one.url, /#signin=[A-Za-z0-9_-]{32}$/);
    match(two.url, /^http:\/\/127\.0\.0\.1:9999\/#signin=/);
    const third = await manage("dashboard", "--host", "::1");
    match(third.url, /^http:\/\/\[::1\]:8420\/#signin=/);
    const all = await manage("dashboard", "--host", "0.0.0.0");
    match(all.url, /^http:\/\/127\.0\.0\.1:8420\/#signin=/, "an address to connect to");
    const [token, other] = [one, two].map(({ url }) => url.split("=")[1]);
    ok(token !== other);
    for (const file of readdirSync(directory, { withFileTypes: true, recursive: true })) {
      if (!file.isFile()) continue;
      const bytes = Deno.readFileSync(join(file.parentPath, file.name));
      ok(!new TextDecoder("latin1").decode(bytes).includes(token), file.name);
    }
  });
});

Deno.test("dashboard prints the configured address if no server is running", async () => {
  await withServer(async ({ manage, stop, start }) => {
    await stop();
    match((await manage("dashboard")).url, /^http:\/\/127\.0\.0\.1:8420\/#signin=/);
    await start();
  });
});

Deno.test("projects create creates the data directory", async () => {
  const directory = makeTempDirSync();
  try {
    const data = ["--data", join(directory, "new")];
    strictEqual((await run(["projects", "create", "library", ...data])).code, 0);
    match((await run(["projects", "list", ...data])).stdout, /library/);
  } finally {
    await rm(directory);
  }
});

Deno.test("a mistyped data directory is rejected with a single line and not created", async () => {
  const directory = makeTempDirSync();
  try {
    const missing = join(directory, "mistyped");
    for (const words of [["projects", "list"], ["keys", "create", "--project", "default"]]) {
      const ended = await run([...words, "--data", missing]);
      strictEqual(ended.code, 1);
      strictEqual(
        ended.stderr,
        `commonplace: Directory "${missing}" doesn't exist; \`serve\` and \`projects create\` create it\n`,
      );
    }
    deepStrictEqual(readdirSync(directory), []);
    Deno.writeTextFileSync(join(directory, "diary.txt"), "Not a data directory");
    const ended = await run(["projects", "list", "--data", directory]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /is not a data directory: it does not contain commonplace\.db\n$/);
    deepStrictEqual(readdirSync(directory), ["diary.txt"]);
  } finally {
    await rm(directory);
  }
});

Deno.test("an unexpected argument is rejected rather than ignored", async () => {
  const ended = await run(["projects", "list", "default"]);
  strictEqual(ended.code, 1);
  match(
    ended.stderr,
    /^commonplace: Unexpected argument 'default'\. Run "deno task commonplace projects --help" for its usage\n$/,
  );
});
