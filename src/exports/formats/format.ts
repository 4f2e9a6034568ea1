/** A format in which a project can leave. */

import type { Archive } from "../archive.ts";
import type { ProjectRecords } from "../records.ts";

export interface ExportFormat {
  readonly name: string;
  /** What an archive in this format contains, as a sentence. */
  readonly contents: string;
  /** Records that the format has no place for, by the name of their kind. */
  readonly notCarried: readonly ("documents")[];
  /** Writes the files of an archive, all but the manifest. */
  write(records: ProjectRecords, archive: Archive): Promise<void>;
}
