/** The tools, in the order in which they are listed. */

import type { Document, DocumentChunk, Hit, IngestResponse } from "../documents/schema.ts";
import type { InferenceEvent } from "../events/schema.ts";
import type { HistoryRecord, Memory, WriteResult } from "../memories/schema.ts";
import type { DocumentPart } from "./read_document.ts";
import type { ToolDefinition } from "./tool.ts";

const READ_HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const ADD_HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const CHANGE_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
const RATE_HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };

/** Characters of a record's text that a list shows; the structured result has all of them. */
const MAX_SHOWN_CHARACTERS = 400;

/** Every tool. What a tool may do and takes follows from its endpoint. */
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: "add_memory",
    title: "Remember",
    description: "Keep something worth remembering about a person, an agent or a run. By default " +
      "the facts in `content` or `messages` are extracted and reconciled with what is known, in " +
      "the background; get_event tells what came of it. `infer: false` keeps the text as it is, " +
      "at once. Give at least one scope.",
    operationId: "addMemories",
    takesIdempotencyKey: true,
    argumentDescriptions: {
      content: "The text to remember; either this or `messages`",
      messages: "A conversation to learn from; either this or `content`",
      infer: "true: extract the facts, in the background. false: keep the text word for word",
      event_date: "When it happened, if not now: a date, or an ISO 8601 date-time",
      memory_type: "What kind of memory this is; only for infer: false",
      importance: "0 to 1; only for infer: false",
    },
    hints: ADD_HINTS,
    summarize: (answer: { results: WriteResult[] } | { event_id: string }) =>
      "event_id" in answer
        ? `Queued for inference as ${answer.event_id}; get_event tells what came of it.`
        : formatList(
          "Stored",
          answer.results.map(({ id, memory }) => `${id}: ${truncated(memory)}`),
        ),
  },
  {
    name: "search_memories",
    title: "Search memories",
    description: "Find what is remembered, by meaning and by words, best first. Use it before " +
      "answering anything that may depend on what was said or decided earlier.",
    operationId: "searchMemories",
    argumentDescriptions: {
      query: "What to look for, in plain words",
      top_k: "The most results (10 unless given)",
      limit: "The same as top_k",
      memory_type: "Only memories of this type",
      mode: "Leave it at hybrid; recent, important and typed favour such memories",
      search_strategy: "precision: fewer and surer; recall: more; auto: as the query suggests",
      sort_by: "Another order of what was found than best first",
      min_score: "0 to 1; what scores lower is left out",
      filters: "Conditions on fields and metadata, e.g. " +
        '{"AND": [{"memory_type": "decision"}, {"created_at": {"gte": "2026-01-01"}}]}',
      trace: "true also answers how the ranking came about; long",
      beliefs: "true also answers how the values that were found have changed; needs a scope",
    },
    hints: READ_HINTS,
    summarize: ({ results }: { results: (Memory & { score: number })[] }) =>
      formatList("Found", results.map((each) => `${each.score.toFixed(2)}  ${memoryLine(each)}`)),
  },
  {
    name: "list_memories",
    title: "List memories",
    description: "List everything remembered in a scope, newest first, page by page. To look " +
      "for something, search_memories is better.",
    operationId: "listMemories",
    hints: READ_HINTS,
    summarize: (page: Page<Memory>) =>
      formatList("Listed", page.results.map(memoryLine), page.next_cursor),
  },
  {
    name: "get_memory",
    title: "Get a memory",
    description: "Get one memory with all its fields.",
    operationId: "getMemory",
    idArgument: "memory_id",
    hints: READ_HINTS,
    summarize: (memory: Memory) => `${memory.id}: ${memory.memory}`,
  },
  {
    name: "update_memory",
    title: "Correct a memory",
    description: "Change the text, metadata, importance or type of one memory; the fields left " +
      "out stay as they are, and its history keeps what it said before.",
    operationId: "updateMemory",
    idArgument: "memory_id",
    argumentDescriptions: {
      content: "The new text",
      importance: "0 to 1",
      memory_type: "The new type",
      version: "`updated_at` of the memory as you know it; refused when it has changed since",
    },
    hints: CHANGE_HINTS,
    summarize: ({ id, memory }: WriteResult) => `Changed ${id}: ${truncated(memory)}`,
  },
  {
    name: "delete_memory",
    title: "Forget a memory",
    description: "Delete one memory. Its history stays; the memory can't be brought back.",
    operationId: "deleteMemory",
    idArgument: "memory_id",
    hints: CHANGE_HINTS,
    summarize: ({ id }: WriteResult) => `Deleted ${id}`,
  },
  {
    name: "memory_history",
    title: "History of a memory",
    description: "What happened to a memory, oldest first: added, changed, rated, superseded, " +
      "deleted, each with the text before and after.",
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
    description:
      "Say whether a memory was of use, for whoever looks after them. A rating replaces " +
      "the one before and stays in the history; it doesn't change how searches rank.",
    operationId: "giveFeedback",
    idArgument: "memory_id",
    argumentDescriptions: {
      rating: "Of use, of no use, or wrong and harmful",
      reason: "Why, in a sentence",
      request_id: "What the rating is about, if you like",
    },
    hints: RATE_HINTS,
    summarize: ({ feedback }: { feedback: { memory_id: string; rating: string } }) =>
      `Rated ${feedback.memory_id} ${feedback.rating}`,
  },
  {
    name: "add_document",
    title: "Keep a document",
    description: "Keep a text source as it is, so that passages of it can be found and cited. " +
      "The same source_key again makes a new version. Give at least one scope.",
    operationId: "ingestDocument",
    takesIdempotencyKey: true,
    argumentDescriptions: {
      content: "The text of the document, at most 1,000,000 bytes",
      title: "What it is called; the source_key unless given",
      source_key: "What identifies the source, such as a path; the title unless given",
      mime_type: "text/plain unless given; text/markdown is cut along its headings",
      source_uri: "Where it comes from",
    },
    hints: ADD_HINTS,
    summarize: ({ document, chunks, created }: IngestResponse) =>
      created
        ? `Stored ${documentLine(document)}, ${chunks} ${chunks === 1 ? "chunk" : "chunks"}`
        : `Known already: ${documentLine(document)}`,
  },
  {
    name: "search_documents",
    title: "Search documents",
    description: "Find passages of documents, best first. Each has its document and its bytes, " +
      "start_byte to end_byte, for a citation or for reading on with read_document.",
    operationId: "searchDocuments",
    argumentDescriptions: {
      query: "What to look for, in plain words",
      source_key: "Only in this source",
      neighbors: "How many chunks before and after each passage come with it",
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
    description: "List the documents, each in its current version, newest first, page by page.",
    operationId: "listDocuments",
    argumentDescriptions: { source_key: "Only this source" },
    hints: READ_HINTS,
    summarize: (page: Page<Document>) =>
      formatList("Listed", page.results.map(documentLine), page.next_cursor),
  },
  {
    name: "read_document",
    title: "Read a document",
    description: "Read the exact text of a document, or a range of its bytes: 32,768 from " +
      "start_byte on unless end_byte says otherwise. next_start_byte is where to read on, null " +
      "at the end.",
    operationId: "readDocument",
    idArgument: "document_id",
    argumentDescriptions: {
      start_byte: "The first byte, 0 unless given",
      end_byte: "The byte after the last; a character is never cut",
    },
    hints: READ_HINTS,
    summarize: ({ content }: DocumentPart) => content,
  },
  {
    name: "get_state",
    title: "Value of an attribute",
    description: "What an attribute of a subject is now, or was at an instant, as the memories " +
      'tell it: e.g. subject "user", attribute "lives_in".',
    operationId: "getState",
    argumentDescriptions: {
      subject: 'Whose attribute: "user", or a name',
      attribute: 'Which one, e.g. "lives_in" or "works_at"',
      as_of: "The instant; now unless given",
    },
    hints: READ_HINTS,
    summarize: ({ data }: { data: { subject: string; attribute: string; value: string } | null }) =>
      data === null ? "Not known" : `${data.subject} / ${data.attribute}: ${data.value}`,
  },
  {
    name: "get_profile",
    title: "Profile",
    description: "What is known about a scope as a whole: one text, or with a query the sections " +
      "that fit it. Good at the beginning of a conversation.",
    operationId: "getProfile",
    argumentDescriptions: {
      query: "What the profile is needed for; best sections first then",
      limit: "The most sections, with a query",
    },
    hints: READ_HINTS,
    summarize: ({ data }: { data: string | null | { title: string; content: string }[] }) =>
      Array.isArray(data)
        ? data.map(({ title, content }) => `## ${title}\n${content}`).join("\n\n") || "Nothing yet"
        : data ?? "Nothing yet",
  },
  {
    name: "get_event",
    title: "Outcome of an inferred add",
    description: "Whether an add_memory with inference is done, and the memories that came of it.",
    operationId: "getEvent",
    idArgument: "event_id",
    hints: READ_HINTS,
    summarize: ({ id, status, results, error }: InferenceEvent) =>
      [
        `${id} is ${status}${error === null ? "" : ` (${error.code}: ${error.message})`}`,
        ...results.map((each) => `${each.event} ${each.id}: ${truncated(each.memory)}`),
      ].join("\n"),
  },
];

interface Page<Item> {
  readonly results: Item[];
  readonly next_cursor: string | null;
}

function formatList(done: string, lines: readonly string[], cursor: string | null = null): string {
  if (lines.length === 0) return `${done} nothing`;
  const more = cursor === null ? [] : [`More with cursor ${cursor}`];
  return [`${done} ${lines.length}:`, ...lines, ...more].join("\n");
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

function truncated(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_SHOWN_CHARACTERS
    ? line
    : `${line.slice(0, MAX_SHOWN_CHARACTERS).trimEnd()}…`;
}
