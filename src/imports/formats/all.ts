/** All formats, by name. */

import type { ImportFormat } from "../model.ts";
import { jsonl } from "./jsonl.ts";
import { mem0 } from "./mem0.ts";

export const IMPORT_FORMATS: readonly ImportFormat[] = [mem0, jsonl];
