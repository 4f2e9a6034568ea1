/** Every format: what a file of it becomes, and that importing it again changes nothing. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { IMPORT_FORMATS } from "../../src/imports/formats/all.ts";
import { unreadPart } from "../../src/imports/inferred_adds.ts";
import { recordsOf as recordsOfItem } from "../../src/imports/records.ts";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { importFile, recordsOf, sendFile } from "./imports.ts";
import { SAMPLES } from "./samples.ts";

Deno.test("every format has a sample", () => {
  deepStrictEqual(Object.keys(SAMPLES).sort(), IMPORT_FORMATS.map(({ name }) => name).sort());
});

for (const [format, sample] of Object.entries(SAMPLES)) {
  Deno.test(`POST /v1/imports/${format} twice changes nothing the second time`, async () => {
    await withServer(async ({ call }) => {
      const { file, query = "" } = sample;
      const dryQuery = `${query === "" ? "?" : `${query}&`}dry_run=true`;
      const dry = await sendFile(call, format, file, dryQuery);
      strictEqual(dry.status, 200, dry.text);
      deepStrictEqual((await recordsOf(call)).memories, []);

      const report = await importFile(call, format, file, query);
      deepStrictEqual(report, dry.json, "a dry run reports what the import does");
      const [memories, documents] = [sample.memories.length, sample.documents.length];
      deepStrictEqual(report.memories, { found: memories, added: memories, unchanged: 0 });
      deepStrictEqual(report.documents, { found: documents, added: documents, unchanged: 0 });
      strictEqual(report.set_aside.count, sample.setAside ?? 0, JSON.stringify(report.set_aside));
      deepStrictEqual(report.not_carried, sample.notCarried ?? {});
      const first = await recordsOf(call);
      const texts = first.memories.map((record) => (record as MemoryRecord).memory.memory);
      deepStrictEqual(texts.sort(), sample.memories.toSorted());
      const keys = first.documents.map(({ source_key }) => source_key);
      deepStrictEqual(keys.sort(), sample.documents.toSorted());
      for (const { memory, history } of first.memories as MemoryRecord[]) {
        deepStrictEqual(history.map(({ event, source }) => [event, source.kind]), [
          ["ADD", "import"],
        ]);
        ok(memory.created_at < "2026", "a missing date is never now");
        strictEqual(memory.metadata.source.system, format);
      }
      for (const { created_at } of first.documents) ok(created_at < "2026", created_at);

      const again = await importFile(call, format, file, query);
      deepStrictEqual(again.memories, { found: memories, added: 0, unchanged: memories });
      deepStrictEqual(again.documents, { found: documents, added: 0, unchanged: documents });
      deepStrictEqual(await recordsOf(call), first);
    });
  });
}

Deno.test("POST /v1/imports/{format} with infer=true reads what was added to a conversation", async () => {
  await withServer(async ({ call }) => {
    const importSaid = async (...texts: string[]) => {
      const chat_messages = texts.map((text) => ({ sender: "human", text }));
      const file = JSON.stringify([{ uuid: "u-1", created_at: "2024-04-01", chat_messages }]);
      return (await importFile(call, "claude", file, "?user_id=ana&infer=true")).inferred_adds;
    };
    deepStrictEqual(await importSaid("My sister is called Eva"), {
      found: 1,
      added: 1,
      unchanged: 0,
    });
    const said = ["My sister is called Eva", "I live in Porto"];
    deepStrictEqual(await importSaid(...said), { found: 1, added: 1, unchanged: 0 });
    deepStrictEqual(await importSaid(...said), { found: 1, added: 0, unchanged: 1 });
    const listed = await waitUntil(
      () => call("GET", "/v1/memories?user_id=ana"),
      ({ json }) => json.results.length >= 2,
    );
    match(listed.text, /Porto/);
  });
});

Deno.test("unreadPart() begins after the messages that were read before", () => {
  const addsOf = (count: number) => {
    const messages = Array.from({ length: count }, (_, index) => ({
      role: "user" as const,
      content: `Message ${index % 7}`,
    }));
    return recordsOfItem(
      { kind: "document", where: "", source_key: "c-1", content: "Text", messages },
      { format: "claude", scope: { user_id: "ana" }, infer: true },
    ).adds;
  };
  const tasks = new Set<string>();
  // The numbers of messages that each import reads, per add.
  const read = (count: number) =>
    addsOf(count).map((add) => {
      const unread = unreadPart(add, tasks);
      if (unread !== null) tasks.add(unread.id);
      return unread?.body.messages?.length ?? 0;
    });
  deepStrictEqual(read(2), [2]);
  deepStrictEqual(read(110), [98, 10]);
  deepStrictEqual(read(110), [0, 0]);
  deepStrictEqual(read(201), [0, 90, 1]);
  deepStrictEqual(read(2), [0]);
});

Deno.test("recordsOf() stores no media type that a snapshot couldn't contain", () => {
  const typeOf = (mime_type: unknown) =>
    recordsOfItem(
      { kind: "document", where: "", source_key: "note", content: "Text", mime_type },
      { format: "jsonl", scope: { user_id: "ana" }, infer: false },
    ).documents[0]!.document.mime_type;
  for (const malformed of ["", " ", "text", "text/x\0", `text/${"x".repeat(300)}`, 5, null]) {
    strictEqual(typeOf(malformed), "text/markdown");
  }
  strictEqual(typeOf("Application/PDF; version=1.7"), "application/pdf");
});

interface MemoryRecord {
  readonly memory: {
    readonly memory: string;
    readonly created_at: string;
    readonly metadata: { readonly source: { readonly system: string } };
  };
  readonly history: readonly { readonly event: string; readonly source: { kind: string } }[];
}
