/**
 * Turns items of a source into records as stored: validates them, fits them into the limits and
 * derives their ids. Depends on nothing but the item and the import's options, so importing the
 * same item again yields the same record.
 */

import type { z } from "zod";
import {
  memoryText,
  metadataField,
  type Scope,
  SCOPE_KEYS,
  scopeValue,
} from "../contract/fields.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { type NewDocument, newDocument } from "../documents/service.ts";
import { ingestBody } from "../documents/schema.ts";
import { isAccepted } from "../documents/media_types.ts";
import { essenceOf } from "../kernel/http/media_types.ts";
import { canonicalJson, sha256 } from "../kernel/hash.ts";
import { datedId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isBlank, storableText, textProblem, truncate, utf8Length } from "../kernel/text.ts";
import type { ImportedMemory } from "../memories/imported.ts";
import { importance, memoryType } from "../memories/schema.ts";
import { type InferredAdd, inferredAdds } from "./inferred_adds.ts";
import type { SourceDocument, SourceItem, SourceMemory, SourceOwners } from "./model.ts";
import { splitText } from "./split_text.ts";
import { earliest, timeOf, UNKNOWN_TIME } from "./times.ts";

/** What an import request decides about all of its records. */
export interface RecordOptions {
  readonly format: string;
  /** Owners of records that don't name their own. */
  readonly scope: Scope;
  /** Whether texts are added with inference instead of verbatim. */
  readonly infer: boolean;
}

/** A document ready to be prepared, with its time in the source. */
export interface ImportedDocument {
  readonly document: NewDocument;
  readonly createdAt: string;
}

/** Everything one item becomes. Usually a single record. */
export interface ImportedRecords {
  /** Identifies the record. No other record in the same file can have the same identity. */
  readonly identity: string;
  readonly memories: readonly ImportedMemory[];
  readonly documents: readonly ImportedDocument[];
  readonly adds: readonly InferredAdd[];
  /** Where the parts of a document are, or null if it isn't a document whose origin is known. */
  readonly parts: DocumentParts | null;
  /** What had to be cut, as plural nouns. */
  readonly cuts: readonly string[];
}

/** The parts that a document consists of. An earlier, longer one can have left more of them. */
export interface DocumentParts {
  readonly count: number;
  /** Identifies the document in its source. It's in the metadata of each part. */
  readonly origin: Origin;
  /** What the keys of all parts but the first begin with. The number of the part follows. */
  readonly keyPrefix: string;
}

/** Thrown for an item that can't be imported. The message names the field. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

const NOTHING = { memories: [], documents: [], adds: [], parts: null, cuts: [] };

/**
 * Returns the records for a memory or document.
 *
 * @throws RecordError if there's something wrong with it
 */
export function recordsOf(
  item: Extract<SourceItem, { kind: "memory" | "document" }>,
  options: RecordOptions,
): ImportedRecords {
  return item.kind === "memory" ? fromMemory(item, options) : fromDocument(item, options);
}

/** Owners as stored. At least one is set, and the others are null. */
export type Owners = { readonly [key in keyof Scope]-?: string | null };

function fromMemory(item: SourceMemory, options: RecordOptions): ImportedRecords {
  const owners = ownersOf(item, options.scope);
  const text = textOf(item.text, "text");
  const created_at = earliest([item.created_at]) ??
    earliest([item.updated_at, item.event_date, item.valid_from]) ?? UNKNOWN_TIME;
  const id = sourceIdOf(item.id, [text, created_at]);
  const isOwnId = OWN_ID.test(id);
  const origin = isOwnId ? null : { system: options.format, id };
  const { metadata, cuts } = metadataOf(item.metadata, origin);
  const identity = isOwnId ? id : identityOf(options.format, id, owners);
  if (options.infer) {
    const message = { role: "user" as const, content: text, created_at };
    const adds = inferredAdds([message], { owners, metadata, identity, createdAt: created_at });
    return { ...NOTHING, identity, adds, cuts };
  }
  if (utf8Length(text) > LIMITS.memoryTextBytes) {
    const title = `${truncate(text, 80).replaceAll(/\s+/g, " ")}…`;
    const source_key = `${options.format}/${id}`;
    const document = { ...item, ...owners, metadata, kind: "document", source_key, title } as const;
    return fromDocument({ ...document, content: text, created_at }, options);
  }
  const event_date = timeOf(item.event_date);
  const memory: ImportedMemory = {
    ...owners,
    id: isOwnId ? id : datedId("mem", Date.parse(created_at), identity),
    memory: parse(memoryText, text, "text"),
    memory_type: optional(memoryType, item.memory_type, "memory_type") ?? "fact",
    importance: optional(importance, item.importance, "importance") ?? 0.5,
    created_at,
    updated_at: latest(created_at, timeOf(item.updated_at)),
    event_date,
    // Null says that there's no such time. Most sources have no such field.
    valid_from: item.valid_from === null ? null : timeOf(item.valid_from) ?? event_date,
    valid_to: timeOf(item.valid_to),
    metadata: isOwnId && item.metadata === null ? null : JSON.stringify(metadata),
  };
  return { ...NOTHING, identity, memories: [memory], cuts };
}

function fromDocument(item: SourceDocument, options: RecordOptions): ImportedRecords {
  const owners = ownersOf(item, options.scope);
  const createdAt = earliest([item.created_at, item.updated_at]) ??
    earliest((item.messages ?? []).map((message) => message.created_at)) ?? UNKNOWN_TIME;
  const content = textOf(item.content, "content");
  const id = sourceIdOf(item.source_key, [content]);
  const origin = item.isOwn === true ? null : { system: options.format, id };
  const { metadata, cuts } = metadataOf(item.metadata, origin);
  const { mime_type, chunkedAs } = mediaTypeOf(item.mime_type);
  const parts = splitText(content, LIMITS.documentBytes);
  const title = titleOf(item.title, id, parts.length);
  const documents = parts.map((part, index): ImportedDocument => {
    const body = parse(
      ingestBody,
      {
        ...withoutNulls({ ...owners, source_uri: item.source_uri ?? null }),
        source_key: sourceKeyOf(id, index),
        title: partTitle(title, index, parts.length),
        content: part,
        mime_type: chunkedAs,
        metadata,
      },
      "document",
    );
    return { document: newDocument({ ...body, mime_type }, chunkedAs), createdAt };
  });
  const identity = identityOf(options.format, id, owners);
  const adds = options.infer
    ? inferredAdds(item.messages ?? [], { owners, metadata, identity, createdAt })
    : [];
  return {
    // A source belongs to one owner, so its key alone identifies it.
    identity: sourceKeyOf(id, 0),
    memories: [],
    documents,
    adds,
    parts: origin === null ? null : { count: parts.length, origin, keyPrefix: partPrefix(id) },
    cuts: title === item.title || item.title === undefined ? cuts : [...cuts, "titles"],
  };
}

/** Ids of this service's memories. Exports keep them, and so do imports of these exports. */
const OWN_ID = /^mem_[0-9a-hjkmnp-tv-z]{26}$/;

/** Identifies a record across imports. The owner counts, so that two people can import one file. */
function identityOf(format: string, id: string, owners: Owners): string {
  return JSON.stringify([format, id, ...SCOPE_KEYS.map((key) => owners[key])]);
}

function ownersOf(item: SourceOwners, scope: Scope): Owners {
  const [user_id, agent_id, run_id] = SCOPE_KEYS.map((key) =>
    optional(scopeValue, item[key], key) ?? scope[key] ?? null
  );
  if (user_id === null && agent_id === null && run_id === null) {
    throw new RecordError("Has no owner; pass a user_id or agent_id for the import");
  }
  return { user_id: user_id!, agent_id: agent_id!, run_id: run_id! };
}

/** Returns a text without the characters that can't be stored. */
function textOf(value: unknown, field: string): string {
  if (typeof value !== "string") throw new RecordError(`${field}: Must be text`);
  const text = storableText(value);
  if (isBlank(text)) throw new RecordError(`${field}: Must not be empty`);
  return text;
}

/** Returns a record's id in its source. Without one, the content identifies the record. */
function sourceIdOf(id: unknown, content: readonly string[]): string {
  if (typeof id === "number") return String(id);
  if (typeof id === "string" && !isBlank(id) && textProblem(id) === null) return id;
  return sha256(JSON.stringify(content)).slice(0, 32);
}

/** Where a record comes from, as added to its metadata. */
export interface Origin {
  readonly system: string;
  readonly id: string;
}

/** The form of a media type without its parameters (RFC 6838, section 4.2). */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/** Returns a document's media type, and the one that decides where to cut it into chunks. */
function mediaTypeOf(given: unknown): { mime_type: string; chunkedAs: string } {
  const essence = typeof given === "string" ? essenceOf(given) : "";
  const mime_type = MEDIA_TYPE.test(essence) ? essence : "text/markdown";
  // The text of a document that was a PDF, for example, is Markdown.
  return { mime_type, chunkedAs: isAccepted(mime_type) ? mime_type : "text/markdown" };
}

/**
 * Adds the origin, unless it's null, to a record's metadata. Metadata over the limits is dropped. A
 * member named `source` that the record already has is kept.
 */
function metadataOf(metadata: unknown, origin: Origin | null) {
  const given = metadata === undefined || metadata === null ? {} : metadata;
  const checked = metadataField.safeParse(given);
  if (origin === null) {
    return checked.success
      ? { metadata: checked.data, cuts: [] }
      : { metadata: {}, cuts: ["metadata"] };
  }
  const { source, ...rest } = checked.success ? checked.data : {};
  const own = shortened(origin);
  const combined = source === undefined
    ? { ...rest, source: own }
    : isOrigin(source)
    ? { ...rest, source }
    : { ...rest, source, imported_from: own };
  const fits = checked.success && metadataField.safeParse(combined).success;
  return { metadata: fits ? combined : { source: own }, cuts: fits ? [] : ["metadata"] };
}

/** Returns an origin that fits into metadata. */
function shortened({ system, id }: Origin): Origin {
  return { system, id: id.length > 1_000 ? sha256(id) : id };
}

/** Checks whether metadata says that a record comes from an origin. */
export function comesFrom(metadata: Readonly<Record<string, unknown>>, origin: Origin): boolean {
  const own = canonicalJson(shortened(origin));
  return [metadata["source"], metadata["imported_from"]]
    .some((value) => canonicalJson(value ?? null) === own);
}

/** Checks whether an earlier import wrote this origin, so an export and import keeps it. */
function isOrigin(source: unknown): boolean {
  if (source === null || typeof source !== "object") return false;
  return Object.keys(source).sort().join() === "id,system";
}

/** Maximum length of the number of a part, in characters. */
const MAX_PART_CHARACTERS = 20;

function titleOf(title: unknown, sourceKey: string, parts: number): string {
  const text = typeof title === "string" && !isBlank(title) ? title : sourceKey;
  return truncate(
    storableText(text),
    LIMITS.titleCharacters - (parts === 1 ? 0 : MAX_PART_CHARACTERS),
  );
}

function partTitle(title: string, index: number, parts: number): string {
  return parts === 1 ? title : `${title} (${index + 1}/${parts})`;
}

/** Returns the key of a document, or of one of its parts. */
function sourceKeyOf(id: string, index: number): string {
  return index === 0 ? fittingKey(id, LIMITS.sourceKeyCharacters) : `${partPrefix(id)}${index + 1}`;
}

function partPrefix(id: string): string {
  return `${fittingKey(id, LIMITS.sourceKeyCharacters - MAX_PART_CHARACTERS)}#`;
}

/** Returns an id, or the beginning of one that is too long and its digest. */
function fittingKey(id: string, maxCharacters: number): string {
  return id.length <= maxCharacters ? id : `${truncate(id, 400)}#${sha256(id).slice(0, 32)}`;
}

function latest(time: string, other: string | null): string {
  return other === null || other < time ? time : other;
}

function withoutNulls<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  ) as Partial<T>;
}

function optional<T>(schema: z.ZodType<T>, value: unknown, field: string): T | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return parse(schema, value, field);
}

function parse<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const parsed = schema.safeParse(value, { error: zodErrorMap });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new RecordError(`${[field, ...issue.path].join(".")}: ${issue.message}`);
}
