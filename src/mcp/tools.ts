/** The tools, in listing order. */

import type { Document, DocumentChunk, Hit, IngestResponse } from "../documents/schema.ts";
import type { InferenceEvent } from "../events/schema.ts";
import { excerpt } from "../kernel/text.ts";
import type { HistoryRecord, Memory, WriteResult } from "../memories/schema.ts";
import type { DocumentPart } from "./read_document.ts";
import type { ToolDefinition } from "./tool.ts";

const READ_HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const ADD_HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const CHANGE_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
const RATE_HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };

/** Maximum length of a record's text in a list. The structured result contains it in full. */
const MAX_SHOWN_CHARACTERS = 400;

/** All tools. Permissions and arguments are derived from their endpoints. */
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: "add_memory",
    title: "Add a memory",
    description:
      "Store something worth remembering about a person, an agent or a conversation. Use it " +
      "when the user asks you to remember or note something, or when you learn a fact, a " +
      "preference, a decision or a plan that will matter in later conversations. By " +
      "default, facts are extracted from `content` or `messages` in the background and " +
      "reconciled with the existing memories; the result is an `event_id`. get_event returns " +
      "the outcome. With `infer: false`, the text is stored word for word, and the " +
      "result is the new memory. Requires at least one of user_id, agent_id and run_id.",
    operationId: "addMemories",
    takesIdempotencyKey: true,
    argumentDescriptions: {
      content: "Text to remember. Pass either this or `messages`",
      messages: "Conversation to learn from. Pass either this or `content`",
      infer: "true (default): extract facts in the background. false: store the text word for word",
      event_date: "Time of the event or conversation, if not now: a date or an ISO 8601 date-time",
      memory_type: "Kind of memory. Only with `infer: false`",
      importance: "0 to 1. Only with `infer: false`",
    },
    hints: ADD_HINTS,
    summarize: (response: { results: WriteResult[] } | { event_id: string }, has) =>
      "event_id" in response
        ? `Queued for inference as ${response.event_id}` +
          (has("get_event") ? "; call get_event for the outcome" : "")
        : formatList(
          "Stored",
          response.results.map(({ id, memory }) => `${id}: ${truncated(memory)}`),
        ),
  },
  {
    name: "search_memories",
    title: "Search memories",
    description: "Search what was stored in earlier conversations, by meaning and by words. Use " +
      "it for a question about what the user said, likes, did, planned or decided, and " +
      "before you reply to anything that can depend on it. Returns memories with " +
      "a score from 0 to 1, best first. Pass scopes to search only the memories of a person, " +
      "an agent or a conversation.",
    operationId: "searchMemories",
    argumentDescriptions: {
      query: "What to search for, in plain words",
      top_k: "Maximum number of results. Defaults to 10",
      limit: "Alias of top_k",
      memory_type: "Only return memories of this type",
      mode: "Order of relevant memories. hybrid (default): by relevance. recent: newest first. " +
        "important: most important first. typed: prefers the types that the query suggests",
      search_strategy: "balanced (default), precision (fewer, more certain results), recall " +
        "(more results) or auto (chosen by the query)",
      sort_by: "Sort the relevant results by this instead of by relevance",
      min_score: "0 to 1. Results with a lower score are omitted",
      filters: "Conditions on fields and metadata, joined by AND, OR and NOT, e.g. " +
        '{"AND": [{"memory_type": "decision"}, {"created_at": {"gte": "2026-01-01"}}]}',
      trace: "true: also return how the ranking was computed. Long",
      beliefs:
        "true: also return how the values that the results mention have changed. Requires a scope",
    },
    hints: READ_HINTS,
    summarize: ({ results }: { results: (Memory & { score: number })[] }) =>
      formatList(
        "Found",
        results.map((memory) => `${memory.score.toFixed(2)}  ${memoryLine(memory)}`),
      ),
  },
  {
    name: "list_memories",
    title: "List memories",
    description:
      "List all memories of a scope, newest first, in pages. Use it to review or export " +
      "everything that is stored, or to see the latest memories. Use search_memories to find " +
      "something specific. Returns `results` and `next_cursor`, which is null on the last page. " +
      "Requires at least one of user_id, agent_id and run_id.",
    operationId: "listMemories",
    hints: READ_HINTS,
    summarize: (page: Page<Memory>) =>
      formatList("Listed", page.results.map(memoryLine), page.next_cursor),
  },
  {
    name: "get_memory",
    title: "Get a memory",
    description: "Get one memory with all its fields by its id. Use it to see the full text and " +
      "metadata of a memory that a search or list has returned.",
    operationId: "getMemory",
    idArgument: "memory_id",
    hints: READ_HINTS,
    summarize: (memory: Memory) => `${memory.id}: ${memory.memory}`,
  },
  {
    name: "update_memory",
    title: "Update a memory",
    description:
      "Change the text, metadata, importance or type of a memory, for example to correct a " +
      "mistake in it. Find its id with search_memories first. Fields that you omit stay " +
      "unchanged. memory_history still shows the previous values.",
    operationId: "updateMemory",
    idArgument: "memory_id",
    argumentDescriptions: {
      content: "New text",
      importance: "New importance, 0 to 1",
      memory_type: "New type",
      version:
        "The `updated_at` that you last read. The update fails if the memory has changed since",
    },
    hints: CHANGE_HINTS,
    summarize: ({ id, memory }: WriteResult) => `Updated ${id}: ${truncated(memory)}`,
  },
  {
    name: "delete_memory",
    title: "Delete a memory",
    description:
      "Delete a memory, for example because the user asks to forget or remove it. Find " +
      "its id with search_memories first. This can't be undone. Its history is kept.",
    operationId: "deleteMemory",
    idArgument: "memory_id",
    hints: CHANGE_HINTS,
    summarize: ({ id }: WriteResult) => `Deleted ${id}`,
  },
  {
    name: "memory_history",
    title: "Get the history of a memory",
    description: "Get all changes of a memory, oldest first: added, updated, rated, superseded, " +
      "deleted, each with the text before and after. Use it to find out when and why a memory " +
      "has changed.",
    operationId: "getMemoryHistory",
    idArgument: "memory_id",
    hints: READ_HINTS,
    summarize: (page: Page<HistoryRecord>) =>
      formatList(
        "Listed",
        page.results.map(({ created_at, event, new_memory }) =>
          `${created_at} ${event}${new_memory === null ? "" : `: ${truncated(new_memory)}`}`
        ),
        page.next_cursor,
      ),
  },
  {
    name: "rate_memory",
    title: "Rate a memory",
    description: "Record whether a memory was useful, wrong or harmful, for the people who " +
      "maintain the memories. Use it when the user says so. " +
      "Replaces your previous rating. Ratings don't change the ranking of searches.",
    operationId: "giveFeedback",
    idArgument: "memory_id",
    argumentDescriptions: {
      rating: "positive: useful. negative: not useful. very_negative: wrong or harmful",
      reason: "Reason for the rating, in one sentence",
      request_id: "Optional reference to what the rating is about, e.g. the id of a request",
    },
    hints: RATE_HINTS,
    summarize: ({ feedback }: { feedback: { memory_id: string; rating: string } }) =>
      `Rated ${feedback.memory_id} as ${feedback.rating}`,
  },
  {
    name: "add_document",
    title: "Add a document",
    description:
      "Store a text document, such as notes, a page or a report, whose passages can be found and " +
      "cited later. Use it for sources that must keep their exact text. Use add_memory for " +
      "single facts. Adding the same source_key again creates a new version. Requires at least " +
      "one of user_id, agent_id and run_id. Returns the document and its number of chunks.",
    operationId: "ingestDocument",
    takesIdempotencyKey: true,
    argumentDescriptions: {
      content: "Text of the document, at most 1,000,000 bytes",
      title: "Title. Defaults to the source_key",
      source_key: "Identifies the source, e.g. a path. Defaults to the title",
      mime_type: "Defaults to text/plain. text/markdown is split at its headings",
      source_uri: "Where the document comes from, e.g. a URL",
    },
    hints: ADD_HINTS,
    summarize: ({ document, chunks, created }: IngestResponse) =>
      created
        ? `Stored ${documentLine(document)}, ${chunks} ${chunks === 1 ? "chunk" : "chunks"}`
        : `Already stored: ${documentLine(document)}`,
  },
  {
    name: "search_documents",
    title: "Search documents",
    description:
      "Search for passages in the stored documents and files, best first. Use it for a question " +
      "about their content, and to cite it. Each result has a document and a byte range " +
      "(start_byte to end_byte) to cite. Pass them to read_document to read more.",
    operationId: "searchDocuments",
    argumentDescriptions: {
      query: "What to search for, in plain words",
      source_key: "Only search this source",
      neighbors: "Number of chunks to return before and after each passage",
    },
    hints: READ_HINTS,
    summarize: ({ results }: { results: Hit[] }) =>
      formatList(
        "Found",
        results.map(({ score, document, chunk }) =>
          `${score.toFixed(2)}  ${document.id} (${document.source_key}) ${byteRange(chunk)}: ` +
          truncated(chunk.content)
        ),
      ),
  },
  {
    name: "list_documents",
    title: "List documents",
    description:
      "List the current version of each stored document, newest first, in pages. Use it to see " +
      "which documents and files there are. Returns " +
      "`results` and `next_cursor`, which is null on the last page.",
    operationId: "listDocuments",
    argumentDescriptions: { source_key: "Only list this source" },
    hints: READ_HINTS,
    summarize: (page: Page<Document>) =>
      formatList("Listed", page.results.map(documentLine), page.next_cursor),
  },
  {
    name: "read_document",
    title: "Read a document",
    description:
      "Read the exact text of a document, or a range of its bytes. Use it to quote or summarize " +
      "a whole document, or to read on after a passage. Returns up to 32,768 bytes from " +
      "start_byte, unless you pass end_byte. To continue, pass the returned next_start_byte as " +
      "start_byte; it is null at the end.",
    operationId: "readDocument",
    idArgument: "document_id",
    argumentDescriptions: {
      start_byte: "First byte. Defaults to 0",
      end_byte: "Byte after the last one. Characters are never split",
    },
    hints: READ_HINTS,
    summarize: ({ content }: DocumentPart) => content,
  },
  {
    name: "get_state",
    title: "Get the value of an attribute",
    description:
      "Get the current value of an attribute of a subject according to the memories, or its " +
      "value at an earlier time. Use it for a single fact with one current value, such as where " +
      "someone lives or works now, or did in a past year, e.g. " +
      'subject "user" and attribute "lives_in". Returns null if no memory has a value. ' +
      "Requires at least one of user_id, agent_id and run_id.",
    operationId: "getState",
    argumentDescriptions: {
      subject: 'Owner of the attribute: "user", or a name',
      attribute: 'Name of the attribute, e.g. "lives_in" or "works_at"',
      as_of: "Time of the value. Defaults to now",
    },
    hints: READ_HINTS,
    summarize: ({ data }: { data: { subject: string; attribute: string; value: string } | null }) =>
      data === null ? "No value known" : `${data.subject} / ${data.attribute}: ${data.value}`,
  },
  {
    name: "get_context",
    title: "Get context for a reply",
    description:
      "Get everything relevant to what the user just said as one text: matching memories, " +
      "current facts, the profile and passages of documents, each with its date and id. Use it " +
      "once before you reply, instead of several searches. The text stays within max_tokens.",
    operationId: "getContext",
    argumentDescriptions: {
      query: "The user's message, or what you need to know",
      max_tokens: "Maximum length of the text, in tokens. Defaults to 1500",
      max_chars: "Maximum length of the text, in characters",
      include: "Which of memories, state, profile and passages to include. Defaults to all",
      format: "markdown (default) or json",
    },
    hints: READ_HINTS,
    summarize: ({ text }: { text: string }) => text || "Nothing relevant is known",
  },
  {
    name: "get_profile",
    title: "Get a profile",
    description:
      "Get a summary of everything that is known about a person or another scope. Use it when " +
      "the user asks what you know about them, and at the beginning of a conversation. Returns " +
      "one text, or with a query a list of the sections that match it best. Requires at least " +
      "one of user_id, agent_id and run_id.",
    operationId: "getProfile",
    argumentDescriptions: {
      query: "What you need the profile for. Returns the best sections",
      limit: "Maximum number of sections. Only with a query",
    },
    hints: READ_HINTS,
    summarize: ({ data }: { data: string | null | { title: string; content: string }[] }) =>
      Array.isArray(data)
        ? data.map(({ title, content }) => `## ${title}\n${content}`).join("\n\n") ||
          "No profile yet"
        : data ?? "No profile yet",
  },
  {
    name: "get_event",
    title: "Get the outcome of an add",
    description:
      "Check whether an add with inference has finished, and what it stored. Returns its " +
      "status (PENDING, RUNNING, RETRYING, SUCCEEDED or FAILED) and the memories that it added, " +
      "updated, superseded or deleted.",
    operationId: "getEvent",
    idArgument: "event_id",
    hints: READ_HINTS,
    summarize: ({ id: eventId, status, results, error }: InferenceEvent) =>
      [
        `${eventId} is ${status}${error === null ? "" : ` (${error.code}: ${error.message})`}`,
        ...results.map(({ event, id, memory }) => `${event} ${id}: ${truncated(memory)}`),
      ].join("\n"),
  },
];

interface Page<Item> {
  readonly results: Item[];
  readonly next_cursor: string | null;
}

function formatList(verb: string, lines: readonly string[], cursor: string | null = null): string {
  if (lines.length === 0) return `${verb} nothing`;
  const more = cursor === null ? [] : [`More results with cursor ${cursor}`];
  return [`${verb} ${lines.length}:`, ...lines, ...more].join("\n");
}

function memoryLine({ id, memory, memory_type, created_at }: Memory): string {
  return `${id} (${memory_type}, ${created_at.slice(0, 10)}): ${truncated(memory)}`;
}

function documentLine({ id, title, size_bytes }: Document): string {
  return `${id} "${title}", ${size_bytes} bytes`;
}

function byteRange({ start_byte, end_byte }: DocumentChunk): string {
  return `bytes ${start_byte}-${end_byte}`;
}

/** Returns as much of a record's text as a summary shows, on one line. */
function truncated(text: string): string {
  return excerpt(text, MAX_SHOWN_CHARACTERS);
}
