/** Returns a byte range of a document, so that a model reads only as much as it needs. */

import { z } from "zod";
import { type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { queryInteger } from "../contract/fields.ts";
import { contentResponse, idParams } from "../documents/schema.ts";
import type { DocumentService } from "../documents/service.ts";
import { LIMITS } from "../kernel/limits.ts";

/** Default range size in bytes, about 8,000 tokens of English. */
export const DEFAULT_READ_BYTES = 32_768;

const rangeSchema = z.object({
  start_byte: queryInteger(0, LIMITS.documentBytes, 0),
  end_byte: z.string().regex(/^\d{1,9}$/, "Must be a whole number").transform(Number).optional()
    .meta({ type: "integer", minimum: 0 }),
}).refine(({ start_byte, end_byte }) => end_byte === undefined || end_byte > start_byte, {
  message: "Must be greater than start_byte",
  path: ["end_byte"],
});

const documentPartSchema = contentResponse.extend({
  start_byte: z.int(),
  end_byte: z.int(),
  size_bytes: z.int(),
  next_start_byte: z.int().nullable(),
});

/** Part of a document, as returned to the caller. */
export type DocumentPart = z.output<typeof documentPartSchema>;

/**
 * Describes an endpoint used only by tools. HTTP clients read the whole content, whereas ranges are
 * for models.
 */
export function readDocumentEndpoint(documents: DocumentService): Endpoint {
  return queryEndpoint({
    method: "GET",
    path: "/v1/documents/{id}/content",
    operationId: "readDocument",
    tag: "Documents",
    summary: "Read a range of the bytes of one version",
    permission: "memory:read",
    params: idParams,
    query: rangeSchema,
    success: [{ status: 200, description: "The part", schema: documentPartSchema }],
    errors: ["DOCUMENT_NOT_FOUND"],
    read: async ({ actor, params, query }) => {
      const document = await documents.content(actor.project, params.id);
      return ok(
        readRange(
          document,
          query.start_byte,
          query.end_byte ?? query.start_byte + DEFAULT_READ_BYTES,
        ),
      );
    },
  });
}

/** Returns a range of a document. A character cut in half at either end is included as a whole. */
export function readRange(
  source: z.output<typeof contentResponse>,
  from: number,
  to: number,
): DocumentPart {
  const bytes = new TextEncoder().encode(source.content);
  const inside = (at: number) => at < bytes.length && (bytes[at]! & 0xc0) === 0x80;
  let [start, end] = [Math.min(from, bytes.length), Math.min(to, bytes.length)];
  while (start > 0 && inside(start)) start--;
  while (inside(end)) end++;
  return {
    id: source.id,
    content: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
    content_hash: source.content_hash,
    start_byte: start,
    end_byte: end,
    size_bytes: bytes.length,
    next_start_byte: end < bytes.length ? end : null,
  };
}
