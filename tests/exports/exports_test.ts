/** Exports in open formats: what is in the archives, and that an import brings it back. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { EXPORT_FORMATS } from "../../src/exports/formats/all.ts";
import { openSource, type SourceFile } from "../../src/imports/source_files.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { run } from "../../testing/program.ts";
import { importFile, waitForImport } from "../imports/imports.ts";
import { currentRecords, exportFile } from "./exports.ts";
import { freshKey } from "../snapshots/snapshots.ts";

const JSON_NOTE = '{"steep": "3 minutes"}';

/** Adds memories with every field, one without metadata, and documents. */
async function populate({ call, add }: TestServer): Promise<void> {
  await add("Ana moved to Porto", {
    user_id: "ana",
    run_id: "r1",
    event_date: "2024-03-04",
    importance: 0.9,
    memory_type: "event",
    metadata: { categories: ["home"], trip: { days: 3 } },
  });
  const ended = await add("Ana lives in Lisbon", { user_id: "ana", agent_id: "tutor" });
  await call("PUT", `/v1/memories/${ended}`, { body: { content: "Ana lived in Lisbon" } });
  await add("Ĝis – 東京 \u2028", { agent_id: "tutor" });
  for (
    const [source_key, content, mime_type] of [
      ["notes/tea.md", "# Tea\n\nFrom Porto.", "text/markdown"],
      ["../Tea?.json", JSON_NOTE, "application/json"],
    ]
  ) {
    const body = { source_key, content, mime_type, user_id: "ana", metadata: { shelf: 2 } };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
  }
}

/** Returns the files of an archive by name. */
async function filesOf(directory: string, archive: Uint8Array): Promise<Map<string, string>> {
  const path = join(directory, "export.zip");
  Deno.writeFileSync(path, archive);
  const source = await openSource(path, "");
  const read = async (file: SourceFile) => {
    const pieces = await Array.fromAsync(file.bytes());
    return [file.name, new TextDecoder().decode(await new Blob(pieces as BlobPart[]).bytes())];
  };
  const files = await Promise.all(source.files.map(read)) as [string, string][];
  await source.close();
  return new Map(files);
}

for (const { name, notCarried } of EXPORT_FORMATS) {
  Deno.test(`POST /v1/exports/${name} returns an archive with a manifest and checksums`, async () => {
    await withServer(async (server) => {
      await populate(server);
      const files = await filesOf(server.directory, await exportFile(server, name));
      const manifest = JSON.parse(files.get("manifest.json")!);
      deepStrictEqual(manifest.counts, { memories: 3, documents: 2 });
      deepStrictEqual(manifest.not_carried, notCarried.length === 0 ? {} : { documents: 2 });
      const names = [...files.keys()].filter((name) => name !== "manifest.json");
      deepStrictEqual(manifest.files.map((file: { name: string }) => file.name), names);
      for (const { name, bytes, sha256 } of manifest.files) {
        const content = new TextEncoder().encode(files.get(name));
        strictEqual(bytes, content.length);
        strictEqual(sha256, createHash("sha256").update(content).digest("hex"));
        ok(!name.includes("..") && !name.startsWith("/"), name);
      }
    });
  });
}

for (const format of ["mem0", "jsonl"]) {
  Deno.test(`POST /v1/exports/${format}, imported elsewhere, equals the original`, async () => {
    await withServer(async (server) => {
      await populate(server);
      const archive = await exportFile(server, format);
      const original = await currentRecords(server.call);
      const report = await importFile(server.call, format, archive);
      const [memories, documents] = [3, format === "mem0" ? 0 : 2];
      deepStrictEqual(report.memories, { found: memories, added: 0, unchanged: memories });
      deepStrictEqual(report.documents, { found: documents, added: 0, unchanged: documents });
      await withServer(async (other) => {
        const copied = await importFile(other.call, format, archive);
        deepStrictEqual(copied.memories, { found: memories, added: memories, unchanged: 0 });
        deepStrictEqual(copied.set_aside.count, 0);
        deepStrictEqual(copied.not_carried, {});
        deepStrictEqual(await currentRecords(other.call), {
          memories: original.memories,
          documents: documents === 0 ? [] : original.documents,
        });
      });
    });
  });
}

Deno.test("POST /v1/exports/markdown writes memories by owner, and documents with frontmatter", async () => {
  await withServer(async (server) => {
    await populate(server);
    const files = await filesOf(server.directory, await exportFile(server, "markdown"));
    deepStrictEqual([...files.keys()].sort(), [
      "documents/Tea_.json.md",
      "documents/notes/tea.md",
      "manifest.json",
      "memories/agent_id=tutor.md",
      "memories/user_id=ana agent_id=tutor.md",
      "memories/user_id=ana run_id=r1.md",
    ]);
    match(
      files.get("memories/user_id=ana run_id=r1.md")!,
      /- Ana moved to Porto _\(event, 2024-03-04\)_/,
    );
    match(
      files.get("documents/notes/tea.md")!,
      /^---\ntitle: "notes\/tea.md"\n[\s\S]+---\n\n# Tea/,
    );
  });
});

Deno.test("POST /v1/exports/markdown writes paths that any file system accepts", async () => {
  await withServer(async (server) => {
    for (const source_key of ["notes.md", "notes.md/tea", "Aux", "nul.txt", "../a:b/."]) {
      const body = { content: "Tea", source_key, user_id: "ana" };
      strictEqual((await server.call("POST", "/v1/documents", { body })).status, 200);
    }
    const files = await filesOf(server.directory, await exportFile(server, "markdown"));
    deepStrictEqual([...files.keys()].sort(), [
      "documents/_Aux.md",
      "documents/_nul.txt.md",
      "documents/a_b.md",
      "documents/notes.md",
      "documents/notes.md_/tea.md",
      "manifest.json",
    ]);
  });
});

Deno.test("POST /v1/exports/markdown writes one file for each owner", async () => {
  await withServer(async (server) => {
    const owners = [
      { user_id: "ana", agent_id: "tutor" },
      { user_id: "ana, agent_id=tutor" },
      { user_id: "ana", run_id: "tutor" },
      { user_id: "Ana" },
      { user_id: "ana" },
    ];
    for (const [n, owner] of owners.entries()) await server.add(`Note ${n}`, owner);
    await server.add("Note 5", { user_id: "ana" });
    const files = await filesOf(server.directory, await exportFile(server, "markdown"));
    const lists = [...files].filter(([name]) => name.startsWith("memories/"))
      .map(([name, text]) => [name, text.split("\n")[0], [...text.matchAll(/Note \d/g)].join()]);
    deepStrictEqual(lists.sort(), [
      ["memories/user_id=Ana.md", "# Memories of user_id=Ana", "Note 3"],
      [
        "memories/user_id=ana (2).md",
        "# Memories of user_id=ana",
        "Note 4,Note 5",
      ],
      [
        "memories/user_id=ana agent_id=tutor.md",
        "# Memories of user_id=ana, agent_id=tutor",
        "Note 0",
      ],
      ["memories/user_id=ana run_id=tutor.md", "# Memories of user_id=ana, run_id=tutor", "Note 2"],
      [
        "memories/user_id=ana_ agent_id=tutor.md",
        '# Memories of user_id="ana, agent_id=tutor"',
        "Note 1",
      ],
    ]);
  });
});

Deno.test("POST /v1/exports/jsonl leaves out documents that an import hasn't completed", async () => {
  await withServer(async (server) => {
    await populate(server);
    await server.records(sql`delete from document_contents where version =
      (select seq from document_versions where source_key = 'notes/tea.md')`);
    const files = await filesOf(server.directory, await exportFile(server, "jsonl"));
    deepStrictEqual(JSON.parse(files.get("manifest.json")!).counts, { memories: 3, documents: 1 });
  });
});

Deno.test("GET /v1/operations/{id}/file names the archive, and returns 404 for other operations and projects", async () => {
  await withServer(async (server) => {
    const { call } = server;
    const queued = await call("POST", "/v1/exports", { headers: freshKey() });
    await waitForImport(call, queued.json.id);
    const none = await call("GET", `/v1/operations/${queued.json.id}/file`);
    deepStrictEqual([none.status, none.json.code], [404, "OPERATION_FILE_NOT_FOUND"]);
    const exported = await call("POST", "/v1/exports/jsonl", { headers: freshKey() });
    await waitForImport(call, exported.json.id);
    const key = await server.createKey("elsewhere");
    const file = await call("HEAD", `/v1/operations/${exported.json.id}/file`);
    strictEqual(
      file.headers.get("content-disposition"),
      `attachment; filename="${exported.json.id}.zip"`,
    );
    const foreign = await call("GET", `/v1/operations/${exported.json.id}/file`, { key });
    deepStrictEqual([foreign.status, foreign.json.code], [404, "OPERATION_NOT_FOUND"]);
  });
});

Deno.test("commonplace export --format writes the archive to a file or to standard output", async () => {
  await withServer(async (server) => {
    await populate(server);
    const output = join(server.directory, "out.zip");
    const flags = ["--project", "default", "--data", server.directory];
    const written = await run(
      ["export", "--format", "jsonl", "--output", output, ...flags, "--json"],
    );
    strictEqual(written.code, 0, written.stderr);
    deepStrictEqual(JSON.parse(written.stdout), {
      project: "default",
      output,
      memories: 3,
      documents: 2,
      not_carried: {},
    });
    const files = await filesOf(server.directory, readFileSync(output));
    strictEqual(files.get("memories.jsonl")!.trim().split("\n").length, 3);
    const unknown = await run(["export", "--format", "xml", "--output", output, ...flags]);
    strictEqual(unknown.code, 1);
    match(unknown.stderr, /--format must be one of jsonl, markdown, mem0/);
  });
});
