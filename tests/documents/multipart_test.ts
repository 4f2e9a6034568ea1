/** Ingest as a form: what has to be in it, and what is refused of a hostile one. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { ingestFile } from "./documents.ts";

const file = (content: BlobPart, type = "text/plain", name = "a.txt") =>
  new File([content], name, { type });

/** A body as it stands on the wire. */
function raw(server: TestServer, body: BodyInit, type = "multipart/form-data; boundary=B") {
  return server.call("POST", "/v1/documents", { raw: body, headers: { "content-type": type } });
}

const PART = (name: string, content: string, more = "") =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const FILE = (content = "text") => PART("file", content, '; filename="f.txt"');
const END = "--B--\r\n";

Deno.test("every refusal of a form has its code, and nothing is stored", async (t) => {
  await withServer(async (server) => {
    const refused = (
      when: string,
      status: number,
      code: string,
      run: () => ReturnType<typeof ingestFile>,
    ) =>
      t.step(when, async () => {
        const reply = await run();
        strictEqual(reply.status, status, reply.text);
        strictEqual(reply.json.code, code, reply.text);
      });
    const ana = PART("user_id", "ana");
    await refused("no file", 400, "DOCUMENT_FILE_REQUIRED", () => raw(server, ana + END));
    await refused(
      "two files",
      400,
      "DOCUMENT_FILE_REQUIRED",
      () => raw(server, FILE() + FILE() + ana + END),
    );
    await refused(
      "a file that is a field",
      400,
      "DOCUMENT_FILE_REQUIRED",
      () => raw(server, PART("file", "text") + ana + END),
    );
    await refused(
      "a file, and a field of its name",
      400,
      "DOCUMENT_FILE_REQUIRED",
      () => raw(server, FILE() + PART("file", "text") + ana + END),
    );
    await refused("an empty file", 400, "INVALID_REQUEST", () => ingestFile(server, file("")));
    await refused("no scope", 400, "INVALID_REQUEST", () => ingestFile(server, file("x"), {}));
    await refused(
      "two titles",
      400,
      "INVALID_REQUEST",
      () => raw(server, FILE() + ana + PART("title", "a") + PART("title", "b") + END),
    );
    await refused(
      "a PDF",
      415,
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      () => ingestFile(server, file(new Uint8Array([0x25, 0x50, 0xff]), "application/pdf")),
    );
    await refused(
      "bytes of no type",
      415,
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      () => ingestFile(server, file("x", "application/octet-stream", "x.bin")),
    );
    await refused(
      "no UTF-8",
      400,
      "INVALID_UTF8",
      () => ingestFile(server, file(new Uint8Array([0x61, 0xc3, 0x28]))),
    );
    await refused("NUL", 400, "INVALID_REQUEST", () => ingestFile(server, file("a\0b")));
    for (const metadata of ["{", "[]", "null", '"a"', ""]) {
      await refused(
        `metadata ${metadata}`,
        400,
        "INVALID_DOCUMENT_METADATA",
        () => ingestFile(server, file("x"), { user_id: "ana", metadata }),
      );
    }
    for (const size of [1_000_001, 1_100_000, 3_000_000, 12_000_000]) {
      await refused(
        `${size} bytes`,
        413,
        "DOCUMENT_TOO_LARGE",
        () => ingestFile(server, file("a".repeat(size))),
      );
    }
    await t.step("what is too large is named, with how large it may be", async () => {
      const part = await ingestFile(server, file("a".repeat(1_000_001)));
      deepStrictEqual([part.json.message, part.json.details], [
        "A part of the form is larger than 1000000 bytes",
        { limit: 1_000_000 },
      ]);
      const text = PART("x", "a".repeat(700_000));
      const whole = await raw(server, unmeasured(text + text + END));
      deepStrictEqual([whole.json.message, whole.json.details], [
        "The request body is larger than 1262144 bytes",
        { limit: 1_262_144 },
      ]);
    });
    await refused(
      "a stream of no declared length",
      413,
      "DOCUMENT_TOO_LARGE",
      () => raw(server, undeclared()),
    );
    await refused(
      "a boundary that is none",
      400,
      "INVALID_REQUEST",
      () => raw(server, FILE() + END, "multipart/form-data"),
    );
    await refused(
      "another boundary",
      400,
      "INVALID_REQUEST",
      () => raw(server, FILE() + END, "multipart/form-data; boundary=C"),
    );
    await refused("no last boundary", 400, "INVALID_REQUEST", () => raw(server, FILE() + ana));
    await refused("an empty body", 400, "INVALID_REQUEST", () => raw(server, ""));
    await refused(
      "a preamble without end",
      413,
      "DOCUMENT_TOO_LARGE",
      () => raw(server, unmeasured("a".repeat(1_300_000) + FILE() + ana + END)),
    );
    await refused("a preamble alone", 400, "INVALID_REQUEST", () => raw(server, "a form?\r\n"));
    await refused(
      "headers without end",
      400,
      "INVALID_REQUEST",
      () => raw(server, `--B\r\n${"X-A: b\r\n".repeat(5_000)}`),
    );
    await refused(
      "a thousand parts",
      400,
      "INVALID_REQUEST",
      () => raw(server, PART("x", "y").repeat(1_000) + END),
    );
    await refused(
      "an epilogue without end",
      413,
      "DOCUMENT_TOO_LARGE",
      () => raw(server, unmeasured(FILE() + ana + END + "e".repeat(1_300_000))),
    );
    await refused(
      "a part without headers",
      400,
      "INVALID_REQUEST",
      () => raw(server, "--B\r\n\r\nlost\r\n" + FILE() + ana + END),
    );
    await refused(
      "a part without a name",
      400,
      "INVALID_REQUEST",
      () => raw(server, PART("x", "lost").replace('name="x"', 'filename="x"') + FILE() + ana + END),
    );
    await refused(
      "headers that are too long",
      400,
      "INVALID_REQUEST",
      () => raw(server, PART("x", "y", `; a=${"b".repeat(9_000)}`) + FILE() + ana + END),
    );
    await refused(
      "an encoded part",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      () =>
        raw(
          server,
          PART("x", "aGk=", "\r\nContent-Transfer-Encoding: base64") + FILE() + ana + END,
        ),
    );
    await refused(
      "a form that is another",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      () => raw(server, "a=b", "application/x-www-form-urlencoded"),
    );
    await t.step("nothing was stored", async () => {
      strictEqual((await server.call("GET", "/v1/documents")).json.results.length, 0);
    });
  });
});

Deno.test("a form is read as it may be written", async (t) => {
  await withServer(async (server) => {
    const taken = (when: string, body: BodyInit, content: string) =>
      t.step(when, async () => {
        const reply = await raw(server, body);
        strictEqual(reply.status, 200, reply.text);
        const id = reply.json.document.id;
        const answer = await server.call("GET", `/v1/documents/${id}/content`);
        strictEqual(answer.json.content, content);
      });
    const ana = PART("user_id", "ana");
    await taken(
      "a byte at a time, with an epilogue",
      dripping(FILE("drip") + ana + END + "more"),
      "drip",
    );
    await taken(
      "what looks like a boundary",
      FILE("\r\n--A\r\n--\r\n-B") + ana + END,
      "\r\n--A\r\n--\r\n-B",
    );
    await taken(
      "lines that only begin like the boundary",
      FILE("a\r\n--Bar\r\n\r\nb\r\n--B-\r\nc\r\n--B--c") + ana + END,
      "a\r\n--Bar\r\n\r\nb\r\n--B-\r\nc\r\n--B--c",
    );
    await taken(
      "white space behind the boundary",
      (FILE("padded") + ana + END).replaceAll("--B\r\n", "--B \t\r\n"),
      "padded",
    );
    await taken(
      "capitals, and a header of several lines",
      '--B\r\ncontent-disposition: FORM-DATA;\r\n NAME="file";\r\n\tFileName=f.txt\r\n\r\nfolded\r\n' +
        ana + END,
      "folded",
    );
    await taken(
      "a line end before the first boundary",
      "\r\n" + FILE("later") + ana + END,
      "later",
    );
    await taken(
      "a preamble",
      dripping(`This is a form.\r\n--A\r\n and --B\r\n` + FILE("after") + ana + END),
      "after",
    );
    await taken(
      "as many parts as there may be",
      PART("x", "y").repeat(62) + FILE("64") + ana + END,
      "64",
    );
    await taken("unknown parts", PART("x", "y") + ana + FILE("known") + END, "known");
    await t.step("a million bytes", async () => {
      strictEqual((await ingestFile(server, file("a".repeat(1_000_000)))).status, 200);
    });
    await t.step("a name beyond ASCII", async () => {
      const { document } =
        (await ingestFile(server, file("x", "text/plain", "\u6771\u4eac \u00e9.txt"))).json;
      strictEqual(document.source_key, "\u6771\u4eac \u00e9.txt");
    });
    await t.step("quotes in a name, as browsers and curl write them", async () => {
      const { document } =
        (await ingestFile(server, file("x", "text/plain", 'a "b" 5%2.txt'))).json;
      strictEqual(document.source_key, 'a "b" 5%2.txt');
    });
    await t.step(
      "backslashes in a name, which are escapes before quotes and backslashes",
      async () => {
        const names = [["a\\b.txt", "a\\b.txt"], ['a\\"b\\\\.txt', 'a"b\\.txt'], ["a\\", "a\\"]];
        for (const [written, read] of names) {
          const { document } =
            (await raw(server, PART("file", "x", `; filename="${written}"`) + ana + END)).json;
          strictEqual(document.source_key, read);
        }
      },
    );
    await t.step("an extended name, which is decoded once", async () => {
      const named = PART("file", "text", `; filename="n"; filename*=UTF-8''caf%C3%A9%2522.txt`);
      const { document } = (await raw(server, named + ana + END)).json;
      strictEqual(document.source_key, "caf\u00e9%22.txt");
    });
  });
});

function undeclared(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode("a".repeat(65_536));
  let first = true;
  let left = 200;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(first ? new TextEncoder().encode(FILE("").slice(0, -2)) : piece);
      first = false;
      // Not quite endless: what the server doesn't read would keep the connection open.
      if (--left === 0) controller.close();
    },
  });
}

/** A text whose length is not declared. */
function unmeasured(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream();
}

function dripping(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, ++at));
    },
  });
}
