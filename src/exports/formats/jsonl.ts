/** JSON Lines: everything but the history, one record per line, as `import --from jsonl` reads it. */

import type { Content } from "../archive.ts";
import type { ProjectRecords } from "../records.ts";
import type { ExportFormat } from "./format.ts";

export const jsonl: ExportFormat = {
  name: "jsonl",
  contents: "`memories.jsonl` and `documents.jsonl`, one JSON object per line",
  notCarried: [],
  async write(records, archive) {
    await archive.add("memories.jsonl", memoryLines(records));
    await archive.add("documents.jsonl", documentLines(records));
  },
};

async function* memoryLines(records: ProjectRecords): Content {
  for await (const { memory, ...fields } of records.memories()) {
    yield [`${JSON.stringify({ kind: "memory", content: memory, ...fields })}\n`, 1];
  }
}

async function* documentLines(records: ProjectRecords): Content {
  for await (const document of records.documents()) {
    const { id: _, content_hash: __, version_hash: ___, size_bytes: ____, ...fields } = document;
    yield [`${JSON.stringify({ kind: "document", ...fields })}\n`, 1];
  }
}
