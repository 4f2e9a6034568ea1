/** A file of many records for each format, so that an import takes several units of work. */

import type { Sample } from "./imports.ts";

/** Numbers of records. Documents take longer, so fewer of them are enough. */
const [MEMORIES, DOCUMENTS] = [1_500, 1_000];

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const json = (value: unknown) => JSON.stringify(value);
const time = "2024-05-06T07:08:09Z";
const text = (n: number) => `Note ${n} says that the mill opens at ${n % 24}.`;

/** Files by format. */
export const LARGE_SAMPLES: Readonly<Record<string, () => Sample>> = {
  mem0: () =>
    json({
      results: numbers(MEMORIES).map((n) => ({ id: `m${n}`, memory: text(n), user_id: "ana" })),
    }),
  jsonl: () =>
    numbers(MEMORIES).map((n) => json({ id: n, content: text(n), created_at: time })).join("\n"),
  "server-memory": () =>
    numbers(MEMORIES).map((n) =>
      json({ type: "entity", name: `Mill ${n}`, entityType: "mill", observations: [text(n)] })
    ).join("\n"),
  "mcp-memory-service": () =>
    json({ memories: numbers(MEMORIES).map((n) => ({ content: text(n), content_hash: `h${n}` })) }),
  zep: () => json({ facts: numbers(MEMORIES).map((n) => ({ uuid: `f${n}`, fact: text(n) })) }),
  graphiti: () =>
    json({
      nodes: numbers(MEMORIES).map((n) => ({ uuid: `n${n}`, name: `Mill ${n}`, summary: text(n) })),
      episodes: numbers(10).map((n) => ({ uuid: `e${n}`, name: "chat", content: text(n) })),
      edges: [],
    }),
  chatgpt: () =>
    json(
      numbers(DOCUMENTS).map((n) => ({
        title: `Chat ${n}`,
        conversation_id: `c${n}`,
        create_time: 1_714_989_000 + n,
        current_node: "1",
        mapping: {
          "0": { id: "0", parent: null, message: null },
          "1": {
            id: "1",
            parent: "0",
            message: {
              author: { role: "user" },
              content: { content_type: "text", parts: [text(n)] },
            },
          },
        },
      })),
    ),
  claude: () =>
    json(
      numbers(DOCUMENTS).map((n) => ({
        uuid: `u${n}`,
        name: `Chat ${n}`,
        created_at: time,
        chat_messages: [{ sender: "human", text: text(n), created_at: time }],
      })),
    ),
  letta: () =>
    json({
      agents: [{ name: "baker", block_ids: numbers(DOCUMENTS).map((n) => `b${n}`), messages: [] }],
      blocks: numbers(DOCUMENTS).map((n) => ({ id: `b${n}`, label: `block-${n}`, value: text(n) })),
    }),
  markdown: () => Object.fromEntries(numbers(DOCUMENTS).map((n) => [`notes/${n}.md`, text(n)])),
  slack: () => ({
    "mill/2024-05-06.json": json(
      numbers(DOCUMENTS).map((n) => {
        const ts = `${1_714_989_600 + n}.1`;
        return { type: "message", user: "U1", text: text(n), ts, thread_ts: ts };
      }),
    ),
  }),
  mbox: () =>
    numbers(DOCUMENTS).map((n) =>
      `From a@example.org\nMessage-ID: <${n}@example.org>\nSubject: Note ${n}\n\n${text(n)}\n\n`
    ).join(""),
};
