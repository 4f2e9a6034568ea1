/**
 * States of a document version, and the transitions between them.
 *
 * A version has no status column. Its state follows from what is stored of it, and `staged` and
 * `deleted` differ only by the pin. `retired_versions` is the work list of the garbage collector:
 * `indexed` says how many chunks are still in the text index, and `deleted` is 1 if content and
 * chunks are deleted too.
 *
 * | state        | `is_head` | content      | `retired_versions`        | indexed chunks |
 * | ------------ | --------- | ------------ | ------------------------- | -------------- |
 * | `restoring`  | 0 or 1    | no           | no row                    | none           |
 * | `staged`     | no row    | yes          | `deleted = 1`, pinned     | the first n    |
 * | `head`       | 1         | yes          | no row                    | all            |
 * | `superseded` | 0         | yes (1)      | `deleted = 0`             | the first n    |
 * | `archived`   | 0         | yes          | no row                    | none           |
 * | `deleted`    | no row    | until erased | `deleted = 1`, not pinned | the first n    |
 *
 * (1) Not if it was superseded while it was being restored.
 *
 * A small version is written as the head in one unit of work. A large one is staged (staging.ts):
 * its content and chunks are written in batches under a reserved number, and one small unit of work
 * makes it the head. It is on the work list from its first unit on, so if it never becomes the
 * head, it is collected like a deleted version. Until then the pin protects it. The pin is in the
 * memory of the process that writes the version, and is lost with the process. It does not protect
 * against a purge of the project.
 *
 * The next version of the source supersedes the head. A superseded version leaves the index in
 * small steps and stays readable. A deleted version leaves it in the same steps; then its content
 * and chunks are deleted. Its terms can remain in the segments of the index until the next
 * compaction.
 *
 * Three words have one meaning each. *Collect* is about versions: take them out of the index and
 * delete their rows (version_gc.ts, gc_steps.ts). *Compact* is about the index: merge it so that
 * removed terms disappear (index_compaction.ts). *Purge* is about projects: remove everything
 * (projects/purge.ts).
 */

import sql from "sql-template-tag";

/** States that a version can be in. */
export const VERSION_STATES = [
  "restoring",
  "staged",
  "head",
  "superseded",
  "archived",
  "deleted",
] as const;

export type VersionState = typeof VERSION_STATES[number];

/**
 * What advances a version: `prepare`, `ingest`, `dispose` or `delete` of the service, the garbage
 * collector, the purge of the project, an import, or a restart of the process.
 */
export type Advancer =
  | "prepare"
  | "ingest"
  | "dispose"
  | "delete"
  | "gc"
  | "purge"
  | "import"
  | "restart";

/**
 * What can happen to a version, from which states, where that leads, and what does it. Nothing else
 * can happen. Null means that nothing is stored.
 *
 * No statement checks the state as such. These conditions ensure it: `indexed` is the start of the
 * batch (append) or the number of chunks (publish), `version` is the primary key of
 * `retired_versions` (supersede), and an index allows one head per source. A test drives each
 * transition and checks it against this table.
 */
export const TRANSITIONS = {
  /** Its content is written under a reserved number. */
  stage: { from: [null], to: ["staged"], by: ["prepare"] },
  /** A batch of its chunks is written and indexed. */
  append: { from: ["staged"], to: "unchanged", by: ["prepare"] },
  /** The staged version becomes the head. */
  publish: { from: ["staged"], to: ["head"], by: ["ingest"] },
  /** A small version is written as the head. */
  write: { from: [null], to: ["head"], by: ["ingest"] },
  /** The pin is removed, is lost with the process, or does not count. Nothing is written. */
  abandon: { from: ["staged"], to: ["deleted"], by: ["dispose", "restart", "purge"] },
  /** Another version becomes the head. */
  supersede: { from: ["head", "restoring"], to: ["superseded"], by: ["ingest"] },
  /** The last chunk has left the index. The version is on the work list no more. */
  archive: { from: ["superseded"], to: ["archived", "restoring"], by: ["gc"] },
  /** The source is deleted, or its project is purged. */
  delete: {
    from: ["restoring", "head", "superseded", "archived"],
    to: ["deleted"],
    by: ["delete", "purge"],
  },
  /** Chunks leave the index: some in a step, all if a restart rebuilds the index. */
  unindex: {
    from: ["superseded", "deleted"],
    to: "unchanged",
    by: ["gc", "purge", "restart"],
  },
  /** The last of its rows is deleted. */
  erase: { from: ["deleted"], to: [null], by: ["gc", "purge"] },
  /** An import writes its row. The content follows later. */
  restore: { from: [null], to: ["restoring"], by: ["import"] },
  /** An import writes its content. */
  complete: { from: ["restoring"], to: ["head", "archived"], by: ["import"] },
  /** An import writes the content of a version that was superseded before. */
  completeSuperseded: { from: ["superseded"], to: "unchanged", by: ["import"] },
} as const satisfies Record<string, {
  readonly from: readonly (VersionState | null)[];
  readonly to: readonly (VersionState | null)[] | "unchanged";
  readonly by: readonly Advancer[];
}>;

export type Transition = keyof typeof TRANSITIONS;

/** Condition on `document_versions`: the version is the current one of its source. */
export const IS_HEAD = sql`is_head = 1`;

/** Condition on `document_versions`: the content is stored. An import writes it after the row. */
export const HAS_CONTENT = sql`exists
  (select 1 from document_contents where version = document_versions.seq)`;

/** Condition on `retired_versions`: only the index entries are removed, the version stays. */
export const IS_SUPERSEDED = sql`deleted = 0`;

/** Condition on `retired_versions`: the version is staged if it is pinned, and deleted if not. */
export const IS_STAGED_OR_DELETED = sql`deleted = 1`;
