/** `commonplace serve` as a process: first start, ready line, signals, one server a directory. */

import { doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
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

Deno.test("the first start prints a key and a sign-in link, then that it listens; no later one does", async () => {
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

Deno.test("without leave for native code and for priorities all works, meaning too", async () => {
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

Deno.test("a key that is brought along works, and is printed nowhere", async (t) => {
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

Deno.test("a start that makes no key says so of one that opens nothing, and where there is none at all", async () => {
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
    match(warned, /"COMMONPLACE_API_KEY opens no project[^\n]*keys create --project/);
    ok(!warned.includes(brought.COMMONPLACE_API_KEY));
    const made = await run(["keys", "create", "--project", "shop", "--data", directory, "--json"]);
    const { key } = JSON.parse(made.stdout);
    doesNotMatch(await logOf({ COMMONPLACE_API_KEY: key }), /"level":"warn"/);
  });
});

Deno.test("a first start that can't listen prints no key, and the next one still does", async () => {
  await inDirectory(async (directory) => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr as Deno.NetAddr;
    const failed = await run(["serve", "--data", directory, "--port", String(port)]);
    taken.close();
    strictEqual(failed.code, 1);
    strictEqual(failed.stdout, "");
    const told = `commonplace: Can't listen on http://127.0.0.1:${port}: Address already in use `;
    ok(failed.stderr.startsWith(told), failed.stderr);
    match(failed.stderr, /; --host and --port choose another address\n$/);
    await using program = await ServeProcess.serve(directory);
    match(program.apiKey, /^cpl_/);
    await program.stop();
  });
});

Deno.test("a key that can't be one stops the first start with one line", async () => {
  await inDirectory(async (directory) => {
    const environment = { COMMONPLACE_API_KEY: "sk-something-else" };
    const ended = await run(["serve", "--data", directory, "--port", "0"], { environment });
    strictEqual(ended.code, 1);
    match(ended.stderr, /^commonplace: COMMONPLACE_API_KEY must be [^\n]+\n$/);
    ok(!ended.stderr.includes("sk-something-else"));
  });
});

Deno.test("a data directory that is a file stops the start with one line", async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, "diary.txt");
    writeFileSync(file, "Not a data directory");
    const ended = await run(["serve", "--data", file, "--port", "0"]);
    strictEqual(ended.code, 1);
    strictEqual(ended.stderr, `commonplace: --data must be a directory, and "${file}" is a file\n`);
  });
});

Deno.test("a damaged database stops the start with one line, which names the way back", async () => {
  await inDirectory(async (directory) => {
    writeFileSync(join(directory, "commonplace.db"), "Not a database");
    const ended = await run(["serve", "--data", directory, "--port", "0"]);
    strictEqual(ended.code, 1);
    match(
      ended.stderr,
      /^commonplace: The database is damaged: [^\n]+ commonplace restore [^\n]+\n$/,
    );
  });
});

Deno.test("a second server on the same directory is refused with one line", async () => {
  await inDirectory(async (directory) => {
    await using first = await ServeProcess.serve(directory);
    const second = await run(["serve", "--data", directory, "--port", "0"]);
    strictEqual(second.code, 1);
    match(second.stderr, /^commonplace: A server is running on [^\n]+\n$/);
    strictEqual((await call(first.url, "GET", "/readyz", { key: null })).status, 200);
    await first.stop();
  });
});

Deno.test("what a killed server noted of itself, or half of it, is forgotten by the next start", async () => {
  await inDirectory(async (directory) => {
    const note = join(directory, "server.json");
    await inDirectory(async (other) => {
      await using taken = await ServeProcess.serve(other);
      writeFileSync(note, '{"url":"http:');
      const port = new URL(taken.url).port;
      strictEqual((await run(["serve", "--data", directory, "--port", port])).code, 1);
      ok(!existsSync(note));
    });
  });
});

Deno.test("a killed server leaves no lock, and nothing that it had acknowledged is lost", async () => {
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

Deno.test("a schema from a newer version is refused with one line, and left alone", async () => {
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

Deno.test("SIGTERM lets what is under way finish, refuses what comes, and ends with 0", async () => {
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
    // An answered request on another connection shows that the one above has arrived.
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
    ok(!stderr.includes('"level":"error"'), `a stop is no failure: ${stderr}`);
  });
});

Deno.test("standard output carries the three lines only, standard error one JSON object a line", async () => {
  await inDirectory(async (directory) => {
    await using program = await ServeProcess.serve(directory, ["--metrics"]);
    const key = program.apiKey;
    const user_id = "a-user-that-no-id-spells";
    const options = { key, body: { ...ADD, user_id, metadata: { note: "a-metadata-value" } } };
    const added = await call(program.url, "POST", "/v1/memories?token=in-the-query", options);
    const { id } = added.json.results[0];
    await call(program.url, "GET", `/v1/memories/${id}`, { key });
    await call(program.url, "GET", `/v1/memories?user_id=${user_id}`, {
      key: "cpl_somebody-else-s-key",
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

/** Asks until a new request is refused. */
function refusal(url: string): Promise<Reply> {
  return waitUntil(
    () => call(url, "GET", "/v1/health", { key: null }),
    ({ status }) => status === 503,
  );
}
