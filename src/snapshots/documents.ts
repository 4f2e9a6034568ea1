/** The sections of documents. Until there are documents every snapshot holds them empty. */

import { z } from "zod";
import { section, type SnapshotSection } from "../contract/snapshot.ts";

/** The sections of sources, their versions' contents, and their files' descriptions. */
export function documentSections(): SnapshotSection[] {
  return ["documents", "document_contents", "source_assets"].map((name) =>
    section({
      name,
      schema: z.never(),
      page: () => Promise.resolve({ records: [], next: null }),
    })
  );
}
