/**
 * mem0's form of a list of memories. What mem0 doesn't know is in fields of our own next to its
 * fields, so that an import brings it back.
 */

import type { Memory } from "../../memories/schema.ts";
import type { Content } from "../archive.ts";
import type { ProjectRecords } from "../records.ts";
import type { ExportFormat } from "./format.ts";

export const mem0: ExportFormat = {
  name: "mem0",
  contents: "`memories.json`, an object with `results` like a page of mem0's `get_all`",
  notCarried: ["documents"],
  async write(records, archive) {
    await archive.add("memories.json", list(records));
  },
};

async function* list(records: ProjectRecords): Content {
  let separator = '{"results":[';
  for await (const memory of records.memories()) {
    yield [`${separator}\n${JSON.stringify(toItem(memory))}`, 1];
    separator = ",";
  }
  yield [separator === "," ? "\n]}\n" : `${separator}]}\n`, 0];
}

/** Fields that mem0 has next to the metadata are there as well as in the metadata. */
function toItem({ metadata, ...memory }: Memory) {
  const { app_id, expiration_date, categories } = metadata ?? {};
  return {
    ...memory,
    metadata,
    app_id: typeof app_id === "string" ? app_id : null,
    categories: Array.isArray(categories) ? categories : [],
    expiration_date: typeof expiration_date === "string" ? expiration_date : null,
  };
}
