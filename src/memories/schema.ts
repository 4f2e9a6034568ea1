/** Request and response schemas for memories, their history and their feedback. */

import { z } from "zod";
import {
  addIssue,
  boundedText,
  hasScope,
  memoryText,
  metadataField,
  nonBlankText,
  pageFields,
  pageOf,
  recordId,
  SCOPE_REQUIRED,
  scopeFields,
  storedMetadata,
  timestampField,
  timestampOutput,
} from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isBlank, utf8Length } from "../kernel/text.ts";

/** Why a text couldn't be read. */
const UNREAD_CODES = [
  "TIME_LIMIT",
  "DEPTH_LIMIT",
  "OUTPUT_LIMIT",
  "ENGINE_ERROR",
  "PROVIDER_INVALID_RESPONSE",
] as const;

export type UnreadCode = typeof UNREAD_CODES[number];

export const unreadCode = z.enum(UNREAD_CODES).meta({ id: "UnreadCode" });

/** Memory types. Inference picks one; verbatim memories default to facts. */
export const MEMORY_TYPES = [
  "fact",
  "preference",
  "decision",
  "identity",
  "event",
  "observation",
  "goal",
  "todo",
] as const;

export type MemoryType = typeof MEMORY_TYPES[number];

/** Kinds of changes recorded in a memory's history. */
const MEMORY_EVENTS = ["ADD", "UPDATE", "DELETE", "INVALIDATE", "FEEDBACK"] as const;
export type MemoryEvent = typeof MEMORY_EVENTS[number];

export const memoryType = z.enum(MEMORY_TYPES).meta({ id: "MemoryType" });
/** Importance of a memory, from 0 to 1. */
export const importance = z.number().min(0).max(1);

/** A memory as returned by the API. */
export const memorySchema = z.object({
  id: z.string(),
  memory: z.string().describe("Text of the memory"),
  memory_type: memoryType,
  importance: importance.describe("Importance, from 0 to 1"),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
  metadata: storedMetadata.nullable(),
  created_at: timestampOutput,
  updated_at: timestampOutput.describe("Time of the last change; the `version` for an update"),
  event_date: timestampOutput.nullable().describe("When the events in the text happened"),
  valid_from: timestampOutput.nullable().describe("Start of validity; null if unknown"),
  valid_to: timestampOutput.nullable().describe("End of validity; null if it has none"),
}).meta({ id: "Memory" });

export type Memory = z.output<typeof memorySchema>;

/** What a request did to one memory. `memory` is its text. */
export const writeResult = z.object({
  id: z.string(),
  memory: z.string(),
  event: z.enum(["ADD", "UPDATE", "DELETE", "INVALIDATE"]).meta({ id: "WriteEvent" }),
}).meta({ id: "WriteResult" });

export type WriteResult = z.output<typeof writeResult>;

/** Notations accepted by `timestampField`, for use in descriptions. */
const TIMESTAMP_FORMAT = "a calendar date, or an ISO 8601 date-time (UTC unless it has an offset)";

/** Message roles. */
const ROLES = ["system", "user", "assistant", "tool", "developer"] as const;

/** Message content: text, or OpenAI text parts, which are joined with line feeds. */
const messageContent = z.union([
  boundedText(LIMITS.addMemoryBodyBytes),
  z.array(
    z.object({ type: z.literal("text"), text: boundedText(LIMITS.addMemoryBodyBytes) })
      .meta({ id: "TextPart" }),
  ).transform((parts) => parts.map((part) => part.text).join("\n")),
], { error: "Must be text or a list of text parts" });

const message = z.object({
  role: z.enum(ROLES).meta({ id: "Role" }),
  content: messageContent,
  created_at: timestampField.optional().describe(
    "When the message was sent. Used instead of the request's event_date for what this message says",
  ),
}).meta({ id: "Message" });

export const addBody = z.object({
  messages: z.array(message).max(LIMITS.messages).optional()
    .describe("A conversation. Pass either this or content"),
  content: nonBlankText(LIMITS.addMemoryBodyBytes).optional()
    .describe("A text. Pass either this or messages"),
  ...scopeFields,
  metadata: metadataField.optional(),
  infer: z.boolean().default(true)
    .describe("true: extract facts in the background. false: store the text verbatim"),
  event_date: timestampField.optional()
    .describe(`When the events in the text happened: ${TIMESTAMP_FORMAT}`),
  memory_type: memoryType.optional()
    .describe("Type of verbatim memories. Defaults to fact. Ignored if infer is true"),
  importance: importance.optional()
    .describe("Importance of verbatim memories. Defaults to 0.5. Ignored if infer is true"),
})
  .refine(hasScope, SCOPE_REQUIRED)
  .refine((body) => body.messages !== undefined || body.content !== undefined, {
    message: "Either messages or content is required",
    path: ["content"],
  })
  .refine((body) => body.messages === undefined || body.content === undefined, {
    message: "Pass either messages or content, not both",
    path: ["content"],
  })
  .refine((body) => body.messages?.some(({ content }) => !isBlank(content)) ?? true, {
    message: "Must contain at least one message with text",
    path: ["messages"],
  })
  .check((add) => {
    const { infer, content, messages = [] } = add.value;
    // Inference words its own facts, so only verbatim text has to fit into a single memory.
    if (infer) return;
    const message = `Must be at most ${LIMITS.memoryTextBytes} bytes of UTF-8`;
    const tooLong = (text = "") => utf8Length(text) > LIMITS.memoryTextBytes;
    if (tooLong(content)) addIssue(add, { path: ["content"], message });
    for (const [index, { content }] of messages.entries()) {
      if (isBlank(content) || !tooLong(content)) continue;
      addIssue(add, { path: ["messages", index, "content"], message });
    }
  });

export type AddBody = z.output<typeof addBody>;

export const addResponse = z.object({ results: z.array(writeResult) }).meta({
  id: "AddedMemories",
});

/** Response to an inferred add. `event_id` identifies the event as well as its operation. */
export const addQueuedResponse = z.object({
  message: z.string(),
  status: z.literal("PENDING"),
  event_id: z.string().describe("Id of the event that reports the result"),
}).meta({ id: "QueuedAdd" });

/** Path parameters for a single memory. */
export const idParams = z.object({ id: z.string() });

export const listQuery = z.object({ ...scopeFields, ...pageFields }).refine(
  hasScope,
  SCOPE_REQUIRED,
);

export const memoryPage = pageOf(memorySchema);

/** Fields that an update can change. At least one is required. */
const mutableFields = {
  content: memoryText.optional(),
  metadata: metadataField.optional(),
  importance: importance.optional(),
  memory_type: memoryType.optional(),
};

/** A precondition for an update: the `updated_at` read by the client. */
const version = timestampField.optional()
  .describe("The `updated_at` that you read; the update fails if the memory has changed since");

/** The fields to change in a memory. Omitted fields keep their values. */
export interface MemoryPatch {
  readonly content?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly importance?: number | undefined;
  readonly memory_type?: MemoryType | undefined;
}

/** Checks whether there's at least one field to change. For `refine`. */
function hasMutableField(fields: MemoryPatch): boolean {
  return Object.keys(mutableFields).some((key) => fields[key as keyof MemoryPatch] !== undefined);
}

const MUTABLE_FIELD_REQUIRED = {
  message: `Pass at least one of ${Object.keys(mutableFields).join(", ")}`,
  path: ["content"],
};

export const updateBody = z.object({ ...mutableFields, version })
  .refine(hasMutableField, MUTABLE_FIELD_REQUIRED);

const batchUpdateItem = z.object({
  memory_id: recordId,
  ...mutableFields,
  version,
}).refine(hasMutableField, MUTABLE_FIELD_REQUIRED).meta({ id: "MemoryChange" });

/** Returns the schema for a batch: 1 to 1,000 items, each for a different memory. */
function batchOf<Item extends { readonly memory_id: string }>(item: z.ZodType<Item>) {
  return z.object({
    memories: z.array(item).min(1).max(LIMITS.batchItems).superRefine((items, context) => {
      const seen = new Set<string>();
      for (const [index, { memory_id }] of items.entries()) {
        if (seen.has(memory_id)) {
          context.addIssue({
            code: "custom",
            path: [index, "memory_id"],
            message: `Must be unique; "${memory_id}" appears more than once`,
          });
        }
        seen.add(memory_id);
      }
    }),
  });
}

export const batchUpdateBody = batchOf(batchUpdateItem);
export const batchDeleteBody = batchOf(
  z.object({ memory_id: recordId }).meta({ id: "MemoryReference" }),
);

/** One batch item: a memory and the fields to change in it. */
export type BatchItem = z.output<typeof batchUpdateItem>;

export const batchItemResult = z.discriminatedUnion("status", [
  z.object({
    memory_id: z.string(),
    status: z.literal("succeeded"),
    event: z.enum(MEMORY_EVENTS),
  }),
  z.object({
    memory_id: z.string(),
    status: z.literal("failed"),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);

/** Result for one batch item. */
export type BatchItemResult = Readonly<z.output<typeof batchItemResult>>;

export const scopeQuery = z.object(scopeFields).refine(hasScope, SCOPE_REQUIRED);

export const scopeDeleteResponse = z.object({
  deleted_memories: z.int(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
});

/** Memory ratings, best first. */
export const RATINGS = ["positive", "negative", "very_negative"] as const;

const rating = z.enum(RATINGS).meta({ id: "Rating" });

export const feedbackBody = z.object({
  rating,
  reason: boundedText(LIMITS.feedbackReasonCharacters).optional(),
  request_id: boundedText(LIMITS.requestIdCharacters).optional()
    .describe("Reference to what is rated, for example the id of a request"),
});

export type FeedbackBody = z.output<typeof feedbackBody>;

export const feedbackSchema = z.object({
  id: z.string(),
  memory_id: z.string(),
  rating,
  reason: z.string().nullable(),
  request_id: z.string().nullable(),
  created_at: timestampOutput,
}).meta({ id: "Feedback" });

export type Feedback = z.output<typeof feedbackSchema>;

export const feedbackResponse = z.object({ feedback: feedbackSchema });
export const feedbackReadResponse = z.object({ feedback: feedbackSchema.nullable() });
export const feedbackClearResponse = z.object({ cleared: z.literal(true) });

/**
 * Where a change came from. `operation_id` is the operation behind it, or null if a request made it
 * directly.
 */
const changeSource = z.object({
  kind: z.enum(["api", "inference", "batch", "scope_delete", "entity_delete", "import"])
    .meta({ id: "ChangeSourceKind" }),
  operation_id: z.string().nullable().describe("Null if a request made the change directly"),
}).meta({ id: "ChangeSource" });

export type ChangeSource = z.output<typeof changeSource>;

export const historyRecord = z.object({
  id: z.string(),
  memory_id: z.string(),
  event: z.enum(MEMORY_EVENTS).meta({ id: "MemoryEvent" }),
  old_memory: z.string().nullable(),
  new_memory: z.string().nullable(),
  changes: z.record(
    z.string(),
    z.object({ from: z.unknown(), to: z.unknown() }).meta({ id: "FieldChange" }),
  ).nullable(),
  feedback: z.union([
    z.object({
      rating,
      reason: z.string().nullable(),
      request_id: z.string().nullable(),
    }).meta({ id: "FeedbackGiven" }),
    z.object({ cleared: z.literal(true) }).meta({ id: "FeedbackCleared" }),
  ]).nullable(),
  source: changeSource,
  request_id: z.string().nullable().describe("Id of the request that caused the change"),
  created_at: timestampOutput,
}).meta({ id: "HistoryRecord" });

export type HistoryRecord = z.output<typeof historyRecord>;

export const historyQuery = z.object(pageFields);
export const historyPage = pageOf(historyRecord);
