/** Schemas for dashboard-only lists and links. */

import { z } from "zod";
import {
  hasScope,
  pageFields,
  pageOf,
  SCOPE_REQUIRED,
  scopeFields,
  timestampField,
  timestampOutput,
} from "../../contract/fields.ts";
import { documentSchema } from "../../documents/schema.ts";
import { memoryType } from "../../memories/schema.ts";
import { operationSchema } from "../../operations/schema.ts";
import { sourceAssetSchema } from "../../uploads/schema.ts";

export const idParams = z.object({ id: z.string() });

/**
 * Memory list query. The scope is optional, since someone browsing a project doesn't know its
 * scopes yet.
 */
export const memoriesQuery = z.object({
  ...scopeFields,
  memory_type: memoryType.optional(),
  /** `holds` selects memories valid now, `ended` those no longer valid. */
  validity: z.enum(["holds", "ended"]).optional(),
  ...pageFields,
});

export type MemoriesQuery = z.output<typeof memoriesQuery>;

export const endBody = z.object({ valid_to: timestampField.optional() });

const memoryReference = z.object({ id: z.string(), memory: z.string().nullable() });

/** Where a memory came from and what depends on it. */
export const linksResponse = z.object({
  /**
   * Inference tasks that added or updated the memory, with the indexes of the messages it came
   * from.
   */
  sources: z.array(z.object({ operation_id: z.string(), messages: z.array(z.int()) })),
  /** Other memories from the same tasks. */
  siblings: z.array(memoryReference),
  /** Memories that this one superseded. */
  supersedes: z.array(memoryReference),
  /** The memory that superseded this one. */
  superseded_by: memoryReference.nullable(),
  /**
   * The memory's claims about subject attributes, which state, beliefs and profile are derived
   * from.
   */
  claims: z.array(z.object({
    subject: z.string(),
    attribute: z.string(),
    value: z.string(),
    op: z.enum(["assert", "end"]),
  })),
});

export type Links = z.output<typeof linksResponse>;

export const slotsQuery = z.object(scopeFields).refine(hasScope, SCOPE_REQUIRED);

/** Slots with claims in a scope's memories, most recent first. */
export const slotsResponse = z.object({
  results: z.array(z.object({
    subject: z.string(),
    attribute: z.string(),
    memories: z.int(),
    last_at: timestampOutput,
  })),
});

export type Slot = z.output<typeof slotsResponse>["results"][number];

export const pageQuery = z.object(pageFields);

const version = z.object({
  document: documentSchema,
  current: z.boolean(),
  chunks: z.int(),
  /** The file the text was extracted from, or null if it was added directly. */
  file: z.object({
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    page_count: z.int().nullable(),
    extractor: z.string().nullable(),
  }).nullable(),
});

export type Version = z.output<typeof version>;

export const versionsPage = pageOf(version);

export const uploadsPage = pageOf(sourceAssetSchema);

/** An operation with the upload that it extracts, or null if it doesn't extract one. */
export const browsedOperation = operationSchema.extend({
  upload: z.object({ filename: z.string(), document_id: z.string().nullable() }).nullable(),
});

export type BrowsedOperation = z.output<typeof browsedOperation>;

export const operationsPage = pageOf(browsedOperation);
