/** Markdown for people: a list of memories for each owner, and each document as a file. */

import { SCOPE_KEYS } from "../../contract/fields.ts";
import { sha256 } from "../../kernel/hash.ts";
import { truncate } from "../../kernel/text.ts";
import type { Memory } from "../../memories/schema.ts";
import type { Content } from "../archive.ts";
import type { ExportedDocument, ProjectRecords } from "../records.ts";
import type { ExportFormat } from "./format.ts";

/** Longest part of a path, in characters. File systems allow 255 bytes. */
const MAX_NAME_CHARACTERS = 80;

export const markdown: ExportFormat = {
  name: "markdown",
  contents: "a list of memories for each owner, and each document as a file",
  notCarried: [],
  async write(records, archive) {
    const taken = new Set<string>();
    for (const { label, parts, numbers } of await listOwners(records)) {
      const name = freePath(taken, `memories/${parts.map(safeName).join(" ")}.md`);
      await archive.add(name, memoryList(records, label, numbers));
    }
    for await (const document of records.documents()) {
      const name = freePath(taken, `documents/${documentPath(document)}`);
      await archive.add(name, documentText(document));
    }
  },
};

/** An owner and the numbers of its memories. */
interface Owner {
  /** Each id with its name, e.g. `user_id=ana`. */
  readonly parts: readonly string[];
  /** The same as one text. No two owners have the same. */
  readonly label: string;
  readonly numbers: number[];
}

/**
 * Returns the owners by their labels. All memories of an owner go into one file, so their numbers
 * are collected first, at about 10 bytes each.
 */
async function listOwners(records: ProjectRecords): Promise<Owner[]> {
  const owners = new Map<string, Owner>();
  for await (const row of records.owners()) {
    const ids = SCOPE_KEYS.flatMap((key) => row[key] === null ? [] : [[key, row[key]] as const]);
    const label = ids.map(([key, id]) => `${key}=${quoted(id)}`).join(", ");
    const parts = ids.map(([key, id]) => `${key}=${id}`);
    const owner = owners.get(label) ?? { parts, label, numbers: [] };
    owner.numbers.push(row.seq);
    owners.set(label, owner);
  }
  return [...owners.values()].sort((a, b) => a.label < b.label ? -1 : 1);
}

/** Returns an id in quotes if it would be ambiguous in a list without them. */
function quoted(id: string): string {
  return /^[\p{L}\p{N}_.@:/+ -]+$/u.test(id) ? id : JSON.stringify(id);
}

async function* memoryList(
  records: ProjectRecords,
  label: string,
  numbers: readonly number[],
): Content {
  yield [`# Memories of ${label}\n`, 0];
  for await (const memory of records.memoriesAt(numbers)) {
    const text = memory.memory.trim().replaceAll("\n", "\n  ");
    yield [`\n- ${text} _(${memory.memory_type}, ${periodOf(memory)})_`, 1];
  }
  yield ["\n", 0];
}

function periodOf({ created_at, valid_from, valid_to }: Memory): string {
  const day = (time: string) => time.slice(0, 10);
  const begin = valid_from ?? created_at;
  return valid_to === null ? day(begin) : `${day(begin)} to ${day(valid_to)}`;
}

async function* documentText(document: ExportedDocument): Content {
  const { title, source_key, source_uri, created_at, metadata, content } = document;
  const owners = SCOPE_KEYS.map((key) => [key, document[key]]);
  const fields = [
    ["title", title],
    ["source_key", source_key],
    ["source_uri", source_uri],
    ["created", created_at],
    ...owners,
    ["metadata", Object.keys(metadata).length === 0 ? null : metadata],
  ].filter(([, value]) => value !== null);
  // JSON is YAML, so values need no quoting of their own.
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  yield [`---\n${lines.join("\n")}\n---\n\n${content}`, 1];
}

/**
 * Returns a document's key as a path that any file system accepts and that ends in `.md`. No folder
 * ends like that, so none is where another document's file is.
 */
function documentPath({ source_key }: ExportedDocument): string {
  const parts = source_key.split("/").map(safeName).filter((part) => part !== "");
  const name = parts.pop() ?? "document";
  const folders = parts.map((part) => MARKDOWN_NAME.test(part) ? `${part}_` : part);
  return [...folders, MARKDOWN_NAME.test(name) ? name : `${name}.md`].join("/");
}

const MARKDOWN_NAME = /\.(md|markdown)$/i;

/** Names of devices on Windows, also with an extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

function safeName(name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N} ._=@+-]/gu, "_").replace(/^[. ]+|[. ]+$/g, "")
    .replace(DEVICE_NAME, "_$&");
  return safe.length <= MAX_NAME_CHARACTERS
    ? safe
    : `${truncate(safe, MAX_NAME_CHARACTERS - 9)}-${sha256(name).slice(0, 8)}`;
}

/** Returns a path that isn't taken, also where upper and lower case are the same, and takes it. */
function freePath(taken: Set<string>, path: string): string {
  let free = path;
  for (let number = 2; taken.has(free.toLowerCase()); number++) {
    free = path.replace(/\.md$|$/, ` (${number})$&`);
  }
  taken.add(free.toLowerCase());
  return free;
}
