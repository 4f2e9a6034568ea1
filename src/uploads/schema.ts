/** Upload schemas: how a file is described, its state, and how to send its bytes. */

import { z } from "zod";
import {
  documentMetadataField,
  hasScope,
  issueWithCode,
  nonBlankText,
  SCOPE_REQUIRED,
  scopeFields,
  timestampOutput,
} from "../contract/fields.ts";
import { kindOfMediaType } from "../extraction/kinds.ts";
import { LIMITS } from "../kernel/limits.ts";
import { operationSchema, taskError } from "../operations/schema.ts";
import { ASSET_STATUSES } from "./states.ts";

/** `type/subtype` plus optional parameters, limited to characters allowed in a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/;

const contentType = z.string().max(LIMITS.contentTypeCharacters)
  .transform((value) => value.trim())
  .superRefine((value, context) => {
    if (MEDIA_TYPE.test(value) && kindOfMediaType(value) !== undefined) return;
    const message = `Files of type "${value}" are not accepted`;
    context.addIssue(issueWithCode("UNSUPPORTED_DOCUMENT_MEDIA_TYPE", message));
  });

const sizeBytes = z.number().superRefine((value, context) => {
  if (value > LIMITS.uploadFileBytes) {
    const message = `Must be at most ${LIMITS.uploadFileBytes}`;
    context.addIssue(issueWithCode("DOCUMENT_UPLOAD_TOO_LARGE", message));
  } else if (!Number.isInteger(value) || value < 1) {
    context.addIssue({ code: "custom", message: "Must be a whole number of at least 1" });
  }
}).meta({ type: "integer", minimum: 1, maximum: LIMITS.uploadFileBytes });

const checksum = z.string()
  .regex(/^[0-9a-f]{64}$/i, "Must be a SHA-256: 64 hexadecimal digits")
  .transform((value) => value.toLowerCase());

export const createBody = z.object({
  filename: nonBlankText(LIMITS.filenameCharacters),
  size_bytes: sizeBytes,
  content_type: contentType,
  checksum_sha256: checksum.nullable().optional(),
  source_key: nonBlankText(LIMITS.sourceKeyCharacters).optional(),
  title: nonBlankText(LIMITS.titleCharacters).optional(),
  ...scopeFields,
  metadata: documentMetadataField.optional(),
}).refine(hasScope, SCOPE_REQUIRED);

export type CreateBody = z.output<typeof createBody>;

export const sourceAssetSchema = z.object({
  id: z.string(),
  operation_id: z.string(),
  source_key: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  /** SHA-256 of the stored bytes. Until they're stored, the declared one. */
  checksum_sha256: z.string().nullable(),
  status: z.enum(ASSET_STATUSES).meta({ id: "SourceAssetStatus" }),
  artifact_id: z.string().nullable(),
  document_id: z.string().nullable(),
  error: taskError.nullable(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
}).meta({ id: "SourceAsset" });

export type SourceAsset = z.output<typeof sourceAssetSchema>;

const uploadInstruction = z.object({
  method: z.literal("PUT"),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  max_bytes: z.int(),
}).meta({ id: "UploadInstruction" });

export const createResponse = z.object({
  source_asset: sourceAssetSchema,
  upload: uploadInstruction,
  operation: operationSchema,
});

export type CreateResponse = z.output<typeof createResponse>;

export const completeResponse = z.object({
  source_asset: sourceAssetSchema,
  operation: operationSchema,
});

export type CompleteResponse = z.output<typeof completeResponse>;

export const statusResponse = z.object({ source_asset: sourceAssetSchema });

export const assetParams = z.object({ id: z.string() });

/** A file's bytes, for the OpenAPI document. They're read as a stream. */
export const fileBytes = z.string().meta({ format: "binary" });

/**
 * Search status of the new chunks. Word search finds them immediately, semantic search a little
 * later.
 */
export const RETRIEVAL = {
  status: "propagating",
  visibility_target_ms: LIMITS.retrievalVisibilityMs,
} as const;

/** The result of a `document_extract` operation. */
export interface ExtractResult extends Record<string, unknown> {
  readonly source_asset: Pick<SourceAsset, "id" | "status" | "document_id">;
  readonly artifact: {
    readonly id: string;
    readonly page_count: number | null;
    readonly extractor: string;
    readonly extractor_version: string;
  };
  readonly document: { readonly id: string; readonly source_key: string };
  readonly chunks: number;
  readonly created: boolean;
  readonly retrieval: typeof RETRIEVAL;
}
