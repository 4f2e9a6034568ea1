/**
 * What an archivist knows about its documents, uploads and exports. Built from entries, like
 * `ledger.ts`.
 */

import { markdownSections } from "../documents/documents.ts";
import { findMissing } from "./upload_files.ts";
import { Violation } from "./violation.ts";

/** A document version. Its text is generated from these fields. */
export interface Version {
  readonly number: number;
  /** How many sections the version has. Beyond about sixty, it's staged in several batches. */
  readonly parts: number;
}

/** Upload stages, in order. */
export const UPLOAD_STAGES = ["none", "announced", "sent", "completed", "ready"] as const;

export type ArchiveEntry =
  /** A source is about to get a new version, or to be removed if null. */
  | { readonly source: string; readonly becomes: Version | null }
  | { readonly became: string }
  /** An upload is about to enter a stage. */
  | { readonly upload: string; readonly takes: number }
  | { readonly took: string }
  /** The announced change was rejected and had no effect. */
  | { readonly refused: true }
  /** An operation was accepted. */
  | { readonly accepted: string };

/** State of the archive as found while no client was working. */
export interface FoundArchive {
  /** Content of the head versions, keyed by source. */
  readonly heads: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, { readonly id: string; readonly status: string }>;
  readonly operations: ReadonlyMap<string, string>;
  readonly drained: boolean;
}

/** The stage for each upload status. */
const STAGE_BY_STATUS: Readonly<Record<string, number>> = {
  awaiting_upload: 1,
  uploaded: 2,
  queued: 3,
  processing: 3,
  // The server ended mid-attempt, and the next attempt is due.
  failed: 3,
  ready: 4,
};

export class Archive {
  readonly name: string;
  readonly #versions = new Map<string, Version | null>();
  readonly #uploads = new Map<string, number>();
  readonly #operations = new Set<string>();
  #pendingVersion: { readonly source: string; readonly becomes: Version | null } | null = null;
  #pendingStep: { readonly upload: string; readonly takes: number } | null = null;

  constructor(name: string) {
    this.name = name;
  }

  get versions(): ReadonlyMap<string, Version | null> {
    return this.#versions;
  }

  get uploads(): ReadonlyMap<string, number> {
    return this.#uploads;
  }

  record(entry: ArchiveEntry): void {
    if ("becomes" in entry) this.#pendingVersion = entry;
    else if ("became" in entry) {
      this.#versions.set(entry.became, this.#pendingVersion!.becomes);
      this.#pendingVersion = null;
    } else if ("takes" in entry) this.#pendingStep = entry;
    else if ("took" in entry) {
      this.#uploads.set(entry.took, this.#pendingStep!.takes);
      this.#pendingStep = null;
    } else if ("refused" in entry) [this.#pendingVersion, this.#pendingStep] = [null, null];
    else this.#operations.add(entry.accepted);
  }

  copy(): Archive {
    const copy = new Archive(this.name);
    for (const [source, version] of this.#versions) copy.#versions.set(source, version);
    for (const [upload, stage] of this.#uploads) copy.#uploads.set(upload, stage);
    for (const id of this.#operations) copy.#operations.add(id);
    [copy.#pendingVersion, copy.#pendingStep] = [this.#pendingVersion, this.#pendingStep];
    return copy;
  }

  /**
   * Compares the archive with the state found, and continues from there.
   *
   * @throws Violation if the two differ
   */
  verify(found: FoundArchive): void {
    for (const id of this.#operations) {
      const status = found.operations.get(id);
      const allowed = found.drained ? ["success"] : ["pending", "retry", "processing", "success"];
      if (!allowed.includes(status ?? "")) throw new Violation(`export ${id} is ${status}`);
    }
    this.#verifyVersions(found.heads);
    this.#verifyUploads(found);
  }

  #verifyVersions(heads: FoundArchive["heads"]): void {
    const matches = (source: string, version: Version | null) =>
      (heads.get(source) ?? null) === (version === null ? null : documentText(source, version));
    if (this.#pendingVersion !== null) {
      const { source, becomes } = this.#pendingVersion;
      this.#pendingVersion = null;
      const known = this.#versions.get(source) ?? null;
      this.#versions.set(source, matches(source, becomes) ? becomes : known);
    }
    for (const [source, version] of this.#versions) {
      if (matches(source, version)) continue;
      const text = heads.get(source)?.slice(0, 60) ?? null;
      throw new Violation(`expected ${source} to be ${JSON.stringify(version)}, found ${text}`);
    }
    const unknown = [...heads.keys()].find((source) =>
      source.startsWith(`${this.name}s`) && !this.#versions.has(source)
    );
    if (unknown !== undefined) throw new Violation(`${unknown} was never sent`);
  }

  #verifyUploads({ heads, uploads, drained }: FoundArchive): void {
    const step = this.#pendingStep;
    this.#pendingStep = null;
    const names = new Set([...this.#uploads.keys(), ...(step === null ? [] : [step.upload])]);
    for (const name of names) {
      const min = this.#uploads.get(name) ?? 0;
      const max = step?.upload === name ? step.takes : min;
      const status = uploads.get(name)?.status;
      const stage = status === undefined ? 0 : STAGE_BY_STATUS[status] ?? -1;
      const isExpected = stage >= min && (stage <= max || max >= 3);
      if (!isExpected || (drained && stage === 3)) {
        throw new Violation(`upload ${name} is ${status} after ${UPLOAD_STAGES[min]}`);
      }
      const missing = stage === 4 ? findMissing(heads.get(name), name) : undefined;
      if (missing !== undefined) {
        const text = heads.get(name)?.slice(0, 200);
        throw new Violation(
          `upload ${name} is ready without "${missing}"; its document is ${text}`,
        );
      }
      this.#uploads.set(name, stage);
    }
  }
}

/** Returns a version's text. No other version has the same one. */
export function documentText(source: string, { number, parts }: Version): string {
  return `# ${source} version ${number}\n\n${markdownSections(parts)}`;
}
