/** All formats, by name. */

import type { ExportFormat } from "./format.ts";
import { jsonl } from "./jsonl.ts";
import { markdown } from "./markdown.ts";
import { mem0 } from "./mem0.ts";

export const EXPORT_FORMATS: readonly ExportFormat[] = [jsonl, markdown, mem0];
