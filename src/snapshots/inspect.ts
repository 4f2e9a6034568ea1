/** Validates a client's snapshot. Until then, nothing in it is trusted. */

import { createHash } from "node:crypto";
import type { RecordKind, SnapshotSection } from "../contract/snapshot.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { ApiError, invalidField, invalidRequest, type Issue } from "../kernel/errors.ts";
import { canonicalJson } from "../kernel/hash.ts";
import { JsonReader, JsonSyntaxError, Utf8Error } from "../kernel/bytes/json_reader.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import { outlineSchema } from "./schema.ts";

/** Maximum number of issues to report, since a broken snapshot can have one in every record. */
const MAX_REPORTED_ISSUES = 20;

/** Number of records to process before yielding to the event loop. */
const RECORDS_PER_TURN = 100;

/** Opens a snapshot's bytes at an offset. */
export type OpenBytes = (start: number) => AsyncIterable<Uint8Array>;

/** A snapshot with only valid records. */
export interface InspectedSnapshot {
  /** Digest that identifies the request. Equal JSON has an equal digest. */
  readonly digest: string;
  /** Section locations, by name. */
  readonly sections: ReadonlyMap<string, SectionLocation>;
  /** All ids defined or mentioned in the snapshot. */
  readonly ids: ReadonlyMap<RecordKind, ReadonlySet<string>>;
  readonly sourceProjectId: string;
}

/** The location of a section's records. */
export interface SectionLocation {
  /** Offset of the record list, in bytes. */
  readonly offset: number;
  readonly count: number;
}

/**
 * Validates a snapshot.
 *
 * @param wrapped whether the snapshot must be in the `snapshot` member, as in a request
 * @throws {ApiError} INVALID_REQUEST if the input isn't JSON or contains no snapshot
 * @throws {ApiError} INVALID_UTF8 if the input isn't valid UTF-8
 * @throws {ApiError} INVALID_SNAPSHOT if the snapshot is invalid, with the first 20 issues
 */
export async function inspectSnapshot(
  open: OpenBytes,
  sections: readonly SnapshotSection[],
  wrapped: boolean,
): Promise<InspectedSnapshot> {
  try {
    const outlineReader = new JsonReader(open(0));
    const { outline, locations } = await readOutline(outlineReader, wrapped).finally(() =>
      outlineReader.close()
    );
    const issues = new Issues();
    checkOutline(outline, locations, sections, issues);
    issues.throwIfAny();
    const inspection = new Inspection(issues);
    const hash = createHash("sha256");
    for (const [index, section] of sections.entries()) {
      hash.update(`${index === 0 ? "{" : ","}${JSON.stringify(section.name)}:[`);
      const offset = locations.get(section.name)!.offset;
      const reader = new JsonReader(open(offset), offset);
      await inspection.inspectSection(section, reader, hash).finally(() => reader.close());
      hash.update("]");
    }
    const checksum = hash.update("}").digest("hex");
    inspection.finish();
    if (outline["checksum"] !== checksum) {
      issues.add("checksum", "Does not match the records; the snapshot was changed");
    }
    issues.throwIfAny();
    return {
      digest: createHash("sha256").update(canonicalJson({ ...outline, checksum })).digest("hex"),
      sections: locations,
      ids: inspection.known,
      sourceProjectId: (outline["source"] as { project_id: string }).project_id,
    };
  } catch (error) {
    throw toApiError(error);
  }
}

/** Collects a snapshot's first issues. */
class Issues {
  readonly #issues: Issue[] = [];

  add(path: string, message: string): void {
    if (this.#issues.length < MAX_REPORTED_ISSUES) this.#issues.push({ path, message });
  }

  throwIfAny(): void {
    if (this.#issues.length > 0) throw invalidRequest(this.#issues, "INVALID_SNAPSHOT");
  }
}

type Outline = Record<string, unknown>;

interface ParsedOutline {
  readonly outline: Outline;
  readonly locations: ReadonlyMap<string, SectionLocation>;
}

/** Reads everything but the records in a single pass. For these, it only stores their location. */
async function readOutline(reader: JsonReader, wrapped: boolean): Promise<ParsedOutline> {
  if (await reader.kind() !== "object") throw invalidField("", "A snapshot must be a JSON object");
  let nested: ParsedOutline | null = null;
  const bare: ParsedOutline = { outline: {}, locations: new Map() };
  for await (const key of reader.keys()) {
    if (key === "snapshot") {
      if (await reader.kind() !== "object") {
        throw invalidField("snapshot", "Must be a JSON object");
      }
      nested = { outline: {}, locations: new Map() };
      for await (const member of reader.keys()) await readMember(reader, member, nested);
    } else if (wrapped) await reader.skip();
    else await readMember(reader, key, bare);
  }
  await reader.expectEnd();
  if (nested === null && wrapped) throw invalidField("snapshot", "Required");
  return nested ?? bare;
}

async function readMember(reader: JsonReader, key: string, target: ParsedOutline): Promise<void> {
  if (key !== "records" || await reader.kind() !== "object") {
    target.outline[key] = await reader.value();
    return;
  }
  const locations = target.locations as Map<string, SectionLocation>;
  for await (const name of reader.keys()) {
    if (await reader.kind() !== "array") {
      throw invalidRequest(
        [{ path: `records.${name}`, message: "Must be a list" }],
        "INVALID_SNAPSHOT",
      );
    }
    const { offset } = reader;
    locations.set(name, { offset, count: await reader.skipElements() });
  }
}

function checkOutline(
  outline: Outline,
  locations: ReadonlyMap<string, SectionLocation>,
  sections: readonly SnapshotSection[],
  issues: Issues,
): void {
  const parsed = outlineSchema.safeParse(outline, { error: zodErrorMap });
  for (const issue of parsed.error?.issues ?? []) issues.add(issue.path.join("."), issue.message);
  const known = new Set(sections.map((section) => section.name));
  for (const name of known) {
    if (!locations.has(name)) issues.add(`records.${name}`, "Must be a list");
  }
  for (const name of locations.keys()) {
    if (!known.has(name)) {
      issues.add(`records.${name}`, "Unknown section in this version of the format");
    }
  }
  if (!parsed.success) return;
  for (const [name, { count }] of locations) {
    if ((parsed.data.counts[name] ?? 0) === count) continue;
    issues.add(`counts.${name}`, `Must be ${count}, the number of records in the section`);
  }
}

interface PendingReference {
  readonly kind: RecordKind;
  readonly path: string;
}

/** Validates records one by one, collecting ids, references and totals. */
class Inspection {
  readonly known = new Map<RecordKind, Set<string>>();
  readonly #defined = new Map<RecordKind, Set<string>>();
  readonly #unique = new Map<string, Set<string>>();
  readonly #countedTotals = new Map<string, number>();
  readonly #declaredTotals: { total: string; count: number; path: string }[] = [];
  readonly #tombstones = new Map<RecordKind, Set<string>>();
  readonly #references = new Map<RecordKind, Map<string, PendingReference>>();
  readonly #issues: Issues;

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  async inspectSection(
    section: SnapshotSection,
    reader: JsonReader,
    hash: { update(text: string): unknown },
  ): Promise<void> {
    let index = 0;
    for await (const value of reader.elements()) {
      hash.update((index === 0 ? "" : ",") + canonicalJson(value));
      this.#record(section, value, `records.${section.name}.${index}`);
      if (++index % RECORDS_PER_TURN === 0) {
        await yieldToEventLoop();
      }
    }
  }

  #record(section: SnapshotSection, value: unknown, path: string): void {
    const parsed = section.schema.safeParse(value, { error: zodErrorMap });
    if (!parsed.success) {
      for (const issue of parsed.error.issues) {
        this.#issues.add([path, ...issue.path].join("."), issue.message);
      }
      return;
    }
    for (const [field, text] of Object.entries(section.uniqueValues?.(parsed.data) ?? {})) {
      if (addId(this.#unique, `${section.name}.${field}`, text)) continue;
      this.#issues.add(`${path}.${field}`, `Must be unique; "${text}" appears more than once`);
    }
    for (const total of section.countsToward?.(parsed.data) ?? []) {
      this.#countedTotals.set(total, (this.#countedTotals.get(total) ?? 0) + 1);
    }
    const declared = section.declaredTotal?.(parsed.data);
    if (declared !== undefined) {
      this.#declaredTotals.push({ ...declared, path: `${path}.${declared.field}` });
    }
    for (const { kind, id, field = "id" } of section.defines?.(parsed.data) ?? []) {
      if (!addId(this.#defined, kind, id)) {
        this.#issues.add(`${path}.${field}`, `Must be unique; "${id}" appears more than once`);
      }
      addId(this.known, kind, id);
    }
    const tombstone = section.tombstoneOf?.(parsed.data) ?? null;
    if (tombstone !== null) addId(this.#tombstones, tombstone.kind, tombstone.id);
    for (const { field, kind, id } of section.refersTo?.(parsed.data) ?? []) {
      const references = this.#references.get(kind) ?? new Map<string, PendingReference>();
      if (!references.has(id)) references.set(id, { kind, path: `${path}.${field}` });
      this.#references.set(kind, references);
      if (kind === "memory") addId(this.known, kind, id);
    }
  }

  /**
   * Checks references and totals after the last record. Every referenced record must be in the
   * snapshot or have a tombstone there, and every declared total must match the records.
   */
  finish(): void {
    for (const { total, count, path } of this.#declaredTotals) {
      const counted = this.#countedTotals.get(total) ?? 0;
      if (counted !== count) {
        this.#issues.add(path, `Must be ${counted}, the number of its records in the snapshot`);
      }
    }
    for (const [kind, references] of this.#references) {
      for (const [id, { path }] of references) {
        if (this.#defined.get(kind)?.has(id) || this.#tombstones.get(kind)?.has(id)) continue;
        this.#issues.add(path, `Refers to ${kind} "${id}", which is not in the snapshot`);
      }
    }
  }
}

/** Adds an id. Returns false if already present. */
function addId<Kind>(ids: Map<Kind, Set<string>>, kind: Kind, id: string): boolean {
  const known = ids.get(kind) ?? new Set();
  ids.set(kind, known);
  return known.size !== known.add(id).size;
}

function toApiError(error: unknown): unknown {
  if (error instanceof JsonSyntaxError) {
    return invalidField("", `The request body is not JSON: ${error.message}`);
  }
  if (error instanceof Utf8Error) {
    return new ApiError("INVALID_UTF8", "The request body is not valid UTF-8", { cause: error });
  }
  return error;
}
