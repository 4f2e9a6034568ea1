/** Tests ids, canonical JSON, digests, text, pages and the log. */

import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import { Cursors } from "../../src/kernel/http/cursor.ts";
import { canonicalJson, sha256 } from "../../src/kernel/hash.ts";
import { systemRandom, ulidIds } from "../../src/kernel/ids.ts";
import { describeError, jsonLog } from "../../src/kernel/log.ts";
import { paginate } from "../../src/kernel/http/page.ts";
import { isBlank, textProblem, utf8Length } from "../../src/kernel/text.ts";

Deno.test("ulidIds() returns prefixed ids that increase even within a single millisecond", () => {
  let now = 1_800_000_000_000;
  const ids = ulidIds({ now: () => now }, systemRandom());
  const created = Array.from({ length: 2_000 }, () => ids.next("mem"));
  now++;
  created.push(ids.next("mem"));
  deepStrictEqual(created, created.toSorted());
  strictEqual(new Set(created).size, created.length);
  for (const id of created) match(id, /^mem_[0-9a-hjkmnp-tv-z]{26}$/);
  match(ids.next("artifact"), /^artifact_/);
});

Deno.test("ulidIds() returns different ids in two processes at the same time", () => {
  const clock = { now: () => 1_800_000_000_000 };
  const [first, second] = [ulidIds(clock, systemRandom()), ulidIds(clock, systemRandom())];
  notStrictEqual(first.next("req"), second.next("req"));
});

Deno.test("systemRandom() returns numbers within [0, 1), even beyond its first block", () => {
  const random = systemRandom();
  const numbers = Array.from({ length: 1_000 }, random);
  ok(numbers.every((number) => number >= 0 && number < 1));
  ok(new Set(numbers).size > 990);
});

Deno.test("canonicalJson() returns the same text for equal values with keys in any order", () => {
  strictEqual(
    canonicalJson({ b: [1, { d: null, c: "x" }], a: true }),
    '{"a":true,"b":[1,{"c":"x","d":null}]}',
  );
  strictEqual(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
  strictEqual(
    canonicalJson({ "\u00e9": 1, z: 2, Z: 3, "10": 4, "9": 5 }),
    '{"10":4,"9":5,"Z":3,"z":2,"é":1}',
  );
  strictEqual(canonicalJson(undefined), "null");
  const proto = JSON.parse('{"__proto__":{"a":1},"b":2}');
  strictEqual(canonicalJson(proto), '{"__proto__":{"a":1},"b":2}');
});

Deno.test("canonicalJson() round-trips, and does not depend on insertion order", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const parsed = JSON.parse(JSON.stringify(value));
    strictEqual(canonicalJson(JSON.parse(canonicalJson(parsed))), canonicalJson(parsed));
    strictEqual(canonicalJson(reversed(parsed)), canonicalJson(parsed));
  }));
});

Deno.test("sha256() returns the SHA-256 of the UTF-8 text", () => {
  strictEqual(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  strictEqual(sha256("ü"), sha256(new Uint8Array([0xc3, 0xbc])));
});

Deno.test("utf8Length(), isBlank() and textProblem() measure and check Unicode text", () => {
  strictEqual(utf8Length("aü€😀"), 1 + 2 + 3 + 4);
  for (const blank of ["", " \t\n", "\u00a0\u2003\u3000\ufeff", "\u0085"]) {
    strictEqual(isBlank(blank), true);
  }
  strictEqual(isBlank("\u200b."), false);
  strictEqual(textProblem("fine 😀"), null);
  strictEqual(textProblem("a\0b"), "nul");
  strictEqual(textProblem("\ud83d"), "surrogate");
  strictEqual(textProblem("\ude00\ud83d"), "surrogate");
});

Deno.test("paginate() loads one row more than the page needs, and returns a cursor only if there is another page", async () => {
  const cursors = new Cursors("secret");
  const rows = Array.from({ length: 7 }, (_, index) => index);
  const seen: number[] = [];
  const counts: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await paginate(
      cursors,
      { limit: 3, cursor, list: ["rows"] },
      (after, count) => {
        counts.push(count);
        const start = after === null ? 0 : Number(after[0]) + 1;
        return Promise.resolve(rows.slice(start, start + count));
      },
      (row) => [row],
      (row) => row,
    );
    seen.push(...page.results);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  deepStrictEqual(seen, rows);
  deepStrictEqual(counts, [4, 4, 4]);
});

Deno.test("jsonLog() writes lines from the same turn together, and drops those below its level", async () => {
  const written: string[] = [];
  const log = jsonLog({ now: () => 0 }, "warn", (text) => void written.push(text));
  log.info("dropped");
  log.warn("first", { request_id: "req_1", omitted: undefined });
  log.error("second");
  strictEqual(written.join(""), "");
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  strictEqual(
    written.join(""),
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","event":"first","request_id":"req_1"}\n' +
      '{"time":"1970-01-01T00:00:00.000Z","level":"error","event":"second"}\n',
  );
  strictEqual(written.length, 1, "one write for both");
  const off = jsonLog({ now: () => 0 }, "off", (text) => void written.push(text));
  off.error("dropped");
  off.flush();
  strictEqual(written.length, 1);
});

Deno.test("describeError() includes the causes", () => {
  const error = new Error("outer", { cause: new Error("inner") });
  match(describeError(error), /outer[^]*caused by [^]*inner/);
  strictEqual(describeError("just text"), "just text");
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).reverse().map(([key, member]) => [key, reversed(member)]),
  );
}
