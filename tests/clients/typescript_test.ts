/** The TypeScript client against a real server, as a program uses it. */

import { deepStrictEqual, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Commonplace,
  CommonplaceError,
  Conflict,
  InvalidRequest,
  NotFound,
  NotSupported,
  OperationFailed,
  PermissionDenied,
  TimedOut,
  TooLarge,
  Unauthorized,
  type UploadProgress,
  VersionConflict,
} from "../../clients/typescript/src/index.ts";
import { loadImport, saveExport, uploadFile } from "../../clients/typescript/src/node.ts";
import { cutQuery } from "../../clients/typescript/src/tools.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";

const DOCX = new URL("../../docs/examples/keeper.docx", import.meta.url).pathname;

function clientOf(server: TestServer, options = {}): Commonplace {
  return new Commonplace({ baseUrl: server.url, apiKey: server.key, userId: "ana", ...options });
}

Deno.test("memories: adds, finds, changes and deletes within the scope of the client", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    const [added] = await client.memories.add("The spare key is with Ben.");
    const memory = await client.memories.get(added!.id);
    strictEqual(memory.user_id, "ana");
    const { results } = await client.memories.search("Who has the spare key?", { top_k: 1 });
    strictEqual(results[0]!.id, memory.id);

    await client.memories.update(memory.id, { importance: 0.9, version: memory.updated_at });
    await rejects(
      client.memories.update(memory.id, { importance: 0.1, version: memory.updated_at }),
      VersionConflict,
    );
    const other = client.with({ userId: "ben" });
    deepStrictEqual((await other.memories.list().page()).results, []);
    strictEqual((await other.memories.query({ user_id: null }).page()).results.length, 1);

    await client.memories.delete(memory.id);
    const events = await Array.fromAsync(client.memories.history(memory.id));
    deepStrictEqual(events.map(({ event }) => event), ["ADD", "UPDATE", "DELETE"]);
    await rejects(client.memories.get(memory.id), NotFound);
  }));

Deno.test("an id that is undefined keeps the scope of the client, and null removes it", () =>
  withServer(async (server) => {
    const ana = clientOf(server, { agentId: "garden" });
    await ana.memories.add("Ana keeps bees.");
    await ana.with({ userId: "ben" }).memories.add("Ben keeps bees.");
    const unknown = { user_id: undefined, userId: undefined };
    const textsOf = async (
      client: Commonplace,
      fields?: { user_id?: string | null | undefined },
    ) => {
      const { results } = await client.memories.list(fields).page();
      return results.map(({ memory }) => memory).sort();
    };

    for (const client of [ana, ana.with(unknown)]) {
      deepStrictEqual(await textsOf(client, unknown), ["Ana keeps bees."]);
      strictEqual((await client.memories.search("bees", unknown)).results.length, 1);
    }
    deepStrictEqual(await textsOf(ana, { user_id: null }), ["Ana keeps bees.", "Ben keeps bees."]);
    const everyone = ana.with({ userId: null });
    strictEqual((await everyone.memories.search("bees")).results.length, 2);
    await ana.memories.deleteScope(unknown);
    deepStrictEqual(await textsOf(everyone), ["Ben keeps bees."]);
  }));

Deno.test("cutQuery() keeps what the service accepts, and never half a character", () => {
  strictEqual(cutQuery("short"), "short");
  strictEqual(cutQuery("x".repeat(9_000)), "x".repeat(8_000));
  strictEqual(cutQuery("x".repeat(7_998) + "🐝🐝"), "x".repeat(7_998) + "🐝");
  strictEqual(cutQuery("x".repeat(7_999) + "🐝"), "x".repeat(7_999));
});

Deno.test("memories.infer() can be waited for directly, and reports what was stored", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    const event = await client.memories.infer("I moved to Porto in March.").wait();
    strictEqual(event.write_summary?.outcome, "STORED");
    const inference = await client.memories.infer("I work as a nurse.");
    ok((await inference.wait()).results[0]!.memory.includes("nurse"));
    const { text } = await client.context("Where does Ana live?");
    ok(text.includes("Porto"), text);
    ok((await client.profile.get())!.includes("nurse"));
  }));

Deno.test("lists follow their cursors, and can start anywhere", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    const texts = Array.from({ length: 250 }, (_, number) => `Box ${number} is in the cellar.`);
    for (const content of texts) await client.memories.add(content);
    const listed = await Array.fromAsync(client.memories.list({ limit: 100 }));
    deepStrictEqual(listed.map(({ memory }) => memory).toReversed(), texts);
    const sizes = await Array.fromAsync(client.memories.list({ limit: 100 }).pages());
    deepStrictEqual(sizes.map(({ results }) => results.length), [100, 100, 50]);
    const query = client.memories.query({ direction: "asc", limit: 60, count: true });
    strictEqual((await query.page()).count, 250);
    deepStrictEqual((await Array.fromAsync(query)).map(({ memory }) => memory), texts);
    const { next_cursor } = await query.page();
    const rest = client.memories.query({ direction: "asc", limit: 60, cursor: next_cursor! });
    strictEqual((await Array.fromAsync(rest)).length, 190);
  }));

Deno.test("documents.upload() is one call, with progress, and can be repeated", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    const progress: UploadProgress[] = [];
    const options = {
      idempotencyKey: "keeper",
      onProgress: (now: UploadProgress) => void progress.push(now),
    };
    const document = await uploadFile(client, DOCX, { title: "The keeper" }, options);
    strictEqual(document.title, "The keeper");
    strictEqual(document.source_key, "keeper.docx");
    const sent = progress.filter((now) => now.stage === "sending");
    strictEqual(sent.at(-1)!.sent_bytes, readFileSync(DOCX).length);
    ok(progress.some(({ stage }) => stage === "extracting"));

    const file = new File([readFileSync(DOCX)], "keeper.docx");
    const again = await client.documents.upload(file, { title: "The keeper" }, options);
    strictEqual(again.id, document.id);
    const { content } = await client.documents.content(document.id);
    ok(content.length > 0);
    ok((await Array.fromAsync(client.documents.chunks(document.id))).length > 0);
    strictEqual((await client.documents.delete(document.id)).versions, 1);
  }));

Deno.test("documents.upload() throws OperationFailed if a file can't be read", () =>
  withServer(async (server) => {
    const broken = new File(["%PDF-1.7 but nothing else"], "broken.pdf");
    await rejects(clientOf(server).documents.upload(broken), (error) => {
      ok(error instanceof OperationFailed);
      strictEqual(error.operation.error?.code, "DOCUMENT_CORRUPT");
      return true;
    });
  }));

Deno.test("documents.upload() doesn't read a file that is too large", () =>
  withServer(async (server) => {
    class Video extends File {
      override readonly size = 3_000_000_000;
      override arrayBuffer = (): never => {
        throw new Error("The memory is full");
      };
    }
    const video = new Video([], "video.txt");
    await rejects(clientOf(server).documents.upload(video), TooLarge);
  }));

Deno.test("imports.file() and imports.report() use the name of a File", () =>
  withServer(async (server) => {
    const { imports } = clientOf(server);
    const note = new File(["# Tea\n\nGreen tea."], "tea.md");
    const unnamed = { filename: undefined } as unknown as { filename: string };
    for (const fields of [{}, unnamed, { filename: "other.md" }]) {
      await imports.report("markdown", note, fields);
    }
    await rejects(imports.report("markdown", note, { filename: "tea.png" }), InvalidRequest);
    await rejects(imports.report("markdown", new Blob([note])), InvalidRequest);
    await imports.file("markdown", note);
  }));

Deno.test("exports and imports move a project through a file", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    await client.memories.add("Ana takes her coffee black.");
    const path = join(server.directory, "snapshot.json");
    await saveExport(client, path);
    await rejects(loadImport(client, path), Conflict);
    await withServer(async (other) => {
      await loadImport(clientOf(other), path);
      const { results } = await clientOf(other).memories.list().page();
      deepStrictEqual(results.map(({ memory }) => memory), ["Ana takes her coffee black."]);
    });
    writeFileSync(path, "{}");
    await rejects(loadImport(client, path), InvalidRequest);
  }));

Deno.test("errors have the class of their status or code", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    await rejects(client.memories.search(""), (error) => {
      ok(error instanceof InvalidRequest);
      strictEqual(error.code, "INVALID_REQUEST");
      strictEqual(error.status, 400);
      ok(error.request_id?.startsWith("req_"));
      deepStrictEqual((error.details?.issues as { path: string }[])[0]!.path, "query");
      return true;
    });
    await rejects(clientOf(server, { apiKey: "cpl_wrong" }).health(), Unauthorized);
    await rejects(clientOf(server, { apiKey: null }).health(), Unauthorized);
    const readOnly = await server.createKey("default", "memory:read");
    await rejects(
      clientOf(server, { apiKey: readOnly }).memories.add("x"),
      PermissionDenied,
    );
    await rejects(client.documents.add("x".repeat(1_000_001)), TooLarge);
    await rejects(
      clientOf(server, { baseUrl: `${server.url}/v2/` }).health(),
      (error) => error instanceof NotSupported && error.message.includes("baseUrl"),
    );
    for (const id of ["", ".", "..", "mem_\ud800"]) {
      throws(() => client.memories.get(id), CommonplaceError);
    }
  }));

Deno.test("operations.wait() ends with TimedOut or with the signal's reason", () =>
  withServer(async (server) => {
    const client = clientOf(server);
    const file = new File(["never sent"], "note.txt");
    const { operation } = await client.uploads.create({
      filename: file.name,
      content_type: "text/plain",
      size_bytes: file.size,
    });
    await rejects(client.operations.wait(operation, { timeout: 1_000 }), TimedOut);
    const reason = new Error("The user left");
    const leaving = new AbortController();
    const statuses: string[] = [];
    await rejects(
      client.operations.wait(operation, {
        signal: leaving.signal,
        timeout: 60_000,
        onProgress({ status }) {
          statuses.push(status);
          if (statuses.length === 2) leaving.abort(reason);
        },
      }),
      reason,
    );
    deepStrictEqual(statuses, ["awaiting_upload", "awaiting_upload"]);
    await rejects(
      client.operations.wait(operation.id, { signal: AbortSignal.abort(reason) }),
      reason,
    );
  }));

Deno.test("a fetch of the program's own may return responses without streams", () =>
  withServer(async (server) => {
    const withoutStreams = async (...args: Parameters<typeof fetch>) => {
      const response = await fetch(...args);
      const { status, ok, headers } = response;
      return { status, ok, headers, arrayBuffer: () => response.arrayBuffer() } as Response;
    };
    const client = clientOf(server, { fetch: withoutStreams });
    const [added] = await client.memories.add("The spare key is with Ben.");
    strictEqual((await client.memories.get(added!.id)).user_id, "ana");
  }));
