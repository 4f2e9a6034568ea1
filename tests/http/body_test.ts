/** Bodies: how long, of what type, in what encoding, how deep. */

import { match, ok, strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { checkErrorShape } from "../scenarios/table.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

const JSON_TYPE = { "content-type": "application/json" };

function post(server: TestServer, raw: BodyInit, headers: Record<string, string> = JSON_TYPE) {
  return server.call("POST", "/v1/memories", { raw, headers });
}

/** A verbatim add whose body is exactly so many bytes. */
function addOf(bytes: number, ignored = "x"): string {
  const start = '{"content":"hi","user_id":"ana","infer":false,"ignored":"';
  return start + ignored.repeat((bytes - start.length - 2) / new Blob([ignored]).size) + '"}';
}

function refused(reply: Reply, status: number, code: string): void {
  strictEqual(reply.status, status, reply.text);
  strictEqual(reply.json.code, code);
  checkErrorShape(reply);
}

Deno.test("an add may have 250,000 bytes, and not one more", async () => {
  await withServer(async (server) => {
    strictEqual((await post(server, addOf(250_000))).status, 200);
    refused(await post(server, addOf(250_001)), 413, "REQUEST_TOO_LARGE");
  });
});

Deno.test("the limit counts bytes of UTF-8, not characters", async () => {
  await withServer(async (server) => {
    const body = addOf(250_002, "ü");
    ok(body.length < 250_000);
    refused(await post(server, body), 413, "REQUEST_TOO_LARGE");
  });
});

Deno.test("an update has the limit of an add, other bodies have 1 MiB", async () => {
  await withServer(async (server) => {
    const path = `/v1/memories/${await server.add("Ana reads")}`;
    const long = (bytes: number, fields: string) =>
      `{${fields},"ignored":"${"x".repeat(bytes - fields.length - 15)}"}`;
    const put = (bytes: number) =>
      server.call("PUT", path, { raw: long(bytes, '"content":"a"'), headers: JSON_TYPE });
    const rate = (bytes: number) =>
      server.call("POST", `${path}/feedback`, {
        raw: long(bytes, '"rating":"positive"'),
        headers: JSON_TYPE,
      });
    strictEqual((await put(250_000)).status, 200);
    refused(await put(250_001), 413, "REQUEST_TOO_LARGE");
    strictEqual((await rate(1024 * 1024)).status, 200);
    refused(await rate(1024 * 1024 + 1), 413, "REQUEST_TOO_LARGE");
  });
});

Deno.test("a chunked body is counted as it arrives, and its rest is not waited for", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    const chunk = "x".repeat(100_000);
    for (let sent = 0; sent < 3; sent++) {
      await wire.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    // The last chunk is never sent: the answer comes all the same.
    const reply = await wire.reply();
    strictEqual(reply.status, 413);
    strictEqual(JSON.parse(reply.text).code, "REQUEST_TOO_LARGE");
  });
});

Deno.test("a chunked body within the limit is taken", async () => {
  await withServer(async (server) => {
    const parts = ['{"content":"Ana skates",', '"user_id":"ana",', '"infer":false}'];
    const raw = ReadableStream.from(parts).pipeThrough(new TextEncoderStream());
    const reply = await post(server, raw);
    strictEqual(reply.status, 200, reply.text);
  });
});

Deno.test("a declared length that is too large is refused before any of it is sent", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        "content-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
    );
    strictEqual((await wire.reply()).status, 413);
  });
});

Deno.test("a body longer than it says is cut there, and what follows is no part of it", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    const body = '{"content":"Ana rows","user_id":"ana","infer":false}';
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}` +
        "x".repeat(1_000),
    );
    strictEqual((await wire.reply()).status, 200);
  });
});

Deno.test("a body that ends before its declared length changes nothing", async () => {
  await withServer(async (server) => {
    const wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 500\r\n\r\n{"content":"Ana',
    );
    wire.close();
    const { json } = await server.call("GET", "/v1/memories?user_id=ana");
    strictEqual(json.results.length, 0);
  });
});

Deno.test("nesting past any field's depth is 400, however deep", async (t) => {
  await withServer(async (server) => {
    for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
      await t.step(`10,000 levels of ${open}`, async () => {
        const deep = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
        const add = `{"content":"x","user_id":"ana","infer":false,"metadata":{"a":${deep}}}`;
        refused(await post(server, add), 400, "INVALID_REQUEST");
        refused(await post(server, deep), 400, "INVALID_REQUEST");
        refused(await post(server, open.repeat(10_000)), 400, "INVALID_REQUEST");
      });
    }
    await t.step("levels behind text that ends with escapes", async () => {
      for (const text of ["\\\\", '\\"', '\\\\\\"[']) {
        const deep = `{"content":"${text}","user_id":"ana","infer":false,"x":${"[".repeat(10_000)}`;
        const reply = await post(server, deep);
        refused(reply, 400, "INVALID_REQUEST");
        match(reply.json.message, /nests deeper than 64 levels/);
      }
    });
    await t.step("brackets inside of text are no levels", async () => {
      const content = '[{"\\"'.repeat(5_000);
      const body = JSON.stringify({ content, user_id: "ana", infer: false });
      strictEqual((await post(server, body)).status, 200);
    });
  });
});

Deno.test("what is no JSON is 400", async (t) => {
  await withServer(async (server) => {
    for (const raw of ["", " ", "{", "null", "7", '"text"', "{'a':1}", '{"a":1,}', "{}{}", "NaN"]) {
      await t.step(JSON.stringify(raw), async () => {
        refused(await post(server, raw), 400, "INVALID_REQUEST");
      });
    }
  });
});

Deno.test("bytes that are no UTF-8 are INVALID_UTF8", async (t) => {
  await withServer(async (server) => {
    const bad = {
      "a lone continuation": [0x80],
      "an overlong slash": [0xc0, 0xaf],
      "a surrogate": [0xed, 0xa0, 0x80],
      "past U+10FFFF": [0xf5, 0x80, 0x80, 0x80],
      "cut in the middle": [0xe2, 0x82],
    };
    const [before, after] = ['{"content":"', '","user_id":"ana","infer":false}'];
    for (const [name, bytes] of Object.entries(bad)) {
      await t.step(name, async () => {
        const raw = new Blob([before, new Uint8Array(bytes), after]);
        refused(await post(server, await raw.bytes()), 400, "INVALID_UTF8");
      });
    }
  });
});

Deno.test("only application/json in UTF-8 is read as JSON", async (t) => {
  await withServer(async (server) => {
    const body = new TextEncoder().encode('{"content":"Ana naps","user_id":"ana","infer":false}');
    const taken = [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
    ];
    const refusedTypes = [
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/json; charset=iso-8859-1",
      "application/json; charset=utf-16",
      "multipart/form-data; boundary=x",
    ];
    for (const type of taken) {
      await t.step(type, async () => {
        strictEqual((await post(server, body, { "content-type": type })).status, 200);
      });
    }
    for (const type of refusedTypes) {
      await t.step(type, async () => {
        const reply = await post(server, body, { "content-type": type });
        refused(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
      });
    }
    await t.step("no type at all", async () => {
      refused(await post(server, body, {}), 415, "UNSUPPORTED_MEDIA_TYPE");
    });
    await t.step("compressed", async () => {
      const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
      const raw = await new Response(stream).bytes();
      const coded = (coding: string) => ({ ...JSON_TYPE, "content-encoding": coding });
      const reply = await post(server, raw, coded("gzip"));
      refused(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
      match(reply.json.message, /Content-Encoding/);
      strictEqual((await post(server, body, coded("identity"))).status, 200);
    });
  });
});

Deno.test("messages are counted: 500, and not one more", async () => {
  await withServer(async (server) => {
    const messages = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ role: "user", content: `Note ${index}` }));
    const send = (count: number) =>
      server.call("POST", "/v1/memories", {
        body: { messages: messages(count), user_id: "ana", infer: false },
      });
    strictEqual((await send(500)).json.results.length, 500);
    const reply = await send(501);
    refused(reply, 400, "INVALID_REQUEST");
    match(reply.json.message, /500/);
  });
});
