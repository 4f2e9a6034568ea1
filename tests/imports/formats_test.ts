/** Every format: what a file of it becomes, and that importing it again changes nothing. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { IMPORT_FORMATS } from "../../src/imports/formats/all.ts";
import { withServer } from "../../testing/harness.ts";
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

interface MemoryRecord {
  readonly memory: {
    readonly memory: string;
    readonly created_at: string;
    readonly metadata: { readonly source: { readonly system: string } };
  };
  readonly history: readonly { readonly event: string; readonly source: { kind: string } }[];
}
