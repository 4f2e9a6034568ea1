/** Tests the fields shared by resources: scopes, metadata, dates and text. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { addBody, scopeQuery, updateBody } from "../../src/memories/schema.ts";
import { refusalOf } from "../../testing/schemas.ts";

const addOf = (fields: Readonly<Record<string, unknown>>) => ({
  content: "Ana hums",
  user_id: "ana",
  infer: false,
  ...fields,
});

/** Returns an add request's fields after validation. */
const parse = (fields: Readonly<Record<string, unknown>>) => addBody.parse(addOf(fields));

/** Checks that a field rejects each of the values, and that the issue names the field. */
function assertRefused(field: string, values: readonly unknown[]): void {
  for (const value of values) {
    const refused = refusalOf(addBody, addOf({ [field]: value }));
    deepStrictEqual(
      [refused?.status, refused?.code, refused?.issues[0]?.path],
      [400, "INVALID_REQUEST", field],
      JSON.stringify(value).slice(0, 40),
    );
  }
}

Deno.test("scopeValue is trimmed in bodies and queries", () => {
  const body = parse({ user_id: "\u00a0 ana\t\n", agent_id: " bot " });
  deepStrictEqual([body.user_id, body.agent_id, body.run_id], ["ana", "bot", undefined]);
  const query = new URLSearchParams("user_id=%20ana%0A&agent_id=bot+");
  deepStrictEqual(scopeQuery.parse(Object.fromEntries(query)), {
    user_id: "ana",
    agent_id: "bot",
  });
});

Deno.test("scopeValue has 1 to 256 characters without control characters", () => {
  strictEqual(parse({ user_id: ` ${"u".repeat(256)} ` }).user_id!.length, 256);
  strictEqual(parse({ user_id: "Ana / Bó?&#%20 😀" }).user_id, "Ana / Bó?&#%20 😀");
  assertRefused("user_id", [
    ...["", "   ", "u".repeat(257), "a\nb", "a\u0000b", "a\u007fb", "a\u0085b", "\ud800"],
    ...[7, null, ["ana"], { id: "ana" }],
  ]);
});

Deno.test("metadataField returns metadata exactly as it was sent", () => {
  const metadata = {
    b: [1, 2.5, -0.1, 1e21, true, null, "x\u2028"],
    a: { "dotted.key": { "": {} } },
    "ключ": "значение 😀",
    nested: [[], [{}]],
  };
  deepStrictEqual(parse({ metadata }).metadata, metadata);
  deepStrictEqual(parse({ metadata: {} }).metadata, {});
  strictEqual(parse({}).metadata, undefined);
});

Deno.test("metadataField accepts only JSON objects of at most 16 KiB and 8 levels", () => {
  const levels = (count: number): unknown =>
    count === 0 ? 1 : count % 2 ? { a: levels(count - 1) } : [levels(count - 1)];
  const bytes = (size: number) => ({ a: "é".repeat((size - 8) / 2) });
  for (const metadata of [{ a: levels(7) }, bytes(16_384)]) {
    strictEqual(refusalOf(addBody, addOf({ metadata })), null);
  }
  assertRefused("metadata", [{ a: levels(8) }, bytes(16_386), [], "text", 7, true, null]);
});

Deno.test("metadataField rejects text that can't be stored", () => {
  assertRefused("metadata", [{ a: "\0" }, { "\0": 1 }, { a: ["\ud800"] }, { "\udfff": 1 }]);
});

Deno.test("metadataField rejects numbers beyond the range of a double", () => {
  assertRefused("metadata", [JSON.parse('{"a":1e400}'), JSON.parse('{"a":[{"b":-1e999}]}')]);
});

Deno.test("timestampField accepts all ISO 8601 forms in the contract and returns a single form", () => {
  const dates = {
    "2026-03-04": "2026-03-04T00:00:00.000Z",
    "2026-03-04T05:06": "2026-03-04T05:06:00.000Z",
    "2026-03-04T05:06:07.123456+0530": "2026-03-03T23:36:07.123Z",
    "0001-01-01": "0001-01-01T00:00:00.000Z",
  };
  for (const [event_date, stored] of Object.entries(dates)) {
    strictEqual(parse({ event_date }).event_date, stored);
  }
  const wrong = ["", "2026-W10", "2026-03", "2026-02-30", "yesterday", 1772600767];
  assertRefused("event_date", wrong);
});

Deno.test("content is either returned exactly as it was sent, or rejected", () => {
  for (const content of ["  padded\n", "e\u0301 is not é", "\u200bzero", "a\u0001b", "😀\r\n"]) {
    strictEqual(parse({ content }).content, content);
  }
  assertRefused("content", [
    ...["", " \n\t", "\u3000", "\u0085", "a\0b", "\ud83d", "x\udc00y"],
    ...[null, 7, ["x"]],
  ]);
});

Deno.test("content has at most 100,000 bytes if it is stored verbatim", () => {
  const maxText = "ü".repeat(50_000);
  strictEqual(refusalOf(addBody, addOf({ content: maxText })), null);
  assertRefused("content", [`${maxText}x`]);
  strictEqual(refusalOf(addBody, addOf({ content: `${maxText}x`, infer: true })), null);
  const messages = [{ role: "user", content: "fine" }, { role: "user", content: `${maxText}x` }];
  const refused = refusalOf(addBody, addOf({ content: undefined, messages }));
  strictEqual(refused?.issues[0]?.path, "messages.1.content");
  strictEqual(refusalOf(updateBody, { content: `${maxText.slice(1)}xy` }), null);
  strictEqual(refusalOf(updateBody, { content: `${maxText}x` })?.status, 400);
});

Deno.test("importance is a number from 0 to 1", () => {
  for (const importance of [0, 0.5, 1]) strictEqual(parse({ importance }).importance, importance);
  assertRefused("importance", [-0.01, 1.01, "0.5", null]);
});

Deno.test("memoryType is one of eight types", () => {
  const types = "fact preference decision identity event observation goal todo".split(" ");
  for (const memory_type of types) strictEqual(parse({ memory_type }).memory_type, memory_type);
  assertRefused("memory_type", ["Fact", "memory", "", null]);
});
