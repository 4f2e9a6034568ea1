/** What the archivist has been told of its documents, uploads and exports, by notes as `ledger.ts`. */

import { markdownSections } from "../documents/documents.ts";
import { findMissing } from "./upload_files.ts";
import { Violation } from "./violation.ts";

/** A version of a document: its text follows from it. */
export interface Version {
  readonly number: number;
  /** Sections; past some sixty, it is written ahead in slices. */
  readonly parts: number;
}

/** How far an upload has come, in the order of its steps. */
export const UPLOAD_STAGES = ["none", "announced", "sent", "completed", "ready"] as const;

export type ArchiveEntry =
  /** A source is about to become a version, or, for null, to be removed. */
  | { readonly source: string; readonly becomes: Version | null }
  | { readonly became: string }
  /** An upload is about to take a step. */
  | { readonly upload: string; readonly takes: number }
  | { readonly took: string }
  /** What was about to be done was refused, and nothing was changed. */
  | { readonly refused: true }
  /** An operation that was promised. */
  | { readonly accepted: string };

/** What was found of the archive when nobody was at work. */
export interface FoundArchive {
  /** Content of heads by source. */
  readonly heads: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, { readonly id: string; readonly status: string }>;
  readonly operations: ReadonlyMap<string, string>;
  readonly drained: boolean;
}

/** Which stages the states of an upload stand for. */
const STAGE_BY_STATUS: Readonly<Record<string, number>> = {
  awaiting_upload: 1,
  uploaded: 2,
  queued: 3,
  processing: 3,
  // An attempt ended with its server; the next one is due.
  failed: 3,
  ready: 4,
};

export class Archive {
  readonly name: string;
  readonly #versions = new Map<string, Version | null>();
  readonly #uploads = new Map<string, number>();
  readonly #operations = new Set<string>();
  #doubt: { readonly source: string; readonly becomes: Version | null } | null = null;
  #step: { readonly upload: string; readonly takes: number } | null = null;

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
    if ("becomes" in entry) this.#doubt = entry;
    else if ("became" in entry) {
      this.#versions.set(entry.became, this.#doubt!.becomes);
      this.#doubt = null;
    } else if ("takes" in entry) this.#step = entry;
    else if ("took" in entry) {
      this.#uploads.set(entry.took, this.#step!.takes);
      this.#step = null;
    } else if ("refused" in entry) [this.#doubt, this.#step] = [null, null];
    else this.#operations.add(entry.accepted);
  }

  copy(): Archive {
    const copy = new Archive(this.name);
    for (const [source, version] of this.#versions) copy.#versions.set(source, version);
    for (const [upload, stage] of this.#uploads) copy.#uploads.set(upload, stage);
    for (const id of this.#operations) copy.#operations.add(id);
    [copy.#doubt, copy.#step] = [this.#doubt, this.#step];
    return copy;
  }

  /** Compares with what was found, and goes on from there. @throws Violation */
  verify(found: FoundArchive): void {
    for (const id of this.#operations) {
      const status = found.operations.get(id);
      const fine = found.drained ? ["success"] : ["pending", "retry", "processing", "success"];
      if (!fine.includes(status ?? "")) throw new Violation(`export ${id} is ${status}`);
    }
    this.#settleVersions(found.heads);
    this.#settleUploads(found);
  }

  #settleVersions(heads: FoundArchive["heads"]): void {
    const is = (source: string, version: Version | null) =>
      (heads.get(source) ?? null) === (version === null ? null : documentText(source, version));
    if (this.#doubt !== null) {
      const { source, becomes } = this.#doubt;
      this.#doubt = null;
      const known = this.#versions.get(source) ?? null;
      this.#versions.set(source, is(source, becomes) ? becomes : known);
    }
    for (const [source, version] of this.#versions) {
      if (is(source, version)) continue;
      const text = heads.get(source)?.slice(0, 60) ?? null;
      throw new Violation(`${source} should be ${JSON.stringify(version)}, and is ${text}`);
    }
    const unknown = [...heads.keys()].find((source) =>
      source.startsWith(`${this.name}s`) && !this.#versions.has(source)
    );
    if (unknown !== undefined) throw new Violation(`${unknown} was never sent`);
  }

  #settleUploads({ heads, uploads, drained }: FoundArchive): void {
    const step = this.#step;
    this.#step = null;
    const names = new Set([...this.#uploads.keys(), ...(step === null ? [] : [step.upload])]);
    for (const name of names) {
      const least = this.#uploads.get(name) ?? 0;
      const most = step?.upload === name ? step.takes : least;
      const status = uploads.get(name)?.status;
      const stage = status === undefined ? 0 : STAGE_BY_STATUS[status] ?? -1;
      const fine = stage >= least && (stage <= most || most >= 3);
      if (!fine || (drained && stage === 3)) {
        throw new Violation(`upload ${name} is ${status}, and was ${UPLOAD_STAGES[least]}`);
      }
      const missing = stage === 4 ? findMissing(heads.get(name), name) : undefined;
      if (missing !== undefined) {
        const is = heads.get(name)?.slice(0, 200);
        throw new Violation(`upload ${name} is ready without "${missing}"; its document is ${is}`);
      }
      this.#uploads.set(name, stage);
    }
  }
}

/** The text of a version: unlike that of any other. */
export function documentText(source: string, { number, parts }: Version): string {
  return `# ${source} version ${number}\n\n${markdownSections(parts)}`;
}
