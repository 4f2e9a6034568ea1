/** The section of uploaded files. Until there are uploads every snapshot holds it empty. */

import { z } from "zod";
import { section } from "../contract/snapshot.ts";

export const sourceAssetSection = section({
  name: "source_assets",
  schema: z.never(),
  page: () => Promise.resolve({ records: [], next: null }),
});
