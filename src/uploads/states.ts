/**
 * The states that an uploaded file passes through.
 *
 * An upload is created as `awaiting_upload`: a description without bytes. Once exactly the bytes
 * described are on disk it is `uploaded`, and `complete` makes it `queued`. A worker that claims
 * its operation makes it `processing`; the attempt ends in `ready`, with the document written in
 * the same unit of work, or in `failed`, from where the next attempt or a person's retry takes it
 * up again. One that is told to stop gives it back as `queued`. An upload that is deleted is
 * `cancelled` until its files are off the disk, and then gone, as are those that got old.
 */

import { raw, type Sql } from "sql-template-tag";

/** Every status of an upload. */
export const ASSET_STATUSES = [
  "awaiting_upload",
  "uploaded",
  "queued",
  "processing",
  "ready",
  "failed",
  "cancelled",
] as const;

export type AssetStatus = typeof ASSET_STATUSES[number];

/** What can happen to an upload, from which states, and where that leads. Null: it is gone. */
export const TRANSITIONS = {
  /** Exactly the bytes described have arrived. */
  store: { from: ["awaiting_upload"], to: "uploaded" },
  /** The client says that it is done. */
  submit: { from: ["uploaded"], to: "queued" },
  /** A worker has claimed the operation. */
  claim: { from: ["queued", "failed"], to: "processing" },
  /** The document is written. */
  finish: { from: ["processing"], to: "ready" },
  /** The attempt has failed, or its worker is gone. */
  fail: { from: ["processing"], to: "failed" },
  /** The worker was told to stop. */
  release: { from: ["processing"], to: "queued" },
  /** A person wants it tried again. */
  redrive: { from: ["failed"], to: "queued" },
  /** The client deletes it. */
  cancel: { from: ["awaiting_upload", "uploaded", "queued", "failed"], to: "cancelled" },
  /** Its files are about to be removed. */
  clean: { from: ["cancelled"], to: null },
  /** It has waited for its bytes, or for `complete`, for too long; or failed too long ago. */
  expire: { from: ["awaiting_upload", "uploaded", "failed"], to: null },
  /** Its document is deleted. */
  follow: { from: ["ready"], to: null },
} as const satisfies Record<
  string,
  { readonly from: readonly AssetStatus[]; readonly to: AssetStatus | null }
>;

export type AssetTransition = keyof typeof TRANSITIONS;

/** Transitions after which the upload is gone. */
export type TerminalTransition = "clean" | "expire" | "follow";

/** Transitions that lead to another state. */
export type StatusTransition = Exclude<AssetTransition, TerminalTransition>;

/** The condition under which a transition may happen, as SQL; written out for partial indexes. */
export function allowed(transition: AssetTransition): Sql {
  const from: readonly AssetStatus[] = TRANSITIONS[transition].from;
  return raw(`status in (${from.map((each) => `'${each}'`).join(", ")})`);
}
