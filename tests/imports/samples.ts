/** A small file for each format, written like those that the products export, and what it becomes. */

import type { Sample } from "./imports.ts";

/** A file to import. */
export interface FormatSample {
  readonly file: Sample;
  /** Query of the import request. */
  readonly query?: string;
  /** Texts of the memories, in any order. */
  readonly memories: readonly string[];
  /** Keys of the documents, in any order. */
  readonly documents: readonly string[];
  readonly setAside?: number;
  readonly notCarried?: Readonly<Record<string, number>>;
}

const json = (value: unknown) => JSON.stringify(value);
const lines = (...values: readonly unknown[]) => values.map(json).join("\n");

/** Samples by format. Every format has one. */
export const SAMPLES: Readonly<Record<string, FormatSample>> = {
  mem0: {
    file: json({
      count: 3,
      next: null,
      results: [
        {
          id: "0d7c2fd6-7b4f-4a5c-8d4e-1f9c56e3a001",
          memory: "Ana moved to Porto",
          user_id: "ana",
          metadata: { trip: 3 },
          categories: ["home"],
          created_at: "2024-03-04T05:06:07.123456-07:00",
          updated_at: "2024-05-04T05:06:07Z",
          expiration_date: "2031-01-01",
        },
        { id: "b2", memory: "Answers in Portuguese", agent_id: "tutor", run_id: "s1" },
        { id: "b3", memory: " ", user_id: "ana" },
      ],
    }),
    memories: ["Ana moved to Porto", "Answers in Portuguese"],
    documents: [],
    setAside: 1,
  },
  jsonl: {
    file: `${
      lines(
        { content: "Plays chess", user_id: "ana", created_at: "2024-01-02" },
        { content: "Works at a mill", valid_from: "2020-01-01", valid_to: "2023-01-01", id: 7 },
        { kind: "document", source_key: "notes/tea.md", content: "# Tea\n\nSteep for 3 minutes." },
      )
    }\n{"content": "cut off`,
    query: "?user_id=ben",
    memories: ["Plays chess", "Works at a mill"],
    documents: ["notes/tea.md"],
    setAside: 1,
  },

  "server-memory": {
    file: `${
      lines(
        {
          type: "entity",
          name: "Ana",
          entityType: "person",
          observations: ["Keeps bees", "Sails"],
        },
        { type: "entity", name: "Porto", entityType: "city", observations: [] },
        { type: "relation", from: "Ana", to: "Porto", relationType: "lives in" },
      )
    }\n{"type":"entity","name":"Ana","ent`,
    query: "?user_id=ana",
    memories: ["Ana: Keeps bees", "Ana: Sails", "Porto: city", "Ana lives in Porto"],
    documents: [],
    setAside: 1,
  },
  chatgpt: {
    file: { "conversations.json": json([conversation(), { title: "Empty", mapping: {} }]) },
    query: "?user_id=ana",
    memories: ["Lives in Porto"],
    documents: ["chatgpt/c-1"],
    notCarried: {
      "discarded replies": 1,
      "empty conversations": 1,
      images: 1,
      "reasoning notes": 1,
      "tool calls and results": 1,
    },
  },
  claude: {
    file: {
      "conversations.json": json([{
        uuid: "u-1",
        name: "Bread",
        created_at: "2024-04-01T08:00:00.000000Z",
        updated_at: "2024-04-01T08:05:00.000000Z",
        chat_messages: [
          {
            sender: "human",
            text: "How long does it rise?",
            content: [{ type: "text", text: "How long does it rise?" }],
            created_at: "2024-04-01T08:00:00Z",
            attachments: [{ file_name: "recipe.txt", extracted_content: "500 g flour" }],
            files: [{ file_name: "loaf.png" }],
          },
          {
            sender: "assistant",
            text: "Two hours.",
            content: [{ type: "thinking", thinking: "…" }, { type: "text", text: "Two hours." }],
          },
        ],
      }]),
      "projects.json": json([{
        uuid: "p-1",
        name: "Baking",
        prompt_template: "Be brief.",
        created_at: "2024-03-01T00:00:00Z",
        docs: [{ uuid: "d-1", filename: "oven.md", content: "# Oven\n\n230 degrees." }],
      }]),
      "memories.json": json([{
        conversations_memory: "**Work**\n\nAna runs a bakery.\n\n- Opens at six\n- Sells rye bread",
        project_memories: { "p-1": "The oven is electric." },
        account_uuid: "a",
      }]),
      "users.json": "[]",
    },
    query: "?user_id=ana",
    memories: ["Ana runs a bakery.", "Opens at six", "Sells rye bread", "The oven is electric."],
    documents: ["claude/u-1", "claude/p-1/instructions", "claude/p-1/d-1"],
    notCarried: { files: 1, "reasoning notes": 1 },
  },
  letta: {
    file: json({
      agents: [{
        name: "baker",
        block_ids: ["block-0", "block-1", "block-2"],
        messages: [
          { role: "system", content: "You are …" },
          { role: "user", content: '{"type":"user_message","message":"Good morning"}' },
          { role: "user", content: '{"type":"heartbeat"}' },
          {
            role: "assistant",
            content: [],
            tool_calls: [{ function: { name: "send_message", arguments: '{"message":"Hello"}' } }],
            created_at: "2025-05-06T07:08:09+00:00",
          },
        ],
      }],
      blocks: [
        { id: "block-0", label: "human", value: "Name: Ana", limit: 5000, description: null },
        { id: "block-1", label: "persona", value: "", limit: 5000 },
        { id: "block-2", label: "/rules", value: "Be brief.", limit: 5000 },
      ],
      files: [{ file_name: "oven.md", content: "230 degrees." }],
      tools: [{ name: "send_message" }],
      created_at: "2025-06-01T00:00:00+00:00",
    }),
    memories: [],
    documents: [
      "letta/baker/human.md",
      "letta/baker/rules.md",
      "letta/baker/messages",
      "letta/baker/files/oven.md",
    ],
    notCarried: { "empty memory blocks": 1, tools: 1 },
  },
  zep: {
    file: json({
      facts: [{
        uuid: "f-1",
        fact: "Ana works at the mill",
        name: "WORKS_AT",
        source_node_uuid: "n-1",
        valid_at: "2023-01-01T00:00:00Z",
        invalid_at: "2024-01-01T00:00:00Z",
        created_at: "2024-02-01T00:00:00Z",
      }],
      entities: [{ uuid: "n-1", name: "Ana", labels: ["Person"], summary: "A miller" }],
    }),
    query: "?user_id=ana",
    memories: ["Ana works at the mill", "Ana: A miller"],
    documents: [],
  },
  graphiti: {
    file: json({
      episodes: [{
        uuid: "e-1",
        name: "chat",
        episode_body: "Ana: I left the mill",
        group_id: "ana",
        valid_at: "2024-01-01T10:00:00Z",
      }],
      nodes: [{ uuid: "n-1", name: "Ana", group_id: "ana" }],
      edges: [{
        uuid: "x-1",
        fact: "Ana left the mill",
        group_id: "ana",
        created_at: "2024-01-01",
      }],
    }),
    memories: ["Ana left the mill"],
    documents: ["graphiti/e-1"],
  },
  "mcp-memory-service": {
    file: json({
      export_metadata: { total_memories: 1 },
      memories: [{
        content: "The mill opens at six",
        content_hash: "9f86d0",
        tags: ["work", "hours"],
        memory_type: "note",
        metadata: { by: "ana" },
        created_at: 1700000000.5,
        updated_at: 1700000100,
      }],
    }),
    query: "?agent_id=coder",
    memories: ["The mill opens at six"],
    documents: [],
  },
  markdown: {
    file: {
      "Notes/Tea 0123456789abcdef0123456789abcdef.md": "# Tea\n\nSteep. See [[Kettle]].",
      "Notes/Kettle.md":
        "---\ntitle: The kettle\ncreated: 2023-02-03\ntags: [kitchen]\n---\nBoils.",
      "Notes/Empty.md": "\n",
      ".obsidian/app.json": "{}",
      "Notes/photo.png": new Uint8Array([1, 2, 3]),
    },
    query: "?user_id=ana",
    memories: [],
    documents: ["Notes/Tea 0123456789abcdef0123456789abcdef.md", "Notes/Kettle.md"],
    notCarried: { "empty notes": 1, "other files": 1 },
  },
  slack: {
    file: {
      "users.json": json([{ id: "U1", name: "ana", profile: { display_name: "Ana" } }]),
      "channels.json": json([{ id: "C1", name: "mill" }]),
      "mill/2024-05-06.json": json([
        {
          type: "message",
          user: "U1",
          text: "Who opens?",
          ts: "1714989600.1",
          thread_ts: "1714989600.1",
        },
        { type: "message", user: "U1", text: "Rain &amp; wind", ts: "1714989700.1" },
        {
          type: "message",
          subtype: "channel_join",
          user: "U1",
          text: "joined",
          ts: "1714989800.1",
        },
      ]),
      "mill/2024-05-07.json": json([
        {
          type: "message",
          user: "U2",
          text: "<@U1> I do",
          ts: "1715076000.1",
          thread_ts: "1714989600.1",
        },
      ]),
    },
    query: "?agent_id=office",
    memories: [],
    documents: ["slack/mill/1714989600.1", "slack/mill/2024-05-06"],
    notCarried: { "service messages": 1 },
  },
  mbox: {
    file: [
      "From ana@example.org Mon May  6 10:00:00 2024",
      "From: Ana <ana@example.org>",
      "Subject: Flour",
      "Message-ID: <1@example.org>",
      "Date: Mon, 6 May 2024 10:00:00 +0200",
      "",
      "We need rye.",
      ">From the mill, please.",
      "",
      "From ben@example.org Mon May  6 11:00:00 2024",
      "From: ben@example.org",
      "Message-ID: <2@example.org>",
      "In-Reply-To: <1@example.org>",
      "Date: Mon, 6 May 2024 11:00:00 +0200",
      "Content-Type: text/html",
      "",
      "<p>Ordered <b>50 kg</b>.</p>",
      "",
    ].join("\r\n"),
    query: "?user_id=ana",
    memories: [],
    documents: ["mbox/1@example.org", "mbox/2@example.org"],
  },
};

/** A conversation with a regenerated reply, an image, a tool call and a saved memory. */
function conversation() {
  const node = (id: string, parent: string | null, message: unknown) => ({ id, parent, message });
  const say = (role: string, content: unknown, fields = {}) => ({
    author: { role },
    content,
    create_time: 1714989600.5,
    ...fields,
  });
  const text = (...parts: unknown[]) => ({ content_type: "text", parts });
  return {
    title: "Tea",
    create_time: 1714989000.25,
    update_time: 1714999000,
    conversation_id: "c-1",
    current_node: "6",
    mapping: {
      "0": node("0", null, null),
      "1": node(
        "1",
        "0",
        say("system", {
          content_type: "model_editable_context",
          model_set_context: "1. [2024-04-02]. Lives in Porto\n",
        }),
      ),
      "2": node("2", "1", say("user", text("How hot?", { content_type: "image_asset_pointer" }))),
      "3": node("3", "2", say("assistant", text("Boiling."))),
      "4": node("4", "2", say("assistant", { content_type: "thoughts", thoughts: [] })),
      "5": node("5", "4", say("assistant", text("search()"), { recipient: "web" })),
      "6": node("6", "5", say("assistant", text("80 degrees."))),
    },
  };
}
