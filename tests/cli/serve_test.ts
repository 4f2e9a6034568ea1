/** Tests `commonplace serve` as a process: first start, ready line, signals and locks. */

import { doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { call, type Reply } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";
import { waitUntil } from "../../testing/wait_until.ts";

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = makeTempDirSync();
  try {
    await work(directory);
  } finally {
    await rm(directory);
  }
}

const ADD = { content: "Ana whistles", user_id: "ana", infer: false };

Deno.test("serve prints a key, a sign-in link and the address on the first start, and only the address after that", async () => {
  await inDirectory(async (directory) => {
    await using first = await ServeProcess.serve(directory);
    const { apiKey: key, url } = first;
    const lines = first.stdout.trim().split("\n");
    strictEqual(lines.length, 3, first.stdout);
    match(lines[0]!, /^API key {2}cpl_[A-Za-z0-9_-]{43}$/);
    match(lines[1]!, /^Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/#signin=[A-Za-z0-9_-]{32}$/);
    match(lines[2]!, /^commonplace listening on http:\/\/127\.0\.0\.1:\d+$/);
    strictEqual((await call(url, "POST", "/v1/memories", { key, body: ADD })).status, 200);
    strictEqual((await first.stop()).code, 0);

    await using second = await ServeProcess.serve(directory);
    match(second.stdout, /^commonplace listening on \S+\n$/);
    const { json } = await call(second.url, "GET", "/v1/memories?user_id=ana", { key });
    strictEqual(json.results[0].memory, ADD.content);
    strictEqual((await second.stop("SIGINT")).code, 0);
  });
});

Deno.test("serve prints a key to standard error if it can't be written to standard output", async () => {
  await inDirectory(async (directory) => {
    const prefix = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
    const { code, stderr } = await run(["serve", "--data", directory, "--port", "0"], { prefix });
    strictEqual(code, 1);
    match(stderr, /^API key {2}cpl_[A-Za-z0-9_-]{43}\nDashboard {2}http:\S+\n/m);
  });
});

Deno.test("serve works without permission for native code and priorities, including semantic search", async () => {
  await inDirectory(async (directory) => {
    const runtime = ["--deny-ffi", "--deny-sys"];
    const environment = { COMMONPLACE_EMBEDDER: "minilm" };
    await using program = await ServeProcess.serve(directory, [], { runtime, environment });
    const { url, apiKey: key } = program;
    const body = { ...ADD, content: "I live in Lisbon and keep bees" };
    strictEqual((await call(url, "POST", "/v1/memories", { key, body })).status, 200);
    const { json: health } = await waitUntil(
      () => call(url, "GET", "/v1/health", { key }),
      ({ json }) => json.projections.derived_pending === 0 && json.projections.vector_pending === 0,
    );
    strictEqual(health.embedder.runtime, "wasm");
    const wanted = { query: "an apiarist", user_id: "ana" };
    const found = await call(url, "POST", "/v1/memories/search", { key, body: wanted });
    strictEqual(found.json.results[0]?.memory, body.content);
    const home = "user_id=ana&subject=user&attribute=lives_in";
    const state = await call(url, "GET", `/v1/state?${home}`, { key });
    match(JSON.stringify(state.json), /"Lisbon"/);
    strictEqual((await program.stop()).code, 0);
  });
});

Deno.test("serve accepts a key from the environment or from a file and doesn't print it", async (t) => {
  const key = "cpl_brought-along-by-the-operator";
  for (const form of ["COMMONPLACE_API_KEY", "COMMONPLACE_API_KEY_FILE"]) {
    await t.step(form, async () => {
      await inDirectory(async (directory) => {
        const file = join(directory, "secret");
        writeFileSync(file, `${key}\n`);
        const value = form.endsWith("_FILE") ? file : key;
        const data = join(directory, "data");
        await using program = await ServeProcess.serve(data, [], {
          environment: { [form]: value },
        });
        strictEqual((await call(program.url, "GET", "/v1/health", { key })).status, 200);
        const ended = await program.stop();
        doesNotMatch(ended.stdout, /API key/);
        match(ended.stdout, /^Dashboard {2}http/m);
        ok(!(ended.stdout + ended.stderr).includes(key));
      });
    });
  }
});

Deno.test("serve warns if COMMONPLACE_API_KEY matches no project, or if no key exists", async () => {
  await inDirectory(async (directory) => {
    await run(["projects", "create", "shop", "--data", directory]);
    const logOf = async (environment: Record<string, string>) => {
      await using program = await ServeProcess.serve(directory, [], { environment });
      const { stdout, stderr } = await program.stop();
      match(stdout, /^commonplace listening on \S+\n$/);
      return stderr;
    };
    match(await logOf({}), /"no project has an API key"/);
    const brought = { COMMONPLACE_API_KEY: "cpl_brought-along-too-late" };
    const warned = await logOf(brought);
    match(
      warned,
      /"COMMONPLACE_API_KEY matches no project[^\n]*run: deno task commonplace keys create --project/,
    );
    ok(!warned.includes(brought.COMMONPLACE_API_KEY));
    const made = await run(["keys", "create", "--project", "shop", "--data", directory, "--json"]);
    const { key } = JSON.parse(made.stdout);
    doesNotMatch(await logOf({ COMMONPLACE_API_KEY: key }), /"level":"warn"/);
  });
});

Deno.test("serve warns if a model's URL or name isn't set", async () => {
  await inDirectory(async (directory) => {
    const flags = ["--inference", "openai", "--embedder", "openai"];
    await using program = await ServeProcess.serve(directory, flags);
    const { stderr } = await program.stop();
    match(stderr, /"how_to":"set --inference-url and --inference-model and --embedder-model"/);
  });
});

Deno.test("serve keeps working if its log can't be written", async () => {
  await inDirectory(async (directory) => {
    const prefix = ["sh", "-c", `exec "$@" 2>/dev/full`, "sh"];
    await using program = await ServeProcess.serve(directory, [], { prefix });
    for (let request = 1; request <= 3; request++) {
      strictEqual((await call(program.url, "GET", "/v1/health", {})).status, 401);
    }
    strictEqual((await program.stop()).code, 0);
  });
});

Deno.test("serve prints the key only once a first start can listen", async () => {
  await inDirectory(async (directory) => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    const failed = await run(["serve", "--data", directory, "--port", String(port)]);
    taken.close();
    strictEqual(failed.code, 1);
    strictEqual(failed.stdout, "");
    const message =
      `commonplace: Can't listen on http://127.0.0.1:${port}: Address already in use `;
    ok(failed.stderr.startsWith(message), failed.stderr);
    match(failed.stderr, /; choose another address with --host and --port\n$/);
    await using program = await ServeProcess.serve(directory);
    match(program.apiKey, /^cpl_/);
    await program.stop();
  });
});

Deno.test("serve exits with a single line if COMMONPLACE_API_KEY is invalid", async () => {
  await inDirectory(async (directory) => {
    const environment = { COMMONPLACE_API_KEY: "sk-something-else" };
    const ended = await run(["serve", "--data", directory, "--port", "0"], { environment });
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: COMMONPLACE_API_KEY must be [^\n]+\n$/);
    ok(!ended.stderr.includes("sk-something-else"));
  });
});

Deno.test("serve exits with a single line if the data directory is a file", async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, "diary.txt");
    writeFileSync(file, "Not a data directory");
    const ended = await run(["serve", "--data", file, "--port", "0"]);
    strictEqual(ended.code, 1);
    strictEqual(ended.stderr, `commonplace: --data must be a directory, but "${file}" is a file\n`);
  });
});

Deno.test("serve exits with a single line that suggests restore if the database is damaged", async () => {
  await inDirectory(async (directory) => {
    writeFileSync(join(directory, "commonplace.db"), "Not a database");
    const ended = await run(["serve", "--data", directory, "--port", "0"]);
    strictEqual(ended.code, 1);
    match(
      ended.stderr,
      /^commonplace: The database is damaged: [^\n]+ "deno task commonplace restore" [^\n]+\n$/,
    );
  });
});

Deno.test("backup suggests restore if the database is damaged", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "commonplace.db");
    strictEqual((await run(["projects", "create", "notes", "--data", directory])).code, 0);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(255, 8_192));
    const ended = await run(["backup", "--data", directory, `${directory}-copy`]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: The database is damaged: .+ restore" [^\n]+\n$/);
  });
});

Deno.test("serve exits with a single line if another server is running on the directory", async () => {
  await inDirectory(async (directory) => {
    await using first = await ServeProcess.serve(directory);
    const second = await run(["serve", "--data", directory, "--port", "0"]);
    strictEqual(second.code, 1);
    match(second.stderr, /^commonplace: A server is already running on [^\n]+\n$/);
    strictEqual((await call(first.url, "GET", "/readyz", { key: null })).status, 200);
    await first.stop();
  });
});

Deno.test("serve deletes the server file left by a killed server, even an incomplete one", async () => {
  await inDirectory(async (directory) => {
    const serverFile = join(directory, "server.json");
    await inDirectory(async (other) => {
      await using taken = await ServeProcess.serve(other);
      writeFileSync(serverFile, '{"url":"http:');
      const port = new URL(taken.url).port;
      strictEqual((await run(["serve", "--data", directory, "--port", port])).code, 1);
      ok(!existsSync(serverFile));
    });
  });
});

Deno.test("serve starts after a server was killed, without losing acknowledged changes", async () => {
  await inDirectory(async (directory) => {
    await using first = await ServeProcess.serve(directory);
    const key = first.apiKey;
    const added = await call(first.url, "POST", "/v1/memories", { key, body: ADD });
    await first.stop("SIGKILL");
    await using second = await ServeProcess.serve(directory);
    const id = added.json.results[0].id;
    strictEqual((await call(second.url, "GET", `/v1/memories/${id}`, { key })).status, 200);
    await second.stop();
  });
});

Deno.test("serve exits with a single line if the schema is newer, and leaves the database unchanged", async () => {
  await inDirectory(async (directory) => {
    await run(["projects", "list", "--data", directory]);
    const database = new DatabaseSync(join(directory, "commonplace.db"));
    database.exec("pragma user_version = 999");
    database.close();
    const ended = await run(["serve", "--data", directory, "--port", "0"]);
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: [^\n]*schema 999[^\n]*newer[^\n]*\n$/);
    strictEqual(ended.stdout, "");
  });
});

Deno.test("SIGTERM lets requests in progress finish, rejects new ones, and exits with 0", async () => {
  await inDirectory(async (directory) => {
    await using program = await ServeProcess.serve(directory);
    const body = JSON.stringify(ADD);
    using wire = await RawHttpConnection.open(program.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${program.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${
          body.slice(0, 20)
        }`,
    );
    // A response on another connection shows that the request above has arrived.
    await call(program.url, "GET", "/livez", { key: null });
    program.signal("SIGTERM");
    const refused = await refusal(program.url);
    strictEqual(refused.json.code, "SERVICE_STOPPING");
    ok(Number(refused.headers.get("retry-after")) > 0);
    await wire.send(body.slice(20));
    const reply = await wire.reply();
    strictEqual(reply.status, 200, reply.text);
    const { code, stderr } = await program.stop(null);
    strictEqual(code, 0);
    ok(!stderr.includes('"level":"error"'), `a stop must not log errors: ${stderr}`);
  });
});

Deno.test("serve exits at once with the code of the second signal", async () => {
  await inDirectory(async (directory) => {
    await using program = await ServeProcess.serve(directory);
    using wire = await RawHttpConnection.open(program.url);
    // The first signal waits for this request, which never ends.
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${program.apiKey}\r\n` +
        "content-type: application/json\r\ncontent-length: 100\r\n\r\n{",
    );
    await call(program.url, "GET", "/livez", { key: null });
    program.signal("SIGTERM");
    await refusal(program.url);
    strictEqual((await program.stop("SIGINT")).code, 130);
  });
});

Deno.test("serve prints three lines to standard output, and one JSON object per line to standard error", async () => {
  await inDirectory(async (directory) => {
    await using program = await ServeProcess.serve(directory, ["--metrics"]);
    const key = program.apiKey;
    const user_id = "a-user-that-no-id-spells";
    const options = { key, body: { ...ADD, user_id, metadata: { note: "a-metadata-value" } } };
    const added = await call(program.url, "POST", "/v1/memories?token=in-the-query", options);
    const { id } = added.json.results[0];
    await call(program.url, "GET", `/v1/memories/${id}`, { key });
    await call(program.url, "GET", `/v1/memories?user_id=${user_id}`, {
      key: "cpl_key-of-another-user",
    });
    await call(program.url, "GET", "/secret-path/of-theirs", { key: null });
    await call(program.url, "POST", "/v1/memories", { key, raw: '{"content": "broken-json' });
    const { stdout, stderr } = await program.stop();
    strictEqual(stdout.trim().split("\n").length, 3);

    const lines = stderr.trim().split("\n").map((line) => JSON.parse(line));
    const requests = lines.filter((line) => line.event === "request");
    strictEqual(requests.length, 5, stderr);
    for (const line of requests) {
      match(line.request_id, /^req_/);
      match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      ok(typeof line.ms === "number" && typeof line.status === "number");
    }
    strictEqual(requests[0].request_id, added.headers.get("x-request-id"));
    strictEqual(requests[1].route, "/v1/memories/{id}");
    const hidden = [key, "cpl_", "whistles", user_id, "a-metadata-value", "in-the-query", id];
    for (const text of [...hidden, "secret-path", "broken-json"]) {
      ok(!stderr.includes(text), `the log shows ${text}`);
    }
  });
});

/** Sends requests until one is refused. */
function refusal(url: string): Promise<Reply> {
  return waitUntil(
    () => call(url, "GET", "/v1/health", { key: null }),
    ({ status }) => status === 503,
  );
}
