/**
 * Notes as Markdown files: an Obsidian vault, Notion's export, basic-memory, or any folder. A note's
 * path is its key, so that importing a folder again only stores the notes that have changed.
 */

import { Omissions } from "../conversations.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { invalidImport, type SourceFile } from "../source_files.ts";
import { textOf } from "../text.ts";
import { timeOf } from "../times.ts";

/** Media types of the files that are read. All others are left out. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  mdx: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  csv: "text/csv",
};

/** Frontmatter fields with the date of a note, in order of preference. */
const CREATED_FIELDS = ["created", "created_at", "date", "date created", "Created"];
const UPDATED_FIELDS = ["updated", "updated_at", "modified", "last_modified", "date modified"];

export const markdown: ImportFormat = {
  name: "markdown",
  title: "Markdown notes",
  files: "a folder or zip archive of notes (Obsidian, Notion, basic-memory), or a single note",
  requiresOwner: true,
  async *read(source) {
    const omissions = new Omissions();
    const notes = source.files.filter((file) => !isHidden(file) && mediaTypeOf(file) !== undefined);
    omissions.add(
      "other files",
      source.files.filter((file) => !isHidden(file)).length - notes.length,
    );
    if (notes.length === 0) {
      throw invalidImport("There is no note: none of the files is Markdown or text");
    }
    for (const file of notes) {
      const item = await noteItem(file);
      if (item === null) omissions.add("empty notes");
      else yield item;
    }
    yield* omissions.items();
  },
};

/** Obsidian, Git and others keep their settings in hidden folders. */
function isHidden({ name }: SourceFile): boolean {
  return name.split("/").some((part) => part.startsWith("."));
}

function mediaTypeOf({ name }: SourceFile): string | undefined {
  return MEDIA_TYPES[/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
}

/** Returns null for an empty note. */
async function noteItem(file: SourceFile): Promise<SourceItem | null> {
  const { name } = file;
  const read = await textOf(file);
  if ("problem" in read) return { kind: "set_aside", where: name, reason: read.problem };
  const mime_type = mediaTypeOf(file)!;
  const { fields, content } = mime_type === "text/markdown"
    ? await withoutFrontmatter(read.text)
    : { fields: {}, content: read.text };
  if (content.trim() === "") return null;
  return {
    kind: "document",
    where: name,
    source_key: name,
    title: typeof fields["title"] === "string" ? fields["title"] : titleOf(name),
    content,
    mime_type,
    metadata: fields,
    created_at: dateIn(fields, CREATED_FIELDS) ?? file.modifiedAt,
    updated_at: dateIn(fields, UPDATED_FIELDS),
  };
}

/** Returns the file's name without its extension and without the id that Notion appends. */
function titleOf(path: string): string {
  const name = path.split("/").at(-1)!.replace(/\.[^.]+$/, "");
  return name.replace(/ [0-9a-f]{32}(_all)?$/, "");
}

function dateIn(fields: JsonObject, names: readonly string[]): string | null {
  return names.map((name) => dateOf(fields[name])).find((date) => date !== null) ?? null;
}

/** A year, month, day, minute or second without separators, e.g. 202405011230. */
const COMPACT_DATE = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?)?)?$/;

/** Seconds or milliseconds since the Unix epoch, of 2001 or later. */
const EPOCH_TIME = /^(?:\d{10}|\d{13})(?:\.\d+)?$/;

/** Returns a date in a field. YAML reads dates without separators as numbers. */
function dateOf(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value);
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00"] =
    COMPACT_DATE.exec(text) ?? [];
  if (year !== undefined) return timeOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return typeof value === "string" || EPOCH_TIME.test(text) ? timeOf(value) : null;
}

const FRONTMATTER = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Splits a note into its frontmatter and its text. Frontmatter that isn't YAML stays in the text. */
async function withoutFrontmatter(text: string): Promise<{ fields: JsonObject; content: string }> {
  const [all, frontmatter] = FRONTMATTER.exec(text) ?? [];
  if (all === undefined || frontmatter === undefined) return { fields: {}, content: text };
  const { parse } = await import("yaml");
  try {
    // The limit on aliases is against texts that expand to gigabytes.
    const fields: unknown = parse(frontmatter, { maxAliasCount: 50, logLevel: "silent" });
    return isObject(fields)
      ? { fields, content: text.slice(all.length) }
      : { fields: {}, content: text };
  } catch {
    return { fields: {}, content: text };
  }
}
