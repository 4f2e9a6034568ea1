/** Tests for export and import: everything is restored, and invalid snapshots are rejected. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { canonicalJson, sha256 } from "../../src/kernel/hash.ts";
import { utf8Length } from "../../src/kernel/text.ts";
import { withServer } from "../../testing/harness.ts";
import { runCommonplace } from "../../testing/process.ts";
import { ENDLESS_LIST, inferMemories } from "../inference_service/provider.ts";
import {
  type Call,
  exportSnapshot,
  freshKey,
  importSnapshot,
  populate,
  waitForOperation,
} from "./snapshots.ts";

Deno.test("POST /v1/exports returns a snapshot whose checksum covers its records", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { id, snapshot } = await exportSnapshot(server.call);
    strictEqual(snapshot.format, "service.namespace-snapshot");
    strictEqual(snapshot.version, 1);
    match(snapshot.source.project_id, /^proj_/);
    deepStrictEqual(snapshot.projections, {
      vector: "rebuild",
      state: "rebuild",
      chunks: "rebuild",
    });
    deepStrictEqual(
      snapshot.counts,
      Object.fromEntries(
        Object.entries(snapshot.records).map(([name, list]) => [name, (list as unknown[]).length]),
      ),
    );
    deepStrictEqual(Object.keys(snapshot.records).sort(), [
      "associations",
      "document_contents",
      "documents",
      "entities",
      "episodes",
      "feedback",
      "history",
      "memories",
      "source_assets",
    ]);
    strictEqual(snapshot.checksum, sha256(canonicalJson(snapshot.records)));
    const [get, head] = [
      await server.call("GET", `/v1/operations/${id}`),
      await server.call("HEAD", `/v1/operations/${id}`),
    ];
    const length = String(utf8Length(get.text));
    deepStrictEqual([get, head].map((reply) => reply.headers.get("content-length")), [
      length,
      length,
    ]);
    const listed = await server.call("GET", "/v1/operations?kind=export");
    const [inList] = listed.json.results;
    strictEqual(inList.id, id);
    strictEqual(inList.result.checksum, snapshot.checksum);
    strictEqual("records" in inList.result, false);
  });
});

Deno.test("POST /v1/imports restores documents of all sizes, with many small ones among large ones", async () => {
  const contents = [
    ...Array.from({ length: 150 }, (_, at) => `small ${at}`),
    ...[40_000, 40_000, 300_000, 65_536].map((size, at) => `${at} ${"word ".repeat(size / 5)}`),
    ...Array.from({ length: 20 }, (_, at) => `${at} ${"é".repeat(5_000)}`),
  ];
  await withServer(async (first) => {
    for (const [at, content] of contents.entries()) {
      const body = { content, source_key: `source-${at}`, user_id: "ana" };
      strictEqual((await first.call("POST", "/v1/documents", { body })).status, 200);
    }
    const { snapshot } = await exportSnapshot(first.call);
    deepStrictEqual(
      snapshot.records.document_contents.map(({ content }: { content: string }) => content),
      contents,
    );
    await withServer(async (second) => {
      const { id } = (await importSnapshot(second.call, snapshot)).json;
      strictEqual((await waitForOperation(second.call, id)).status, "success");
      const again = await exportSnapshot(second.call);
      strictEqual(again.snapshot.checksum, snapshot.checksum);
    });
  });
});

Deno.test("POST /v1/imports restores records so that exporting them produces the same snapshot again", async () => {
  await withServer(async (first) => {
    const ids = await populate(first);
    const { snapshot } = await exportSnapshot(first.call);
    await withServer(async (second) => {
      const queued = await importSnapshot(second.call, snapshot);
      strictEqual(queued.status, 202, queued.text);
      strictEqual(queued.json.kind, "import");
      const operation = await waitForOperation(second.call, queued.json.id);
      strictEqual(operation.status, "success", JSON.stringify(operation.error));
      const again = await exportSnapshot(second.call);
      strictEqual(canonicalJson(again.snapshot.records), canonicalJson(snapshot.records));
      strictEqual(again.snapshot.checksum, snapshot.checksum);
      for (
        const path of [
          `/v1/memories/${ids[0]}`,
          `/v1/memories/${ids[0]}/history`,
          `/v1/memories/${ids[4]}/history`,
          `/v1/memories/${ids[1]}/feedback`,
          `/v1/events/${snapshot.records.episodes[0].id}`,
          "/v1/entities",
        ]
      ) {
        const [before, after] = [await first.call("GET", path), await second.call("GET", path)];
        deepStrictEqual(after.json, before.json, path);
      }
      const body = { query: "tea" };
      const found = await second.call("POST", "/v1/memories/search", { body });
      strictEqual(found.json.results[0].id, ids[3]);
      const passages = await second.call("POST", "/v1/documents/search", { body });
      deepStrictEqual(
        passages.json.results.map(({ chunk }: { chunk: { content: string } }) => chunk.content),
        ["# One\n\nTea from Lisbon."],
      );
      // Memories that are added afterwards are listed before the imported ones.
      const later = await second.call("POST", "/v1/memories", {
        body: { content: "Later", user_id: "ana", infer: false },
      });
      const list = await second.call("GET", "/v1/memories?user_id=ana");
      deepStrictEqual(
        list.json.results.map(({ id }: { id: string }) => id),
        [later.json.results[0].id, ids[2], ids[1], ids[0]],
      );
    });
  });
});

Deno.test("POST /v1/imports returns 409 if the project isn't empty or one of the ids already exists in the database", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    const refused = await importSnapshot(server.call, snapshot);
    deepStrictEqual([refused.status, refused.json.code], [409, "IMPORT_TARGET_NOT_EMPTY"]);
    const flags = ["--data", server.directory, "--json"];
    await runCommonplace("projects", "create", "second", ...flags);
    const made = await runCommonplace("keys", "create", "--project", "second", ...flags);
    const { key } = JSON.parse(made.stdout);
    const send = () =>
      server.call("POST", "/v1/imports", { body: { snapshot }, headers: freshKey(), key });
    const conflict = await send();
    deepStrictEqual([conflict.status, conflict.json.code], [409, "SNAPSHOT_ID_CONFLICT"]);
    const deleted = await runCommonplace("projects", "delete", "default", "--yes", ...flags);
    strictEqual(deleted.code, 0, deleted.stderr);
    const queued = await send();
    strictEqual(queued.status, 202, queued.text);
    const call: Call = (method, path, options) => server.call(method, path, { ...options, key });
    strictEqual((await waitForOperation(call, queued.json.id)).status, "success");
    strictEqual((await exportSnapshot(call)).snapshot.checksum, snapshot.checksum);
  });
});

Deno.test("POST /v1/imports accepts only one of two concurrent imports into an empty project", async () => {
  await withServer(async (first) => {
    await populate(first);
    const { snapshot } = await exportSnapshot(first.call);
    await withServer(async ({ call }) => {
      const both = await Promise.all([
        importSnapshot(call, snapshot),
        importSnapshot(call, snapshot),
      ]);
      const [accepted, refused] = both.sort((a, b) => a.status - b.status);
      deepStrictEqual([accepted!.status, refused!.status], [202, 409]);
      strictEqual(refused!.json.code, "IMPORT_TARGET_NOT_EMPTY");
      strictEqual((await waitForOperation(call, accepted!.json.id)).status, "success");
      strictEqual((await exportSnapshot(call)).snapshot.checksum, snapshot.checksum);
    });
  });
});

Deno.test("POST /v1/imports returns 400 with the issues in a changed snapshot", async () => {
  await withServer(async (server) => {
    await populate(server);
    const { snapshot } = await exportSnapshot(server.call);
    await withServer(async ({ call }) => {
      // deno-lint-ignore no-explicit-any -- each case changes another part of the snapshot
      const wrong: [change: (snapshot: any) => void, path: string][] = [
        [(s) => s.format = "other", "format"],
        [(s) => s.version = 2, "version"],
        [(s) => s.exported_at = 5, "exported_at"],
        [(s) => s.exported_at = "yesterday", "exported_at"],
        [(s) => s.records.memories[0].memory += "!", "checksum"],
        [(s) => s.records.memories[0].created_at = "yesterday", "records.memories.0.created_at"],
        [(s) => s.records.memories[0].memory_type = "rumour", "records.memories.0.memory_type"],
        [(s) => s.records.memories.pop(), "counts.memories"],
        [(s) => s.records.feedback[0].memory_id = "mem_x", "records.feedback.0.memory_id"],
        [(s) => s.records.memories[1].id = s.records.memories[0].id, "records.memories.1.id"],
        [(s) => delete s.records.history, "records.history"],
        [(s) => s.records.secrets = [], "records.secrets"],
        [(s) => s.records.memories = {}, "records.memories"],
      ];
      for (const [change, path] of wrong) {
        const changed = structuredClone(snapshot);
        change(changed);
        const refused = await importSnapshot(call, changed);
        deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_SNAPSHOT"], path);
        const paths = refused.json.details.issues.map((issue: { path: string }) => issue.path);
        ok(paths.includes(path), `${path} in ${paths}`);
      }
      const all = structuredClone(snapshot);
      for (const record of all.records.history) record.created_at = "never";
      const reported = (await importSnapshot(call, all)).json.details.issues.length;
      ok(reported <= 20 && reported >= 5);
      strictEqual((await call("GET", "/v1/operations")).json.results.length, 0);
    });
  });
});

Deno.test("POST /v1/imports returns 400 for a body that isn't JSON or contains no snapshot", async () => {
  await withServer(async ({ call }) => {
    for (const body of [{}, { snapshot: null }, { snapshot: [] }, []]) {
      const refused = await call("POST", "/v1/imports", { body, headers: freshKey() });
      deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_REQUEST"]);
    }
    const json = { "content-type": "application/json" };
    for (const raw of ['{"snapshot":{', '{"snapshot":{}} x', "{'a':1}", "", '{"a":1,}']) {
      const refused = await call("POST", "/v1/imports", {
        raw,
        headers: { ...json, ...freshKey() },
      });
      deepStrictEqual([refused.status, refused.json.code], [400, "INVALID_REQUEST"], raw);
    }
    const raw = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const utf8 = await call("POST", "/v1/imports", { raw, headers: { ...json, ...freshKey() } });
    strictEqual(utf8.json.code, "INVALID_UTF8");
    const plain = await call("POST", "/v1/imports", { raw: "{}", headers: freshKey() });
    strictEqual(plain.status, 415);
    const without = await call("POST", "/v1/imports", { body: {} });
    strictEqual(without.json.code, "IDEMPOTENCY_KEY_REQUIRED");
  });
});

Deno.test("import keeps the warnings of inferred adds, which can't be retried", async () => {
  await withServer(async (first) => {
    const event = await inferMemories(first.call, ["I live in Porto.", ENDLESS_LIST]);
    strictEqual(event.warnings.length, 1);
    const { snapshot } = await exportSnapshot(first.call);
    await withServer(async (second) => {
      const { id } = (await importSnapshot(second.call, snapshot)).json;
      strictEqual((await waitForOperation(second.call, id)).status, "success");
      const imported = await second.call("GET", `/v1/events/${event.id}`);
      deepStrictEqual(imported.json, event);
      await second.records(sql`update tasks set status = 'dead' where id = ${event.id as string}`);
      const retried = await second.call("POST", `/v1/operations/${event.id}/retry`);
      strictEqual(retried.json.code, "OPERATION_NOT_RETRYABLE");
    });
  });
});

Deno.test("commonplace export and import write and read the same snapshot, through a file or a pipe", async () => {
  await withServer(async (first) => {
    await populate(first);
    const { snapshot } = await exportSnapshot(first.call);
    const file = join(first.directory, "snapshot.json");
    const out = await runCommonplace(
      ...["export", "--project", "default", "--output", file, "--data", first.directory, "--json"],
    );
    deepStrictEqual([out.code, out.stderr], [0, ""]);
    strictEqual(JSON.parse(out.stdout).checksum, snapshot.checksum);
    await withServer(async (second) => {
      const flags = ["--project", "default", "--data", second.directory, "--json"];
      const imported = await runCommonplace("import", "--input", file, ...flags);
      deepStrictEqual([imported.code, imported.stderr], [0, ""]);
      const again = await runCommonplace("export", "--output", "-", ...flags);
      strictEqual(JSON.parse(again.stdout).checksum, snapshot.checksum);
      const twice = await runCommonplace("import", "--input", file, ...flags);
      strictEqual(twice.code, 1);
      match(twice.stderr, /^commonplace: The project already contains \w+;/);
    });
    writeFileSync(file, "no json");
    const flags = ["--project", "default", "--data", first.directory];
    strictEqual((await runCommonplace("import", "--input", file, ...flags)).code, 1);
  });
});
