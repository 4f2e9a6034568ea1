/** The formats to choose from, with their names for people. */

import type { Option } from "../../parts/forms/fields.tsx";

/** Formats of imports. */
export const IMPORT_OPTIONS: readonly Option[] = [
  ["mem0", "mem0"],
  ["server-memory", "Reference memory server"],
  ["chatgpt", "ChatGPT"],
  ["claude", "Claude"],
  ["letta", "Letta"],
  ["zep", "Zep"],
  ["graphiti", "Graphiti"],
  ["mcp-memory-service", "mcp-memory-service"],
  ["markdown", "Obsidian, Notion, Markdown notes"],
  ["slack", "Slack"],
  ["mbox", "Mail (mbox)"],
  ["jsonl", "JSON Lines"],
];

/** Formats of exports. */
export const EXPORT_OPTIONS: readonly Option[] = [
  ["jsonl", "JSON Lines"],
  ["markdown", "Markdown"],
  ["mem0", "mem0"],
];
