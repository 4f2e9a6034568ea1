/** What operations are called where people read them. */

import type { TaskKind } from "../../../tasks/states.ts";

export const OPERATION_NAMES: Readonly<Record<TaskKind, string>> = {
  batch_update: "Change many memories",
  batch_delete: "Delete many memories",
  document_extract: "Extract a document",
  export: "Export",
  import: "Import",
  memory_infer: "Infer memories",
  derive: "Bring views up to date",
  rebuild: "Rebuild views",
  maintenance: "Maintenance",
  purge: "Purge a project",
};
