/** Tests for the memory schemas: messages, batches and pages. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { addBody, batchDeleteBody, batchUpdateBody, listQuery } from "../../src/memories/schema.ts";
import { queryRefusalOf, refusalOf } from "../../testing/schemas.ts";

const say = (content: unknown, role = "user") => ({ role, content });
const addOf = (messages: unknown) => ({ user_id: "ana", infer: false, messages });

Deno.test("addBody accepts every role and joins the text parts of a message with line feeds", () => {
  const roles = ["system", "user", "assistant", "tool", "developer"];
  const messages = roles.map((role) =>
    say([{ type: "text", text: role }, { type: "text", text: " spoke " }], role)
  );
  deepStrictEqual(
    addBody.parse(addOf(messages)).messages,
    roles.map((role) => ({ role, content: `${role}\n spoke ` })),
  );
});

Deno.test("addBody accepts blank messages only if there is also one with text", () => {
  const empty = [say(""), say(" \n"), say([]), say([{ type: "text", text: "" }])];
  strictEqual(refusalOf(addBody, addOf([...empty, say("Ana juggles")])), null);
  for (const messages of [[], [say("")], [say(" "), say([{ type: "text", text: "\t" }])]]) {
    const refused = refusalOf(addBody, addOf(messages))!;
    deepStrictEqual([refused.status, refused.issues[0]!.path], [400, "messages"]);
  }
});

Deno.test("addBody requires either messages or content", () => {
  const both = { ...addOf([say("Ana juggles")]), content: "Ana juggles" };
  for (
    const [body, message] of [
      [{ user_id: "ana" }, "Either messages or content is required"],
      [both, "Pass either messages or content, not both"],
    ] as const
  ) deepStrictEqual(refusalOf(addBody, body)!.issues, [{ path: "content", message }]);
});

Deno.test("addBody rejects parts that are not text", () => {
  const parts = [
    [{ type: "image_url", image_url: { url: "https://x.example" } }],
    [{ type: "text", text: "fine" }, { type: "input_audio" }],
    [{ type: "text" }],
    ["text"],
    { type: "text", text: "not in a list" },
    null,
  ];
  for (const content of parts) {
    const refused = refusalOf(addBody, addOf([say(content)]))!;
    strictEqual(refused.status, 400, JSON.stringify(content));
    match(refused.issues[0]!.path, /^messages\.0\.content/);
  }
});

Deno.test("addBody reports a single issue for a message that can't be stored", () => {
  deepStrictEqual(refusalOf(addBody, addOf([say("a\0b")]))!.issues, [
    { path: "messages.0.content", message: "Must not contain NUL" },
  ]);
});

Deno.test("addBody accepts at most 500 messages", () => {
  const messages = (count: number) => Array.from({ length: count }, (_, n) => say(`Note ${n}`));
  strictEqual(refusalOf(addBody, addOf(messages(500))), null);
  const refused = refusalOf(addBody, addOf(messages(501)))!;
  deepStrictEqual([refused.status, refused.code], [400, "INVALID_REQUEST"]);
  match(refused.message, /500/);
});

Deno.test("addBody infers by default", () => {
  strictEqual(addBody.parse({ content: "My cat is called Miau", user_id: "ana" }).infer, true);
});

Deno.test("batchUpdateBody reports the path of the first invalid item", () => {
  const good = { memory_id: "mem_1", importance: 0.9 };
  const wrong: [memories: unknown, path: string][] = [
    [[good, good], "memories.1.memory_id"],
    [[good, { memory_id: "mem_x" }], "memories.1.content"],
    [[good, { memory_id: "mem_x", importance: 2 }], "memories.1.importance"],
    [[good, { memory_id: "mem_x", importance: 1, version: "soon" }], "memories.1.version"],
    [[good, { importance: 1 }], "memories.1.memory_id"],
    [[good, { memory_id: "mem_\ud800", importance: 1 }], "memories.1.memory_id"],
    [[good, { memory_id: "mem_\0", importance: 1 }], "memories.1.memory_id"],
    [[], "memories"],
    [Array.from({ length: 1_001 }, (_, n) => ({ memory_id: `m${n}`, importance: 1 })), "memories"],
  ];
  strictEqual(refusalOf(batchUpdateBody, { memories: [good] }), null);
  for (const [memories, path] of wrong) {
    const refused = refusalOf(batchUpdateBody, { memories })!;
    deepStrictEqual([refused.status, refused.issues[0]!.path], [400, path]);
  }
});

Deno.test("batchDeleteBody accepts between 1 and 1,000 distinct memories", () => {
  const items = (count: number) => Array.from({ length: count }, (_, n) => ({ memory_id: `${n}` }));
  for (const count of [1, 1_000]) {
    strictEqual(refusalOf(batchDeleteBody, { memories: items(count) }), null);
  }
  for (const memories of [[], items(1_001), [...items(2), ...items(1)]]) {
    ok(refusalOf(batchDeleteBody, { memories }) !== null);
  }
});

Deno.test("listQuery has a limit between 1 and 100, which defaults to 50", () => {
  strictEqual(listQuery.parse({ user_id: "ana" }).limit, 50);
  for (const limit of ["1", "100"]) {
    strictEqual(listQuery.parse({ user_id: "ana", limit }).limit, Number(limit));
  }
  for (const limit of ["0", "101", "-1", "1.5", "ten", ""]) {
    strictEqual(queryRefusalOf(listQuery, `user_id=ana&limit=${limit}`)!.issues[0]!.path, "limit");
  }
});
