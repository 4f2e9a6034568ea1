/** Schemas for imports from other products. */

import { z } from "zod";
import { scopeFields } from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";
import { IMPORT_FORMATS } from "./formats/all.ts";

export const FORMAT_NAMES = IMPORT_FORMATS.map(({ name }) => name);

export const importParams = z.object({
  format: z.enum(FORMAT_NAMES).meta({ id: "ImportFormat" }).describe("Where the file comes from"),
});

const flag = z.enum(["true", "false"]).optional().transform((text) => text === "true");

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
