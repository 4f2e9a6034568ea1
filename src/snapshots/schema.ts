/**
 * Snapshot schemas. A snapshot is a project's records as a single JSON text that any deployment can
 * import.
 */

import { z } from "zod";
import { storedTimestamp } from "../contract/stored_fields.ts";

/** The value of `format` in every snapshot. */
export const SNAPSHOT_FORMAT = "service.namespace-snapshot";
/** Format version. Snapshots with any other version are rejected. */
export const SNAPSHOT_VERSION = 1;

/** A snapshot without its records, as returned by an export operation. */
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
 * Body of an import request. Only used in the OpenAPI document, since the body itself is streamed.
 */
export const importBody = z.object({ snapshot: snapshotSchema });
