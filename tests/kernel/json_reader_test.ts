import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { JsonReader, JsonSyntaxError } from "../../src/kernel/bytes/json_reader.ts";
import { LIMITS } from "../../src/kernel/limits.ts";

function readerOf(text: string): JsonReader {
  async function* source() {
    yield new TextEncoder().encode(text);
  }
  return new JsonReader(source());
}

for (const [kind, open, close] of [["arrays", "[", "]"], ["objects", '{"a":', "}"]] as const) {
  const nested = (depth: number) => `${open.repeat(depth - 1)}[]${close.repeat(depth - 1)}`;

  Deno.test(`JsonReader.skip() skips ${kind} up to the maximum depth`, async () => {
    const reader = readerOf(nested(LIMITS.jsonDepth));
    await reader.skip();
    await reader.expectEnd();
    strictEqual(reader.offset, nested(LIMITS.jsonDepth).length);
  });

  Deno.test(`JsonReader.skip() throws if ${kind} are nested too deeply`, async () => {
    await rejects(readerOf(nested(LIMITS.jsonDepth + 1)).skip(), JsonSyntaxError);
    await rejects(readerOf(nested(200_000)).skip(), JsonSyntaxError);
  });
}

Deno.test("JsonReader copies each chunk before it requests the next", async () => {
  const words = Array.from({ length: 200_000 }, (_, n) => `word ${n}`);
  const text = new TextEncoder().encode(JSON.stringify(words));
  async function* throughOneBuffer() {
    const buffer = new Uint8Array(64 * 1024);
    for (let start = 0; start < text.length; start += buffer.length) {
      const piece = text.subarray(start, start + buffer.length);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
      buffer.fill(0);
    }
  }
  const reader = new JsonReader(throughOneBuffer());
  deepStrictEqual(await Array.fromAsync(reader.elements()), words);
  await reader.expectEnd();
  deepStrictEqual(await new JsonReader(throughOneBuffer()).value(), words);
});

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

Deno.test("JsonReader reads the same values however the text is split", async () => {
  const text =
    ' [12 , "a\\\\", "\\"]", {"b" :["}", {"c": "\\\\\\""}, -1.5e3]},null,true, "é", [] ] ';
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new JsonReader(piecesOf(bytes, size));
    deepStrictEqual(await Array.fromAsync(reader.elements()), JSON.parse(text));
    await reader.expectEnd();
    strictEqual(reader.offset, bytes.length);
    deepStrictEqual(await new JsonReader(piecesOf(bytes, size)).value(), JSON.parse(text));
  }
});

Deno.test("JsonReader.valueOrProblem() skips what isn't a value and reads what follows", async () => {
  const deep = `${"[".repeat(LIMITS.jsonDepth + 1)}"]"${"]".repeat(LIMITS.jsonDepth + 1)}`;
  const reader = readerOf(`[tru, ${deep}, 12, "end"]`);
  const read: unknown[] = [];
  for await (const _ of reader.elementOffsets()) read.push(await reader.valueOrProblem());
  deepStrictEqual(read.map((outcome) => "value" in (outcome as object)), [
    false,
    false,
    true,
    true,
  ]);
  await reader.expectEnd();
  await rejects(readerOf("[,1]").skip(), { message: "Expected a value at byte 1" });
});
