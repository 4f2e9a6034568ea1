/** Claude's data export: conversations, projects with their documents, and what it remembers. */

import { conversationText, Omissions } from "../conversations.ts";
import { elementsOf, isObject, jsonFile, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem, SourceMessage } from "../model.ts";
import { invalidImport, type SourceFile } from "../source_files.ts";

/** Kinds of content that are not carried over, and what to call them. */
const OMITTED_CONTENT: Readonly<Record<string, string>> = {
  thinking: "reasoning notes",
  tool_use: "tool calls and results",
  tool_result: "tool calls and results",
  image: "images",
};

const LISTS = /(^|\/)(conversations|projects|memories)\.json$/;
const SINGLES = /(^|\/)(projects|memories)\/[^/]+\.json$/;

export const claude: ImportFormat = {
  name: "claude",
  title: "Claude",
  files: "the zip of a data export, or one of its files, such as `conversations.json`",
  requiresOwner: true,
  async *read(source) {
    if (!source.isArchive) return yield* listItems(source.files[0]!);
    let found = false;
    for (const file of source.files) {
      if (LISTS.test(file.name)) yield* listItems(file);
      else if (SINGLES.test(file.name)) yield* singleItems(file);
      else continue;
      found = true;
    }
    if (!found) throw invalidImport("The archive has no conversations.json");
  },
};

async function* listItems(file: SourceFile): AsyncGenerator<SourceItem> {
  for await (const element of elementsOf(file, [])) {
    if (element.kind === "set_aside") yield element;
    else yield* itemsOf(element.where, element.value);
  }
}

async function* singleItems(file: SourceFile): AsyncGenerator<SourceItem> {
  const read = await jsonFile(file);
  if ("problem" in read) {
    yield { kind: "set_aside", where: file.name, reason: read.problem };
    return;
  }
  for (const element of Array.isArray(read.value) ? read.value : [read.value]) {
    if (isObject(element)) yield* itemsOf(file.name, element);
    else yield { kind: "set_aside", where: file.name, reason: "Must be a JSON object" };
  }
}

/** Returns a record's items. Its fields show what it is, since the names of the files have changed. */
function itemsOf(where: string, value: JsonObject): Iterable<SourceItem> {
  if (Array.isArray(value["chat_messages"])) return conversationItems(where, value);
  if ("conversations_memory" in value || "project_memories" in value) {
    return memoryItems(where, value);
  }
  if ("docs" in value || "prompt_template" in value) return projectItems(where, value);
  return [{ kind: "set_aside", where, reason: "Must be a conversation, a project or memories" }];
}

function* conversationItems(where: string, conversation: JsonObject): Generator<SourceItem> {
  const omissions = new Omissions();
  const { uuid, name, created_at, updated_at } = conversation;
  const messages = (conversation["chat_messages"] as unknown[]).flatMap((message) =>
    isObject(message) ? messageOf(message, omissions) ?? [] : []
  );
  const title = typeof name === "string" && name !== "" ? name : "Conversation";
  if (messages.length === 0) omissions.add("empty conversations");
  else {
    yield {
      kind: "document",
      where,
      source_key: typeof uuid === "string" ? `claude/${uuid}` : undefined,
      title,
      content: conversationText(title, messages),
      created_at,
      updated_at,
      messages,
    };
  }
  yield* omissions.items();
}

function messageOf(message: JsonObject, omissions: Omissions): SourceMessage | null {
  const { sender, content, text, attachments, files, created_at } = message;
  omissions.add("files", Array.isArray(files) ? files.length : 0);
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = parts.flatMap((part) => {
    if (part["type"] === "text") return typeof part["text"] === "string" ? [part["text"]] : [];
    omissions.add(OMITTED_CONTENT[String(part["type"])] ?? "attachments");
    return [];
  });
  const attached = (Array.isArray(attachments) ? attachments : []).flatMap((file: unknown) => {
    if (!isObject(file) || typeof file["extracted_content"] !== "string") return [];
    return [`_${String(file["file_name"] ?? "Attachment")}_\n\n${file["extracted_content"]}`];
  });
  const said = texts.join("\n\n").trim() || (typeof text === "string" ? text.trim() : "");
  const all = [said, ...attached].filter((part) => part !== "").join("\n\n");
  if (all === "") return null;
  return { role: sender === "human" ? "user" : "assistant", content: all, created_at };
}

function* projectItems(where: string, project: JsonObject): Generator<SourceItem> {
  const { uuid, name, prompt_template, docs, created_at } = project;
  const about = { project: typeof name === "string" ? name : null };
  const folder = typeof uuid === "string" ? `claude/${uuid}` : `claude/${String(name)}`;
  if (typeof prompt_template === "string" && prompt_template.trim() !== "") {
    yield {
      kind: "document",
      where,
      source_key: `${folder}/instructions`,
      title: `${about.project ?? "Project"}: instructions`,
      content: prompt_template,
      metadata: about,
      created_at,
    };
  }
  for (const [index, doc] of (Array.isArray(docs) ? docs : []).entries()) {
    if (!isObject(doc)) continue;
    yield {
      kind: "document",
      where: `${where}: docs[${index}]`,
      source_key: `${folder}/${String(doc["uuid"] ?? doc["filename"] ?? index)}`,
      title: doc["filename"],
      content: doc["content"],
      metadata: about,
      created_at: doc["created_at"],
    };
  }
}

function* memoryItems(where: string, memories: JsonObject): Generator<SourceItem> {
  const { conversations_memory, project_memories } = memories;
  if (typeof conversations_memory === "string") yield* statements(where, conversations_memory, {});
  if (!isObject(project_memories)) return;
  for (const [project, text] of Object.entries(project_memories)) {
    if (typeof text === "string") yield* statements(where, text, { project });
  }
}

/** Yields a memory for each paragraph and list item, with the heading that it's under. */
function* statements(where: string, text: string, about: JsonObject): Generator<SourceItem> {
  let section: string | null = null;
  for (const block of text.split(/\n\s*\n|\n(?=\s*[-*+] |\s*#|\s*\*\*[^*]+\*\*\s*(?:\n|$))/)) {
    const line = block.trim();
    const heading = /^#+\s*(.+)$/.exec(line)?.[1] ?? /^\*\*([^*\n]+)\*\*:?$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    const statement = line.replace(/^[-*+]\s+/, "");
    if (heading !== undefined || statement === "") continue;
    yield {
      kind: "memory",
      where,
      id: JSON.stringify([about["project"] ?? null, section, statement]),
      text: statement,
      metadata: { ...about, ...section !== null && { section } },
    };
  }
}
