/**
 * The states of a document version, and the transitions between them.
 *
 * A version has no status column. Its state follows from what is stored for it, and only the pin
 * distinguishes `staged` from `deleted`. `retired_versions` is the garbage collector's work list:
 * `indexed` is the number of chunks that are still in the text index, and `deleted` is 1 if the
 * content and chunks are to be deleted too.
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
 * (1) Unless it was superseded while it was being restored.
 *
 * A small version is written as the head in a single unit of work. A large one is staged
 * (staging.ts): its content and chunks are written in batches under a reserved number, then one
 * small unit of work makes it the head. It's on the work list from the start, so if it never
 * becomes the head, it's collected like a deleted version. Until then, it's protected by the pin.
 * The pin only exists in the writing process's memory and is lost when the process ends. It doesn't
 * protect against a project purge.
 *
 * The next version of the source supersedes the head. A superseded version leaves the index in
 * small steps and stays readable. A deleted version leaves it in the same steps, and then its
 * content and chunks are deleted. Its terms can remain in the index segments until the next
 * compaction.
 *
 * Three words have a fixed meaning. We *collect* versions: take them out of the index and
 * delete their rows (version_gc.ts, gc_steps.ts). We *compact* the index: merge it so that removed
 * terms disappear (index_compaction.ts). We *purge* projects: remove everything
 * (projects/purge.ts).
 */

import sql from "sql-template-tag";

/** States a version can be in. */
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
 * What advances a version: the service's `prepare`, `ingest`, `dispose` or `delete`, the garbage
 * collector, a project purge, an import, or a process restart.
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
 * Every event in a version's life, with the states it can happen in, the resulting state, and what
 * causes it. Null means nothing is stored.
 *
 * No statement checks the state itself. Instead, it's enforced by these conditions: `indexed`
 * equals the start of the batch (append) or the chunk count (publish), `version` is the primary key
 * of `retired_versions` (supersede), and an index allows only one head per source. A test drives
 * each transition and checks it against this table.
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
  /** The pin is removed, lost with the process, or doesn't count. Nothing is written. */
  abandon: { from: ["staged"], to: ["deleted"], by: ["dispose", "restart", "purge"] },
  /** Another version becomes the head. */
  supersede: { from: ["head", "restoring"], to: ["superseded"], by: ["ingest"] },
  /** The last chunk has left the index, and the version comes off the work list. */
  archive: { from: ["superseded"], to: ["archived", "restoring"], by: ["gc"] },
  /** The source is deleted, or its project is purged. */
  delete: {
    from: ["restoring", "head", "superseded", "archived"],
    to: ["deleted"],
    by: ["delete", "purge"],
  },
  /** Chunks leave the index: some in each step, or all at once if a restart rebuilds the index. */
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
  /** An import writes the content of an already superseded version. */
  completeSuperseded: { from: ["superseded"], to: "unchanged", by: ["import"] },
} as const satisfies Record<string, {
  readonly from: readonly (VersionState | null)[];
  readonly to: readonly (VersionState | null)[] | "unchanged";
  readonly by: readonly Advancer[];
}>;

export type Transition = keyof typeof TRANSITIONS;

/** Condition on `document_versions`: the version is its source's current one. */
export const IS_HEAD = sql`is_head = 1`;

/** Condition on `document_versions`: the content is stored. Imports write it after the row. */
export const HAS_CONTENT = sql`exists
  (select 1 from document_contents where version = document_versions.seq)`;
