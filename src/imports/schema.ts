/** Schemas for imports from other products. */

import { z } from "zod";
import { scopeFields } from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";
import { IMPORT_FORMATS } from "./formats/all.ts";

export const FORMAT_NAMES = IMPORT_FORMATS.map(({ name }) => name);

export const importParams = z.object({
  format: z.enum(FORMAT_NAMES).meta({ id: "ImportFormat" }).describe("Where the file comes from"),
});

const flag = z.enum(["true", "false"]).default("false").transform((text) => text === "true");

export const importQuery = z.object({
  ...scopeFields,
  dry_run: flag.describe("true: report what the import would do, and change nothing")
    .meta({ type: "boolean", default: false }),
  infer: flag.describe("true: extract facts from memories and from what people said")
    .meta({ type: "boolean", default: false }),
  filename: z.string().max(LIMITS.filenameCharacters).optional()
    .describe("Name of the file, for formats that read single notes"),
});

export type ImportQuery = z.output<typeof importQuery>;

/** Any bytes. Only used in the OpenAPI document, since the body itself is streamed. */
export const importedFile = z.string().meta({
  format: "binary",
  description: `At most ${LIMITS.importFileBytes} bytes`,
});

const kindCount = z.object({
  found: z.int().describe("Records of this kind in the file"),
  added: z.int().describe("Those that are new here"),
  unchanged: z.int().describe("Those that were already here, and were left as they are"),
}).meta({ id: "ImportCount" });

/** What an import did, or would do. */
export const importReport = z.object({
  format: z.string(),
  memories: kindCount,
  documents: kindCount,
  inferred_adds: kindCount,
  set_aside: z.object({
    count: z.int(),
    first: z.array(z.object({ where: z.string(), reason: z.string() })),
  }).describe("Records that can't be imported, and why"),
  not_carried: z.record(z.string(), z.int()).describe("Parts of the file without a counterpart"),
  cut: z.record(z.string(), z.int()).describe("Fields over the limits"),
}).meta({ id: "ImportReport" });

export type ImportReport = z.output<typeof importReport>;
