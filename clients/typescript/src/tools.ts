/** The tools that agents get, for any framework. Their names are those of the MCP tools. */

import type { Commonplace } from "./client.ts";

/** A tool with the JSON schema of its input. */
export interface MemoryTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: typeof QUERY | typeof CONTENT;
  /** Returns what the model reads. */
  run(input: unknown): Promise<unknown>;
}

const text = (description: string) => ({ type: "string", description }) as const;

const QUERY = {
  type: "object",
  properties: { query: text("What to find out, as a question or in key words") },
  required: ["query"],
  additionalProperties: false,
} as const;

const CONTENT = {
  type: "object",
  properties: { content: text("One fact, as a complete sentence that is clear without context") },
  required: ["content"],
  additionalProperties: false,
} as const;

const MAX_RESULTS = 8;
/** Length of the longest query that the service accepts, in UTF-16 units. */
const MAX_QUERY_LENGTH = 8_000;

/** Returns the tools, each within the scope of the client. */
export function memoryTools(client: Commonplace): MemoryTool[] {
  return [{
    name: "search_memories",
    description: "Finds what is remembered about the user and earlier conversations.",
    parameters: QUERY,
    async run(input) {
      const { results } = await client.memories.search(textOf(input, "query"), {
        top_k: MAX_RESULTS,
      });
      return results.map(({ id, memory, event_date, created_at }) => ({
        id,
        memory,
        date: event_date ?? created_at,
      }));
    },
  }, {
    name: "add_memory",
    description: "Remembers a fact beyond this conversation.",
    parameters: CONTENT,
    run: (input) => client.memories.add(textOf(input, "content")),
  }, {
    name: "search_documents",
    description: "Finds passages in the stored documents, to quote and cite.",
    parameters: QUERY,
    async run(input) {
      const { results } = await client.documents.search(textOf(input, "query"), {
        limit: MAX_RESULTS,
      });
      return results.map(({ document, chunk: { content, start_byte, end_byte } }) => ({
        source: document.source_key,
        document_id: document.id,
        start_byte,
        end_byte,
        content,
      }));
    },
  }];
}

/** Returns the beginning of a text that can be searched for: messages can be of any length. */
export function cutQuery(text: string): string {
  const end = MAX_QUERY_LENGTH;
  // A character outside the basic plane is two units, which stay together.
  return text.slice(0, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);
}

/** Returns a field of an input. Models can send anything; the service says what is wrong with it. */
function textOf(input: unknown, name: string): string {
  return (Object(input) as Record<string, string>)[name] ?? "";
}
