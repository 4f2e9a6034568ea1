/** Management verbs: what they show, what they refuse, and that a running server knows at once. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { call, withServer } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("projects and keys made while the server runs work at once, and revoked ones stop at once", async () => {
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
    const ask = () => call(program.url, "GET", "/v1/health", { key: made.key });
    strictEqual((await ask()).status, 200);
    deepStrictEqual(await json("keys", "revoke", made.id), { id: made.id, revoked: true });
    strictEqual((await ask()).status, 401);
  } finally {
    await rm(directory);
  }
});

Deno.test("a key has the permissions that it is given, in any order, and no others", async () => {
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

Deno.test("keys are listed by their beginnings, never whole", async () => {
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

Deno.test("a stopping server has written when a key was last used", async () => {
  await withServer(async (server) => {
    await server.call("GET", "/v1/health");
    await server.restart();
    const [first] = await server.manage("keys", "list", "--project", "default");
    match(first.last_used_at, /^\d{4}-\d\d-\d\dT/);
  });
});

Deno.test("the list of projects counts what each holds", async () => {
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

Deno.test("what can't be carried out fails with one line, and changes nothing", async (t) => {
  const directory = makeTempDirSync();
  try {
    const made = await run(["projects", "create", "library", "--data", directory]);
    strictEqual(made.code, 0, made.stderr);
    const mistakes: [string[], RegExp][] = [
      [["projects", "create", "library"], /exists already/],
      [["projects", "create", "Library!"], /is no project name/],
      [["projects", "create", "-x"], /-x|option/],
      [["projects", "create", `a${"b".repeat(64)}`], /is no project name/],
      [["projects", "create"], /Give one project name/],
      [["projects", "create", "one", "two"], /Give one project name/],
      [["keys", "create", "--project", "nowhere"], /No project "nowhere"/],
      [["keys", "create"], /--project is needed/],
      [["keys", "create", "--project", "library", "--permissions", "memory:rule"], /memory:rule/],
      [["keys", "create", "--project", "library", "--permissions", ""], /is no permission/],
      [["keys", "create", "--project", "library", "--permissions", "toString"], /toString/],
      [["keys", "revoke", "key_unknown"], /No API key "key_unknown"/],
      [["import", "--project", "library", "--input", `${directory}/nowhere`], /nowhere/],
      [["import", "--project", "library", "--input", directory], /--input must be a file/],
      [["export", "--project", "library", "--output", directory], /--output must be a file/],
      [
        ["export", "--project", "library", "--output", `${directory}/nowhere/x`],
        /\/nowhere\/x\.partial: no such file or directory\n/,
      ],
      [["backup", `${directory}/commonplace.db`], /is a file; name a new directory/],
    ];
    for (const [words, message] of mistakes) {
      await t.step(words.join(" "), async () => {
        const ended = await run([...words, "--data", directory]);
        strictEqual(ended.code, 1);
        match(ended.stderr, /^commonplace: [^\n]+\n$/);
        match(ended.stderr, message);
      });
    }
    await t.step("a data directory that is a file", async () => {
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

Deno.test("verbs show a table to people, and take the directory from the environment", async () => {
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
    match((await run(["projects", "list"], empty)).stderr, /no directory "\.\/commonplace-data"/);
  } finally {
    await rm(directory);
  }
});

Deno.test("verbs that find a new directory at the same time all succeed", async () => {
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

Deno.test("a sign-in link is made anew each time, and only its hash is kept", async () => {
  await withServer(async ({ manage, directory, url }) => {
    const [one, two] = [await manage("dashboard"), await manage("dashboard", "--port", "9999")];
    ok(
      one.url.startsWith(`${url}/#signin=`),
      "without a word, the address of the server that runs",
    );
    match(one.url, /#signin=[A-Za-z0-9_-]{32}$/);
    match(two.url, /^http:\/\/127\.0\.0\.1:9999\/#signin=/);
    const third = await manage("dashboard", "--host", "::1");
    match(third.url, /^http:\/\/\[::1\]:8420\/#signin=/);
    const [token, other] = [one, two].map(({ url }) => url.split("=")[1]);
    ok(token !== other);
    for (const file of readdirSync(directory, { withFileTypes: true, recursive: true })) {
      if (!file.isFile()) continue;
      const bytes = Deno.readFileSync(join(file.parentPath, file.name));
      ok(!new TextDecoder("latin1").decode(bytes).includes(token), file.name);
    }
  });
});

Deno.test("without a server, a sign-in link has the address of the next one", async () => {
  await withServer(async ({ manage, stop, start }) => {
    await stop();
    match((await manage("dashboard")).url, /^http:\/\/127\.0\.0\.1:8420\/#signin=/);
    await start();
  });
});

Deno.test("a project can be created before there is a data directory", async () => {
  const directory = makeTempDirSync();
  try {
    const data = ["--data", join(directory, "new")];
    strictEqual((await run(["projects", "create", "library", ...data])).code, 0);
    match((await run(["projects", "list", ...data])).stdout, /library/);
  } finally {
    await rm(directory);
  }
});

Deno.test("a mistyped data directory is refused with one line, and nothing is made of it", async () => {
  const directory = makeTempDirSync();
  try {
    const missing = join(directory, "mistyped");
    for (const words of [["projects", "list"], ["keys", "create", "--project", "default"]]) {
      const ended = await run([...words, "--data", missing]);
      strictEqual(ended.code, 1);
      strictEqual(
        ended.stderr,
        `commonplace: There is no directory "${missing}"; \`serve\` and \`projects create\` make one\n`,
      );
    }
    deepStrictEqual(readdirSync(directory), []);
    Deno.writeTextFileSync(join(directory, "diary.txt"), "Not a data directory");
    const ended = await run(["projects", "list", "--data", directory]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /is no data directory: it has no commonplace\.db\n$/);
    deepStrictEqual(readdirSync(directory), ["diary.txt"]);
  } finally {
    await rm(directory);
  }
});

Deno.test("a word that a verb has no use for is refused, and nothing is done with another", async () => {
  const directory = makeTempDirSync();
  try {
    for (
      const words of [
        ["doctor", directory],
        ["projects", "list", "default"],
        ["credits", "show", "default", "--project", "default"],
      ]
    ) {
      const ended = await run([...words, "--data", directory]);
      strictEqual(ended.code, 1, words.join(" "));
      match(
        ended.stderr,
        /^commonplace: Unexpected argument '[^']+'; see commonplace \w+ --help\n$/,
      );
    }
    deepStrictEqual(readdirSync(directory), []);
  } finally {
    await rm(directory);
  }
});
