/**
 * Letta's agent files (`.af`): agents with their memory blocks, messages and files. Passages of the
 * archival memory are not part of an agent file.
 */

import { conversationText, Omissions } from "../conversations.ts";
import { earliest } from "../times.ts";
import { isObject, jsonFile, type JsonObject, parseText } from "../json.ts";
import type { ImportFormat, SourceItem, SourceMessage } from "../model.ts";
import { filesNamed, type SourceFile } from "../source_files.ts";

/** Parts of an agent file that have no counterpart, by their key. */
const OMITTED_PARTS: Readonly<Record<string, string>> = {
  tools: "tools",
  sources: "data sources",
  mcp_servers: "MCP servers",
  skills: "skills",
};

export const letta: ImportFormat = {
  name: "letta",
  title: "Letta",
  files: "an agent file (`.af`), or an archive of them",
  requiresOwner: false,
  async *read(source) {
    for (const file of filesNamed(source, /\.(af|json)$/i, "file that ends in .af")) {
      yield* agentFileItems(file);
    }
  },
};

async function* agentFileItems(file: SourceFile): AsyncGenerator<SourceItem> {
  const read = await readAgentFile(file);
  if ("problem" in read) {
    yield { kind: "set_aside", where: file.name, reason: read.problem };
    return;
  }
  const { value, agents } = read;
  const blocks = objects(value["blocks"]);
  const omissions = new Omissions();
  for (const [index, agent] of agents.entries()) {
    const where = `${file.name}: agents[${index}]`;
    yield* agentItems(where, agent, blocks, value["created_at"], omissions);
  }
  const attached = new Set(agents.flatMap(blockIdsOf));
  const detached = blocks.filter((block) => !attached.has(block["id"]));
  yield* blockItems(
    file.name,
    String(agents[0]?.["name"]),
    detached,
    value["created_at"],
    omissions,
  );
  yield* fileItems(file, value, agents[0]);
  for (const [key, what] of Object.entries(OMITTED_PARTS)) {
    omissions.add(what, objects(value[key]).length);
  }
  yield* omissions.items();
}

/** An agent file and the agents in it. */
interface AgentFile {
  readonly value: JsonObject;
  readonly agents: readonly JsonObject[];
}

/** Returns an agent file, or why it can't be read. */
async function readAgentFile(file: SourceFile): Promise<AgentFile | { readonly problem: string }> {
  let read = await jsonFile(file);
  // Some agent files are a JSON text within a JSON text.
  if ("value" in read && typeof read.value === "string") read = parseText(read.value);
  if ("problem" in read) return read;
  const { value } = read;
  if (!isObject(value)) return { problem: "Not an agent file" };
  // Files of the first version describe a single agent.
  const agents = Array.isArray(value["agents"]) ? value["agents"].filter(isObject) : [value];
  return agents.every((agent) => typeof agent["name"] === "string")
    ? { value, agents }
    : { problem: "Not an agent file: an agent has no name" };
}

function* agentItems(
  where: string,
  agent: JsonObject,
  allBlocks: readonly JsonObject[],
  exportedAt: unknown,
  omissions: Omissions,
): Generator<SourceItem> {
  const blockIds = blockIdsOf(agent);
  const blocks = [
    ...allBlocks.filter((block) => blockIds.includes(block["id"])),
    ...objects(agent["core_memory"]),
    ...objects(agent["memory_blocks"]),
  ];
  yield* blockItems(where, agent["name"] as string, blocks, exportedAt, omissions);
  yield* conversationItems(where, agent, omissions);
}

function blockIdsOf(agent: JsonObject): readonly unknown[] {
  return Array.isArray(agent["block_ids"]) ? agent["block_ids"] : [];
}

/** Yields an agent's memory blocks as documents. Detached blocks count as the first agent's. */
function* blockItems(
  where: string,
  name: string,
  blocks: readonly JsonObject[],
  exportedAt: unknown,
  omissions: Omissions,
): Generator<SourceItem> {
  for (const block of blocks) {
    const { label, value, description, limit, created_at } = block;
    if (typeof value !== "string" || value.trim() === "") {
      omissions.add("empty memory blocks");
      continue;
    }
    yield {
      kind: "document",
      where: `${where}: block "${String(label)}"`,
      // Labels of newer versions are paths.
      source_key: `letta/${name}/${String(label ?? block["id"]).replace(/^\/+/, "")}.md`,
      title: `${name}: ${String(label)}`,
      content: value,
      agent_id: name,
      metadata: { label: label ?? null, description: description ?? null, limit: limit ?? null },
      created_at: created_at ?? exportedAt,
    };
  }
}

function* conversationItems(
  where: string,
  agent: JsonObject,
  omissions: Omissions,
): Generator<SourceItem> {
  const name = agent["name"] as string;
  const messages = objects(agent["messages"]).flatMap((message) => messageOf(message, omissions));
  if (messages.length === 0) return;
  yield {
    kind: "document",
    where: `${where}: messages`,
    source_key: `letta/${name}/messages`,
    title: `${name}: messages`,
    content: conversationText(`${name}: messages`, messages),
    agent_id: name,
    created_at: earliest(messages.map(({ created_at }) => created_at)),
    messages,
  };
}

function messageOf(message: JsonObject, omissions: Omissions): SourceMessage[] {
  const { role, content, created_at } = message;
  const texts = [typeof content === "string" ? content : "", message["text"]].concat(
    objects(content).map((part) => part["type"] === "text" ? part["text"] : ""),
  );
  const text = texts.filter((text) => typeof text === "string").join("\n\n").trim();
  if (role === "tool") omissions.add("tool calls and results");
  if (role === "user") {
    const said = userText(text);
    return said === "" ? [] : [{ role, content: said, created_at }];
  }
  if (role !== "assistant") return [];
  const sent = objects(message["tool_calls"]).flatMap((call) => sentText(call, omissions));
  return [text, ...sent].filter((part) => part !== "")
    .map((part) => ({ role, content: part, created_at }));
}

/** Returns what a person said, without the envelope that some versions put around it. */
function userText(text: string): string {
  if (text.startsWith("<system-reminder>") && text.endsWith("</system-reminder>")) return "";
  if (!text.startsWith("{")) return text;
  try {
    const envelope: unknown = JSON.parse(text);
    if (!isObject(envelope) || typeof envelope["type"] !== "string") return text;
    // Heartbeats and logins are events of the runtime.
    return envelope["type"] === "user_message" ? String(envelope["message"] ?? "") : "";
  } catch {
    return text;
  }
}

/** Returns what an agent said through the tool `send_message`. */
function sentText(call: JsonObject, omissions: Omissions): string[] {
  const { name, arguments: text } = isObject(call["function"]) ? call["function"] : {};
  if (name !== "send_message" || typeof text !== "string") {
    omissions.add("tool calls and results");
    return [];
  }
  try {
    const sent: unknown = JSON.parse(text);
    return isObject(sent) && typeof sent["message"] === "string" ? [sent["message"]] : [];
  } catch {
    omissions.add("tool calls and results");
    return [];
  }
}

function* fileItems(
  file: SourceFile,
  value: JsonObject,
  agent: JsonObject | undefined,
): Generator<SourceItem> {
  const name = String(agent?.["name"]);
  for (const [index, attached] of objects(value["files"]).entries()) {
    const fileName = String(attached["file_name"] ?? attached["original_file_name"] ?? index);
    yield {
      kind: "document",
      where: `${file.name}: files[${index}]`,
      source_key: `letta/${name}/files/${fileName}`,
      title: fileName,
      content: attached["content"],
      agent_id: name,
      created_at: attached["created_at"] ?? value["created_at"],
    };
  }
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
