/** Tests documents sent as forms, all the way from multipart bytes to a validated document. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ingestBodyOf } from "../../src/documents/ingest_form.ts";
import { type IngestBody, ingestBody } from "../../src/documents/schema.ts";
import { parseOrThrow } from "../../src/http/execute_endpoint.ts";
import { readMultipart } from "../../src/http/multipart.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { rejectionOf } from "../../testing/schemas.ts";

const FORM_LIMITS = {
  maxPartBytes: LIMITS.documentBytes,
  maxBodyBytes: LIMITS.documentFormBytes,
  code: "DOCUMENT_TOO_LARGE",
} as const;

/** Reads a form the way POST /v1/documents does. */
async function read(
  body: BodyInit,
  type: string | null = "multipart/form-data; boundary=B",
): Promise<IngestBody> {
  const headers = type === null ? {} : { "content-type": type };
  const request = new Request("http://localhost/", { method: "POST", headers, body });
  return parseOrThrow(ingestBody, ingestBodyOf(await readMultipart(request, FORM_LIMITS)));
}

/** Reads a form encoded by the runtime. */
function readFile(file: File, fields: Readonly<Record<string, string>> = { user_id: "ana" }) {
  const form = new FormData();
  form.append("file", file);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return read(form, null);
}

const file = (content: BlobPart, type = "text/plain", name = "a.txt") =>
  new File([content], name, { type });

const part = (name: string, content: string, more = "") =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const filePart = (content = "text") => part("file", content, '; filename="f.txt"');
const END = "--B--\r\n";
const ANA = part("user_id", "ana");

/** Returns a body without a declared length. */
const stream = (text: string) => new Blob([text]).stream();

/** Returns a body that arrives one byte at a time. */
function byteStream(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return ReadableStream.from(bytes.values().map((byte) => Uint8Array.of(byte)));
}

type Case = readonly [when: string, code: string, read: () => Promise<unknown>];

const FILE_REQUIRED: readonly Case[] = [
  ["no file", "DOCUMENT_FILE_REQUIRED", () => read(ANA + END)],
  ["two files", "DOCUMENT_FILE_REQUIRED", () => read(filePart() + filePart() + ANA + END)],
  ["a file without a name", "DOCUMENT_FILE_REQUIRED", () => read(part("file", "text") + ANA + END)],
  [
    "a file and a field of the same name",
    "DOCUMENT_FILE_REQUIRED",
    () => read(filePart() + part("file", "text") + ANA + END),
  ],
];

const INVALID_FIELDS: readonly Case[] = [
  ["an empty file", "INVALID_REQUEST", () => readFile(file(""))],
  ["no scope", "INVALID_REQUEST", () => readFile(file("x"), {})],
  [
    "two titles",
    "INVALID_REQUEST",
    () => read(filePart() + ANA + part("title", "a") + part("title", "b") + END),
  ],
  [
    "a PDF",
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    () => readFile(file(new Uint8Array([0x25, 0x50, 0xff]), "application/pdf")),
  ],
  [
    "bytes of an unknown type",
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    () => readFile(file("x", "application/octet-stream", "x.bin")),
  ],
  ["invalid UTF-8", "INVALID_UTF8", () => readFile(file(new Uint8Array([0x61, 0xc3, 0x28])))],
  ["NUL", "INVALID_REQUEST", () => readFile(file("a\0b"))],
  ...["{", "[]", "null", '"a"', ""].map((metadata): Case => [
    `metadata ${metadata}`,
    "INVALID_DOCUMENT_METADATA",
    () => readFile(file("x"), { user_id: "ana", metadata }),
  ]),
];

const TOO_LARGE: readonly Case[] = [
  ...[1_000_001, 1_100_000, 3_000_000, 12_000_000].map((size): Case => [
    `${size} bytes`,
    "DOCUMENT_TOO_LARGE",
    () => readFile(file("a".repeat(size))),
  ]),
  [
    "an endless preamble",
    "DOCUMENT_TOO_LARGE",
    () => read(stream("a".repeat(1_300_000) + filePart() + ANA + END)),
  ],
  [
    "an endless epilogue",
    "DOCUMENT_TOO_LARGE",
    () => read(stream(filePart() + ANA + END + "e".repeat(1_300_000))),
  ],
];

const NOT_A_FORM: readonly Case[] = [
  ["no boundary", "INVALID_REQUEST", () => read(filePart() + END, "multipart/form-data")],
  [
    "another boundary",
    "INVALID_REQUEST",
    () => read(filePart() + END, "multipart/form-data; boundary=C"),
  ],
  ["no final boundary", "INVALID_REQUEST", () => read(filePart() + ANA)],
  ["an empty body", "INVALID_REQUEST", () => read("")],
  ["only a preamble", "INVALID_REQUEST", () => read("a form?\r\n")],
  ["endless headers", "INVALID_REQUEST", () => read(`--B\r\n${"X-A: b\r\n".repeat(5_000)}`)],
  ["a thousand parts", "INVALID_REQUEST", () => read(part("x", "y").repeat(1_000) + END)],
  [
    "a part without headers",
    "INVALID_REQUEST",
    () => read("--B\r\n\r\nlost\r\n" + filePart() + ANA + END),
  ],
  [
    "a part without a name",
    "INVALID_REQUEST",
    () => read(part("x", "lost").replace('name="x"', 'filename="x"') + filePart() + ANA + END),
  ],
  [
    "headers that are too long",
    "INVALID_REQUEST",
    () => read(part("x", "y", `; a=${"b".repeat(9_000)}`) + filePart() + ANA + END),
  ],
  [
    "an encoded part",
    "UNSUPPORTED_MEDIA_TYPE",
    () => read(part("x", "aGk=", "\r\nContent-Transfer-Encoding: base64") + filePart() + ANA + END),
  ],
];

const REFUSED: readonly (readonly [symbol: string, cases: readonly Case[]])[] = [
  ["ingestBodyOf()", FILE_REQUIRED],
  ["ingestBodyOf()", INVALID_FIELDS],
  ["readMultipart()", TOO_LARGE],
  ["readMultipart()", NOT_A_FORM],
];
const STATUS: Readonly<Record<string, number>> = {
  DOCUMENT_TOO_LARGE: 413,
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: 415,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

for (const [symbol, cases] of REFUSED) {
  for (const [when, code, run] of cases) {
    Deno.test(`${symbol} reports ${code} for ${when}`, async () => {
      const refused = await rejectionOf(run());
      deepStrictEqual([refused?.status, refused?.code], [STATUS[code] ?? 400, code]);
    });
  }
}

Deno.test("readMultipart() accepts every form notation that the standards allow", async (t) => {
  const accepted: Readonly<Record<string, readonly [body: BodyInit, content: string]>> = {
    "one byte at a time, with an epilogue": [
      byteStream(filePart("drip") + ANA + END + "more"),
      "drip",
    ],
    "text that resembles a boundary": [
      filePart("\r\n--A\r\n--\r\n-B") + ANA + END,
      "\r\n--A\r\n--\r\n-B",
    ],
    "lines that only begin like the boundary": [
      filePart("a\r\n--Bar\r\n\r\nb\r\n--B-\r\nc\r\n--B--c") + ANA + END,
      "a\r\n--Bar\r\n\r\nb\r\n--B-\r\nc\r\n--B--c",
    ],
    "white space after the boundary": [
      (filePart("padded") + ANA + END).replaceAll("--B\r\n", "--B \t\r\n"),
      "padded",
    ],
    "capitals, and a header of several lines": [
      '--B\r\ncontent-disposition: FORM-DATA;\r\n NAME="file";\r\n\tFileName=f.txt\r\n\r\nfolded\r\n' +
      ANA + END,
      "folded",
    ],
    "a line end before the first boundary": ["\r\n" + filePart("later") + ANA + END, "later"],
    "a preamble": [
      byteStream(`This is a form.\r\n--A\r\n and --B\r\n` + filePart("after") + ANA + END),
      "after",
    ],
    "64 parts": [part("x", "y").repeat(62) + filePart("64") + ANA + END, "64"],
    "unknown parts": [part("x", "y") + ANA + filePart("known") + END, "known"],
  };
  for (const [when, [body, content]] of Object.entries(accepted)) {
    await t.step(when, async () => strictEqual((await read(body)).content, content));
  }
});

Deno.test("readMultipart() accepts a file of a million bytes", async () => {
  strictEqual((await readFile(file("a".repeat(1_000_000)))).content.length, 1_000_000);
});

Deno.test("readMultipart() decodes filenames the way browsers and curl encode them", async () => {
  for (const name of ["\u6771\u4eac \u00e9.txt", 'a "b" 5%2.txt']) {
    strictEqual((await readFile(file("x", "text/plain", name))).source_key, name);
  }
  const names = [["a\\b.txt", "a\\b.txt"], ['a\\"b\\\\.txt', 'a"b\\.txt'], ["a\\", "a\\"]] as const;
  for (const [written, expected] of names) {
    const body = part("file", "x", `; filename="${written}"`) + ANA + END;
    strictEqual((await read(body)).source_key, expected);
  }
});

Deno.test("readMultipart() decodes an extended filename only once", async () => {
  const named = part("file", "text", `; filename="n"; filename*=UTF-8''caf%C3%A9%2522.txt`);
  strictEqual((await read(named + ANA + END)).source_key, "caf\u00e9%22.txt");
});
