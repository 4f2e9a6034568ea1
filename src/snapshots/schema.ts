/** Snapshot schemas: a project's records as a single JSON text that any deployment can import. */

import { z } from "zod";
import { storedTimestamp } from "../contract/fields.ts";

/** The value of `format` in every snapshot. */
export const SNAPSHOT_FORMAT = "service.namespace-snapshot";
/** The format version. Snapshots with any other version are rejected. */
export const SNAPSHOT_VERSION = 1;

/** A snapshot without its records. This is the result of an export operation. */
export const outlineSchema = z.object({
  format: z.literal(SNAPSHOT_FORMAT),
  version: z.literal(SNAPSHOT_VERSION),
  exported_at: storedTimestamp,
  source: z.object({ project_id: z.string(), schema_version: z.int() }),
  journal: z.object({ position: z.int() }),
  projections: z.object({
    vector: z.literal("rebuild"),
    state: z.literal("rebuild"),
    chunks: z.literal("rebuild"),
  }),
  counts: z.record(z.string(), z.int()),
  /** SHA-256 of the canonical JSON (RFC 8785) of `records`, in hex. */
  checksum: z.string(),
});

export type SnapshotOutline = z.output<typeof outlineSchema>;

/** A snapshot in the API. */
const snapshotSchema = outlineSchema.extend({
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
}).meta({ id: "Snapshot" });

/**
 * The body of an import request. It is only used in the OpenAPI document, because the body itself
 * is read as a stream.
 */
export const importBody = z.object({ snapshot: snapshotSchema });
