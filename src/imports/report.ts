/** The report of an import: what it did, or would do. */

import { z } from "zod";

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
