/** Schemas for exports in open formats. */

import { z } from "zod";
import { EXPORT_FORMATS } from "./formats/all.ts";

export const EXPORT_FORMAT_NAMES = EXPORT_FORMATS.map(({ name }) => name);

export const exportParams = z.object({
  format: z.enum(EXPORT_FORMAT_NAMES).meta({ id: "ExportFormat" }).describe("Form of the records"),
});

/** The last file of every archive. */
export interface ExportManifest {
  readonly format: string;
  readonly exported_at: string;
  readonly project_id: string;
  readonly counts: { readonly memories: number; readonly documents: number };
  /** Numbers of records that the format has no place for. */
  readonly not_carried: Readonly<Record<string, number>>;
  readonly files: readonly {
    readonly name: string;
    readonly records: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
}

/**
 * Media type of an archive in responses. Generators of clients know this one for bytes, and skip
 * responses of others.
 */
export const ARCHIVE_TYPE = "application/octet-stream";

/** An archive. Only used in the OpenAPI document, since the response is streamed. */
export const archiveFile = z.string().meta({ format: "binary", description: "A zip archive" });
