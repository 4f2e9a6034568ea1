/** Records whose fields have the most extreme values that the API accepts. */

import { strictEqual } from "node:assert/strict";
import { canonicalJson } from "../../src/kernel/hash.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { utf8Length } from "../../src/kernel/text.ts";
import { MEMORY_TYPES } from "../../src/memories/schema.ts";
import type { RequestOptions } from "../../testing/harness.ts";
import { importFile } from "../imports/imports.ts";
import {
  type ApiCaller,
  bytesOf,
  extractFile,
  freshKey,
  waitForOperation,
} from "../uploads/files.ts";

/** The first and the last time, and those around the Unix epoch. */
const TIMES = [
  "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
];

/**
 * Characters that programs tend to change: controls, line ends, marks of byte order, noncharacters,
 * the last code point, joined emoji, and letters that normalization composes or folds.
 */
const CHARACTERS =
  "\ufeff\x01\x1f\x7f\x85\t\r\n\r\u2028\u2029\u200b\u200d\u202e\ufffd\ufffe\uffff" +
  "\u{10ffff}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}e\u0301\u212bİıſß\"\\/'`$%{}<>&;,--\\0\\u0000 ";

/** The same without control characters, which scopes can't contain, and white space at the ends. */
const PLAIN_CHARACTERS = CHARACTERS.replaceAll(/\p{Cc}/gu, "").trim();

/** Returns a text of exactly `length` characters. */
function textOf(length: number, characters = CHARACTERS): string {
  const whole = characters.repeat(Math.floor(length / characters.length));
  return whole + "x".repeat(length - whole.length);
}

/** Returns a text of exactly `bytes` bytes of UTF-8. Most of it is a word, which is fast to index. */
function bytesOfText(bytes: number): string {
  const start = bytes < utf8Length(CHARACTERS) ? "" : CHARACTERS;
  return start + "x".repeat(bytes - utf8Length(start));
}

/** Returns a value that nests a number of levels deep. */
function nested(levels: number): unknown {
  if (levels === 0) return CHARACTERS;
  return levels % 2 === 0 ? [nested(levels - 1)] : { [CHARACTERS]: nested(levels - 1) };
}

/** Returns metadata of the largest size and depth, with unusual names and numbers. */
function extremeMetadata(): unknown {
  const members = {
    numbers: [0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53],
    literals: [true, false, null, "", [], {}],
    deep: nested(LIMITS.metadataDepth - 1),
    "": 1,
    "a.b": 2,
    $: 3,
    [CHARACTERS]: CHARACTERS,
    constructor: "constructor",
    toString: null,
    10: "before 9",
    9: "after 10",
  };
  // An object literal would set the prototype.
  const text = `{"__proto__":{"a":1},${JSON.stringify(members).slice(1, -1)},"fill":""}`;
  const size = utf8Length(JSON.stringify(JSON.parse(text)));
  return JSON.parse(text.replace(/""\}$/, `"${"x".repeat(LIMITS.metadataBytes - size)}"}`));
}

const metadata = extremeMetadata();

const OWNERS = {
  user_id: textOf(LIMITS.scopeCharacters, PLAIN_CHARACTERS),
  agent_id: `../${"%2F?#".repeat(50)}`,
  run_id: ".",
};

async function ok(server: ApiCaller, method: string, path: string, options: RequestOptions = {}) {
  const reply = await server.call(method, path, options);
  strictEqual(reply.status, 200, reply.text);
  return reply.json;
}

/** Adds memories of every type, with changes, feedback and deletions. */
async function addMemories(server: ApiCaller): Promise<void> {
  const ids: string[] = [];
  for (const [at, memory_type] of MEMORY_TYPES.entries()) {
    const body = {
      content: bytesOfText(at === 0 ? LIMITS.memoryTextBytes : 1 + at * 100),
      ...(at < 4 ? OWNERS : { [Object.keys(OWNERS)[at % 3]!]: OWNERS.user_id }),
      memory_type,
      importance: [0, 1, 5e-324, 1 - 2 ** -53][at % 4],
      ...(at < 2 ? { metadata } : at === 2 ? { metadata: {} } : {}),
      ...(at < TIMES.length ? { event_date: TIMES[at] } : {}),
      infer: false,
    };
    const [{ id }] = (await ok(server, "POST", "/v1/memories", { body })).results;
    const { infer: _, content, event_date = null, ...fields } = body;
    const stored = await ok(server, "GET", `/v1/memories/${id}`);
    const sent = { ...stored, ...fields, memory: content, event_date, valid_from: event_date };
    strictEqual(canonicalJson(stored), canonicalJson(sent));
    ids.push(id);
  }
  const content = bytesOfText(LIMITS.memoryTextBytes - 1);
  await ok(server, "PUT", `/v1/memories/${ids[0]}`, { body: { content, metadata: {} } });
  await ok(server, "PUT", `/v1/memories/${ids[4]}`, { body: { content: "x", metadata } });
  for (const [at, rating] of ["very_negative", "positive"].entries()) {
    const body = {
      rating,
      reason: textOf(at * LIMITS.feedbackReasonCharacters),
      request_id: textOf(at * LIMITS.requestIdCharacters),
    };
    await ok(server, "POST", `/v1/memories/${ids[at]}/feedback`, { body });
  }
  await ok(server, "POST", `/v1/memories/${ids[2]}/feedback`, { body: { rating: "negative" } });
  await ok(server, "DELETE", `/v1/memories/${ids[2]}/feedback`);
  await ok(server, "DELETE", `/v1/memories/${ids[1]}`);
  const { event_id } = (await server.call("POST", "/v1/memories", {
    body: { content: "I live in Porto.", ...OWNERS, metadata, event_date: TIMES[0] },
    headers: freshKey(),
  })).json;
  strictEqual((await waitForOperation(server, event_id)).status, "success");
}

/** Imports memories and a document whose own times are the first and the last. */
async function importRecords(server: ApiCaller): Promise<void> {
  const [first, last] = TIMES;
  const times = [[first, first], [first, last], [last, last]];
  const lines = times.map(([created_at, updated_at], at) => ({
    id: `${at}`,
    content: `Imported ${at}`,
    ...OWNERS,
    created_at,
    updated_at,
    valid_from: updated_at,
    valid_to: at === 0 ? null : created_at,
  }));
  const document = { kind: "document", source_key: "old", content: "Old", user_id: "a" };
  const all = [...lines, { ...document, created_at: first }];
  const text = all.map((line) => JSON.stringify(line)).join("\n");
  const result = await importFile(server.call, "jsonl", text);
  strictEqual(result.set_aside.count, 0, JSON.stringify(result));
}

/** Adds the largest and the smallest document, an earlier version, and a file. */
async function addDocuments(server: ApiCaller): Promise<void> {
  const large = {
    content: bytesOfText(LIMITS.documentBytes),
    source_key: textOf(LIMITS.sourceKeyCharacters),
    title: textOf(LIMITS.titleCharacters),
    source_uri: textOf(LIMITS.sourceUriCharacters),
    mime_type: `text/${"!#$&^_.+-".repeat(15).slice(0, 127)}`,
    ...OWNERS,
    metadata,
  };
  const small = { content: "x", source_key: "\u{10ffff}", title: ".", run_id: "." };
  const versions = [{ ...large, content: CHARACTERS }, large, small];
  for (const body of versions) await ok(server, "POST", "/v1/documents", { body });
  const fields = {
    filename: textOf(LIMITS.filenameCharacters),
    content_type: `text/plain; a=${"~".repeat(LIMITS.contentTypeCharacters - 14)}`,
    source_key: textOf(LIMITS.sourceKeyCharacters - 1),
    title: textOf(LIMITS.titleCharacters),
    ...OWNERS,
    metadata,
  };
  const { operation } = await extractFile(server, { bytes: bytesOf(CHARACTERS), fields });
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
}

/** Adds records of each kind with extreme values. */
export async function addExtremes(server: ApiCaller): Promise<void> {
  await addMemories(server);
  await importRecords(server);
  await addDocuments(server);
}
