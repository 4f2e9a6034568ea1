/** Tests how JSON bodies are read: size, media type, encoding, depth and syntax. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readJson } from "../../src/http/body.ts";
import { parseOrThrow } from "../../src/http/execute_endpoint.ts";
import { addBody } from "../../src/memories/schema.ts";
import { rejectionOf } from "../../testing/schemas.ts";

const LIMIT = { bytes: 250_000, code: "REQUEST_TOO_LARGE" } as const;
const JSON_TYPE = { "content-type": "application/json" };

function read(body: BodyInit, headers: Readonly<Record<string, string>> = JSON_TYPE) {
  return readJson(new Request("http://localhost/", { method: "POST", headers, body }), LIMIT);
}

async function assertRefused(reading: Promise<unknown>, status: number, code: string) {
  const refused = await rejectionOf(reading);
  deepStrictEqual([refused?.status, refused?.code], [status, code]);
  return refused!;
}

/** Returns a verbatim add's body with exactly `bytes` bytes. */
function addOf(bytes: number, ignored = "x"): string {
  const start = '{"content":"hi","user_id":"ana","infer":false,"ignored":"';
  return start + ignored.repeat((bytes - start.length - 2) / new Blob([ignored]).size) + '"}';
}

Deno.test("readJson() counts bytes up to the limit, not characters", async () => {
  await read(addOf(250_000));
  await assertRefused(read(addOf(250_001)), 413, "REQUEST_TOO_LARGE");
  const wide = addOf(250_002, "ü");
  ok(wide.length < 250_000);
  await assertRefused(read(wide), 413, "REQUEST_TOO_LARGE");
});

Deno.test("readJson() checks the declared length before the body", async () => {
  const declared = { ...JSON_TYPE, "content-length": "99999999999" };
  await assertRefused(read("{}", declared), 413, "REQUEST_TOO_LARGE");
});

Deno.test("readJson() reads a body without a declared length up to the limit", async () => {
  const parts = ['{"content":"Ana skates",', '"user_id":"ana",', '"infer":false}'];
  const stream = (texts: readonly string[]) =>
    ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
  deepStrictEqual(await read(stream(parts)), JSON.parse(parts.join("")));
  const chunks = Array.from({ length: 100 }, () => "x".repeat(100_000));
  await assertRefused(read(stream(chunks)), 413, "REQUEST_TOO_LARGE");
});

for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
  Deno.test(`readJson() rejects 10,000 levels of ${open}`, async () => {
    const deep = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
    const add = `{"content":"x","user_id":"ana","infer":false,"metadata":{"a":${deep}}}`;
    for (const body of [add, deep, open.repeat(10_000)]) {
      await assertRefused(read(body), 400, "INVALID_REQUEST");
    }
  });
}

Deno.test("readJson() counts levels after text that ends with escapes", async () => {
  for (const text of ["\\\\", '\\"', '\\\\\\"[']) {
    const deep = `{"content":"${text}","user_id":"ana","infer":false,"x":${"[".repeat(10_000)}`;
    const { message } = await assertRefused(read(deep), 400, "INVALID_REQUEST");
    match(message, /nests deeper than 64 levels/);
  }
});

Deno.test("readJson() doesn't count brackets in text as levels", async () => {
  const add = { content: '[{"\\"'.repeat(5_000), user_id: "ana", infer: false };
  deepStrictEqual(await read(JSON.stringify(add)), add);
});

Deno.test("readJson() rejects text that is not JSON", async () => {
  for (const text of ["", " ", "{", "{'a':1}", '{"a":1,}', "{}{}", "NaN"]) {
    await assertRefused(read(text), 400, "INVALID_REQUEST");
  }
});

Deno.test("parseOrThrow() rejects JSON that is not an object", async () => {
  for (const text of ["null", "7", '"text"', "[]"]) {
    const parsing = read(text).then((value) => parseOrThrow(addBody, value));
    await assertRefused(parsing, 400, "INVALID_REQUEST");
  }
});

const NOT_UTF8: Readonly<Record<string, readonly number[]>> = {
  "a lone continuation byte": [0x80],
  "an overlong slash": [0xc0, 0xaf],
  "a surrogate": [0xed, 0xa0, 0x80],
  "a code point above U+10FFFF": [0xf5, 0x80, 0x80, 0x80],
  "a truncated character": [0xe2, 0x82],
};

for (const [name, bytes] of Object.entries(NOT_UTF8)) {
  Deno.test(`readJson() reports INVALID_UTF8 for ${name}`, async () => {
    const parts = ['{"content":"', new Uint8Array(bytes), '","user_id":"ana","infer":false}'];
    await assertRefused(read(await new Blob(parts).bytes()), 400, "INVALID_UTF8");
  });
}

const BODY = new TextEncoder().encode('{"content":"Ana naps","user_id":"ana","infer":false}');

Deno.test("readJson() accepts application/json in UTF-8", async () => {
  const accepted = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ];
  for (const type of accepted) await read(BODY, { "content-type": type });
});

Deno.test("readJson() rejects other media types and charsets", async () => {
  const refused = [
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=x",
  ];
  for (const type of refused) {
    await assertRefused(read(BODY, { "content-type": type }), 415, "UNSUPPORTED_MEDIA_TYPE");
  }
  await assertRefused(read(BODY, {}), 415, "UNSUPPORTED_MEDIA_TYPE");
});

Deno.test("readJson() rejects a compressed body", async () => {
  const coded = (coding: string) => read(BODY, { ...JSON_TYPE, "content-encoding": coding });
  const { message } = await assertRefused(coded("gzip"), 415, "UNSUPPORTED_MEDIA_TYPE");
  match(message, /Content-Encoding/);
  strictEqual((await coded("identity") as { user_id: string }).user_id, "ana");
});
