/** Display names for operations. */

import type { TaskKind } from "../../../tasks/states.ts";

export const OPERATION_NAMES: Readonly<Record<TaskKind, string>> = {
  batch_update: "Update memories in batch",
  batch_delete: "Delete memories in batch",
  document_extract: "Extract document",
  export: "Export",
  import: "Import",
  export_file: "Export to a file",
  import_file: "Import from another product",
  memory_infer: "Infer memories",
  derive: "Update views",
  rebuild: "Rebuild views",
  maintenance: "Maintenance",
  purge: "Purge project",
};
