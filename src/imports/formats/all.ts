/** All formats, in the order in which they're listed. */

import type { ImportFormat } from "../model.ts";
import { chatgpt } from "./chatgpt.ts";
import { claude } from "./claude.ts";
import { graphiti, zep } from "./graphiti.ts";
import { jsonl } from "./jsonl.ts";
import { letta } from "./letta.ts";
import { markdown } from "./markdown.ts";
import { mbox } from "./mbox.ts";
import { mcpMemoryService } from "./mcp_memory_service.ts";
import { mem0 } from "./mem0.ts";
import { serverMemory } from "./server_memory.ts";
import { slack } from "./slack.ts";

export const IMPORT_FORMATS: readonly ImportFormat[] = [
  mem0,
  serverMemory,
  chatgpt,
  claude,
  letta,
  zep,
  graphiti,
  mcpMemoryService,
  markdown,
  slack,
  mbox,
  jsonl,
];
