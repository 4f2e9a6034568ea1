/**
 * ChatGPT's data export. A conversation is a tree of messages, because replies can be regenerated
 * and questions edited. What the person saw last is the branch that ends in `current_node`.
 */

import { conversationText, Omissions } from "../conversations.ts";
import { elementsOf, isObject, type JsonObject } from "../json.ts";
import { IdentitySet } from "../identity_set.ts";
import type { ImportFormat, SourceItem, SourceMessage } from "../model.ts";
import { filesNamed } from "../source_files.ts";

/** Kinds of content that are not part of the conversation, and what to call them. */
const OMITTED_CONTENT: Readonly<Record<string, string>> = {
  thoughts: "reasoning notes",
  reasoning_recap: "reasoning notes",
  user_editable_context: "custom instructions",
};

export const chatgpt: ImportFormat = {
  name: "chatgpt",
  title: "ChatGPT",
  files: "the zip of a data export, or its `conversations.json`",
  requiresOwner: true,
  async *read(source) {
    const files = filesNamed(
      source,
      /(^|\/)conversations(-\d+)?\.json$/,
      "conversations.json",
    );
    const savedMemories = new IdentitySet();
    for (const file of files) {
      for await (const element of elementsOf(file, [])) {
        if (element.kind === "set_aside") yield element;
        else yield* conversationItems(element.where, element.value, savedMemories);
      }
    }
  },
};

/** @param savedMemories those found so far, since every conversation repeats them */
function* conversationItems(
  where: string,
  conversation: JsonObject,
  savedMemories: IdentitySet,
): Generator<SourceItem> {
  const { mapping } = conversation;
  if (!isObject(mapping)) {
    yield { kind: "set_aside", where, reason: "mapping: Must be a JSON object" };
    return;
  }
  const omissions = new Omissions();
  const branch = branchOf(mapping, conversation["current_node"]);
  const nodes = Object.values(mapping).filter((node) =>
    isObject(node) && isObject(node["message"])
  );
  const shown = branch.filter((node) => isObject(node["message"]));
  omissions.add("discarded replies", nodes.length - shown.length);
  const messages = shown.flatMap(({ message }) =>
    messageOf(message as JsonObject, omissions) ?? []
  );
  for (const { message } of shown) yield* savedMemoryItems(where, message, savedMemories);
  if (messages.length > 0) {
    const title = typeof conversation["title"] === "string" ? conversation["title"] : "";
    const id = conversation["conversation_id"] ?? conversation["id"];
    yield {
      kind: "document",
      where,
      source_key: typeof id === "string" ? `chatgpt/${id}` : undefined,
      title: title === "" ? "Conversation" : title,
      content: conversationText(title === "" ? "Conversation" : title, messages),
      created_at: conversation["create_time"],
      updated_at: conversation["update_time"],
      messages,
    };
  } else omissions.add("empty conversations");
  yield* omissions.items();
}

/** Returns the nodes from the root to the current one. */
function branchOf(mapping: JsonObject, current: unknown): JsonObject[] {
  const branch: JsonObject[] = [];
  const visited = new Set<unknown>();
  let id = typeof current === "string" && current in mapping ? current : lastLeaf(mapping);
  while (typeof id === "string" && !visited.has(id)) {
    visited.add(id);
    const node = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
    if (!isObject(node)) break;
    branch.push(node);
    id = node["parent"] as string | undefined;
  }
  return branch.reverse();
}

/** Returns the last node without children, for exports that don't name the current one. */
function lastLeaf(mapping: JsonObject): string | undefined {
  return Object.keys(mapping).findLast((id) => {
    const node = mapping[id];
    return isObject(node) && !(Array.isArray(node["children"]) && node["children"].length > 0);
  });
}

/** Returns a message that the person wrote or read, or null. */
function messageOf(message: JsonObject, omissions: Omissions): SourceMessage | null {
  const { author, content, metadata, recipient, create_time } = message;
  if (!isObject(content)) return null;
  if (isObject(metadata) && metadata["is_visually_hidden_from_conversation"] === true) return null;
  const omitted = OMITTED_CONTENT[String(content["content_type"])];
  if (omitted !== undefined) {
    omissions.add(omitted);
    return null;
  }
  const role = isObject(author) ? author["role"] : undefined;
  if (role === "tool" || (role === "assistant" && (recipient ?? "all") !== "all")) {
    omissions.add("tool calls and results");
    return null;
  }
  if (role !== "user" && role !== "assistant") return null;
  const text = textOf(content, omissions);
  return text.trim() === "" ? null : { role, content: text, created_at: create_time };
}

function textOf(content: JsonObject, omissions: Omissions): string {
  if (typeof content["text"] === "string") {
    return content["content_type"] === "code"
      ? `\`\`\`\n${content["text"]}\n\`\`\``
      : content["text"];
  }
  if (!Array.isArray(content["parts"])) return "";
  return content["parts"].flatMap((part: unknown) => {
    if (typeof part === "string") return [part];
    if (!isObject(part)) return [];
    if (typeof part["text"] === "string") return [part["text"]];
    omissions.add(part["content_type"] === "image_asset_pointer" ? "images" : "attachments");
    return [];
  }).filter((text) => text !== "").join("\n\n");
}

/** An entry in what ChatGPT has saved about a person: `1. [2024-05-06]. Lives in Porto`. */
const SAVED_MEMORY = /^\s*\d+\.\s*\[(\d{4}-\d\d-\d\d)\]\.?\s*(.+)$/;

function* savedMemoryItems(
  where: string,
  message: unknown,
  known: IdentitySet,
): Generator<SourceItem> {
  const content = isObject(message) ? message["content"] : undefined;
  if (!isObject(content) || content["content_type"] !== "model_editable_context") return;
  const saved = content["model_set_context"];
  if (typeof saved !== "string") return;
  for (const line of saved.split("\n")) {
    const [, date, entry] = SAVED_MEMORY.exec(line) ?? [];
    const text = (entry ?? line).trim();
    if (text === "" || !known.add(text)) continue;
    yield { kind: "memory", where, id: text, text, created_at: date };
  }
}
