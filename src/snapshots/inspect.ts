/** Reading a snapshot that somebody brings: nothing in it is believed before it was looked at. */

import { createHash } from "node:crypto";
import type { RecordKind, SnapshotSection } from "../contract/snapshot.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { ApiError, invalidField, invalidRequest, type Issue } from "../kernel/errors.ts";
import { canonicalJson } from "../kernel/hash.ts";
import { JsonReader, JsonSyntaxError, Utf8Error } from "../kernel/json_reader.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import { outlineSchema } from "./schema.ts";

/** Issues that are told; a snapshot that is all wrong has one in every record. */
const MAX_REPORTED_ISSUES = 20;

/** Records between two turns of the event loop. */
const RECORDS_PER_TURN = 100;

/** Opens the bytes of a snapshot from an offset on. */
export type OpenBytes = (start: number) => AsyncIterable<Uint8Array>;

/** A snapshot whose every record has been looked at. */
export interface InspectedSnapshot {
  /** The digest that stands for the request: equal for equal JSON. */
  readonly digest: string;
  /** Where the records of each section begin, and how many there are. */
  readonly sections: ReadonlyMap<string, SectionLocation>;
  /** Every id that the snapshot brings along or tells of. */
  readonly ids: ReadonlyMap<RecordKind, ReadonlySet<string>>;
  readonly sourceProjectId: string;
}

/** Where the records of a section stand. */
export interface SectionLocation {
  /** The byte at which their list begins. */
  readonly offset: number;
  readonly count: number;
}

/**
 * Looks a snapshot over.
 *
 * @param wrapped whether it must stand under `snapshot`, as in a request
 * @throws ApiError INVALID_REQUEST for what is no JSON or has no snapshot, INVALID_UTF8, or
 * INVALID_SNAPSHOT with the first 20 issues
 */
export async function inspectSnapshot(
  open: OpenBytes,
  sections: readonly SnapshotSection[],
  wrapped: boolean,
): Promise<InspectedSnapshot> {
  try {
    const whole = new JsonReader(open(0));
    const { outline, locations } = await readOutline(whole, wrapped).finally(() => whole.close());
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
      issues.add("checksum", "Is not that of the records: the snapshot was changed");
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

/** The first issues of a snapshot. */
class Issues {
  readonly #found: Issue[] = [];

  add(path: string, message: string): void {
    if (this.#found.length < MAX_REPORTED_ISSUES) this.#found.push({ path, message });
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw invalidRequest(this.#found, "INVALID_SNAPSHOT");
  }
}

type Outline = Record<string, unknown>;

interface ParsedOutline {
  readonly outline: Outline;
  readonly locations: ReadonlyMap<string, SectionLocation>;
}

/** One pass over the bytes for everything but the records, of which only the places are noted. */
async function readOutline(reader: JsonReader, wrapped: boolean): Promise<ParsedOutline> {
  if (await reader.kind() !== "object") throw invalidField("", "A snapshot must be a JSON object");
  let found: ParsedOutline | null = null;
  const bare: ParsedOutline = { outline: {}, locations: new Map() };
  for await (const key of reader.keys()) {
    if (key === "snapshot") {
      if (await reader.kind() !== "object") {
        throw invalidField("snapshot", "Must be a JSON object");
      }
      found = { outline: {}, locations: new Map() };
      for await (const member of reader.keys()) await readMember(reader, member, found);
    } else if (wrapped) await reader.skip();
    else await readMember(reader, key, bare);
  }
  await reader.expectEnd();
  if (found === null && wrapped) throw invalidField("snapshot", "Must be given");
  return found ?? bare;
}

async function readMember(reader: JsonReader, key: string, into: ParsedOutline): Promise<void> {
  if (key !== "records" || await reader.kind() !== "object") {
    into.outline[key] = await reader.value();
    return;
  }
  const locations = into.locations as Map<string, SectionLocation>;
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
    if (!known.has(name)) issues.add(`records.${name}`, "Is no kind of record of this version");
  }
  if (!parsed.success) return;
  for (const [name, { count }] of locations) {
    if ((parsed.data.counts[name] ?? 0) === count) continue;
    issues.add(`counts.${name}`, `Is ${parsed.data.counts[name]}, and there are ${count} records`);
  }
}

interface PendingReference {
  readonly kind: RecordKind;
  readonly path: string;
}

/** What the records say of each other, gathered while they pass by. */
class Inspection {
  readonly known = new Map<RecordKind, Set<string>>();
  readonly #defined = new Map<RecordKind, Set<string>>();
  readonly #unique = new Map<string, Set<string>>();
  readonly #countedTotals = new Map<string, number>();
  readonly #statedTotals: { total: string; count: number; path: string }[] = [];
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
      this.#issues.add(`${path}.${field}`, `Stands there twice: "${text}"`);
    }
    for (const total of section.countsToward?.(parsed.data) ?? []) {
      this.#countedTotals.set(total, (this.#countedTotals.get(total) ?? 0) + 1);
    }
    const stated = section.declaredTotal?.(parsed.data);
    if (stated !== undefined) {
      this.#statedTotals.push({ ...stated, path: `${path}.${stated.field}` });
    }
    for (const { kind, id, field = "id" } of section.defines?.(parsed.data) ?? []) {
      if (!addId(this.#defined, kind, id)) {
        this.#issues.add(`${path}.${field}`, `Stands there twice: "${id}"`);
      }
      addId(this.known, kind, id);
    }
    const buried = section.tombstoneOf?.(parsed.data) ?? null;
    if (buried !== null) addId(this.#tombstones, buried.kind, buried.id);
    for (const { field, kind, id } of section.refersTo?.(parsed.data) ?? []) {
      const wanted = this.#references.get(kind) ?? new Map<string, PendingReference>();
      if (!wanted.has(id)) wanted.set(id, { kind, path: `${path}.${field}` });
      this.#references.set(kind, wanted);
      if (kind === "memory") addId(this.known, kind, id);
    }
  }

  /** Whatever is named must be there, or must have been; totals must be what the records add up to. */
  finish(): void {
    for (const { total, count, path } of this.#statedTotals) {
      const added = this.#countedTotals.get(total) ?? 0;
      if (added !== count) this.#issues.add(path, `Is ${count}, and there are ${added}`);
    }
    for (const [kind, wanted] of this.#references) {
      for (const [id, { path }] of wanted) {
        if (this.#defined.get(kind)?.has(id) || this.#tombstones.get(kind)?.has(id)) continue;
        this.#issues.add(path, `Names a ${kind} that is not in the snapshot: "${id}"`);
      }
    }
  }
}

/** False when the id was noted before. */
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
