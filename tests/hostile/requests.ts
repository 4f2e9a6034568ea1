/** Requests no honest client would send, as bytes, with the allowed statuses for each. */

/** A request to send unchanged. */
export interface HostileRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Allowed statuses. 0 means that the connection ends without a response. */
  readonly statuses: readonly number[];
  /** Whether the client closes its side after sending. Otherwise, the server waits for more. */
  readonly closesEarly: boolean;
}

/** Names of incomplete requests. */
const UNFINISHED: ReadonlySet<string> = new Set([
  "a body shorter than its length",
  "20,000 trailers",
]);

/** Returns every request, signed with an all-permissions key. */
export function hostileRequests(key: string): HostileRequest[] {
  const signed = `host: x\r\nauthorization: Bearer ${key}\r\n`;
  const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\n${signed}${headers}\r\n`;
  const framed = (headers: string, body: string) =>
    `POST /v1/memories HTTP/1.1\r\n${signed}content-type: application/json\r\n${headers}\r\n${body}`;
  const json = (body: string, path = "/v1/memories") =>
    `POST ${path} HTTP/1.1\r\n${signed}content-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;
  const form = (body: string, parameter = "boundary=b") =>
    `POST /v1/documents HTTP/1.1\r\n${signed}content-type: multipart/form-data; ${parameter}\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;
  const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
  const search = (body: string) => json(body, "/v1/memories/search");
  const chunked = "transfer-encoding: chunked\r\n";
  const named = (name: string) => `content-disposition: form-data; name="${name}"`;

  const table: readonly (readonly [name: string, request: string, ...statuses: number[]])[] = [
    ["a method that is not a token", "G@T / HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["a method of 9,000 letters", `${"A".repeat(9_000)} /livez HTTP/1.1\r\nhost: x\r\n\r\n`, 405],
    ["a method in lower case", "get /livez HTTP/1.1\r\nhost: x\r\n\r\n", 405],
    ["HTTP/9.9", "GET /livez HTTP/9.9\r\nhost: x\r\n\r\n", 400],
    ["HTTP/0.9", "GET /livez\r\n\r\n", 400],
    ["two hosts", "GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400],
    ["the start of a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, 0],
    ["noise", "\x00\xff\x01".repeat(3_000), 400, 0],
    ["a tunnel", "CONNECT elsewhere:80 HTTP/1.1\r\nhost: elsewhere\r\n\r\n", 404],
    ["a path with ..", get("/v1/../livez"), 404],
    ["a path with an incomplete escape", get("/v1/memories/%zz"), 404],
    ["NUL in a path", "GET /li\0vez HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["NUL in an id", get("/v1/memories/%00"), 404],
    ["an upgrade", get("/livez", "connection: upgrade\r\nupgrade: websocket\r\n"), 200],
    [
      "Content-Length and Transfer-Encoding",
      framed(`content-length: 5\r\n${chunked}`, "0\r\n\r\n"),
      400,
    ],
    ["two lengths", framed("content-length: 2\r\ncontent-length: 3\r\n", "{} "), 400],
    ["a negative length", framed("content-length: -1\r\n", "{}"), 400],
    ["a length with a sign", framed("content-length: +2\r\n", "{}"), 400],
    ["a length past 64 bits", framed(`content-length: ${"9".repeat(30)}\r\n`, "{}"), 400],
    ["a length of 64 bits", framed("content-length: 18446744073709551615\r\n", "{}"), 413],
    ["a body shorter than its length", framed("content-length: 100\r\n", '{"a"'), 400],
    ["an unknown transfer coding", framed("transfer-encoding: nonsense\r\n", "{}"), 400],
    ["a chunk size that is not a number", framed(chunked, "zz\r\n{}\r\n0\r\n\r\n"), 400, 0],
    ["a chunk size past 64 bits", framed(chunked, `${"f".repeat(18)}\r\n{}`), 400, 0],
    ["a chunk without its end", framed(chunked, "2\r\n{}X0\r\n\r\n"), 400, 0],
    [
      "a chunk extension of 100 kB",
      framed(chunked, `2;${"a".repeat(1e5)}\r\n{}\r\n0\r\n\r\n`),
      400,
      0,
    ],
    [
      "20,000 trailers",
      framed(chunked, `2\r\n{}\r\n0\r\n${"x: y\r\n".repeat(20_000)}\r\n`),
      400,
      0,
    ],
    ["NUL in a header", get("/livez", "x: a\0b\r\n"), 400],
    ["a header without a colon", get("/livez", "nonsense\r\n"), 400],
    ["a folded header", get("/livez", "x: a\r\n b\r\n"), 400],
    ["a space before the colon", get("/livez", "x : a\r\n"), 400],
    ["a carriage return in a header", get("/livez", "x: a\rb: c\r\n"), 400],
    ["1,000 headers", get("/livez", "x: y\r\n".repeat(1_000)), 400, 0],
    ["a header of 1 MB", get("/livez", `x: ${"a".repeat(1e6)}\r\n`), 400, 0],
    ["a URL of 60 kB", get(`/v1/memories/${"a".repeat(60_000)}`), 404],
    ["a URL of 1 MB", get(`/v1/memories/${"a".repeat(1e6)}`), 400, 0],
    [
      "a key that is not ASCII",
      "GET /v1/health HTTP/1.1\r\nhost: x\r\nauthorization: Bearer cpl_\xff\r\n\r\n",
      401,
    ],
    ["a form without a boundary", form("--b--\r\n", "x=y"), 400],
    ["an empty form", form(""), 400],
    ["a form without an end", form(part(`${named("file")}; filename="a"`, "abc")), 400],
    ["a form of 10,000 parts", form(part(named("x"), "y").repeat(10_000) + "--b--\r\n"), 400],
    ["a part header of 100 kB", form(part(named("x".repeat(1e5)), "y") + "--b--\r\n"), 400],
    [
      "a form in a form",
      form(
        part("content-type: multipart/mixed; boundary=c", "--c\r\n\r\nx\r\n--c--") + "--b--\r\n",
      ),
      400,
    ],
    ["a part without a name", form(part("content-type: text/plain", "y") + "--b--\r\n"), 400],
    ["NUL in a filename", form(part(`${named("file")}; filename="a\0b"`, "y") + "--b--\r\n"), 400],
    ["JSON that is not UTF-8", json('{"content":"\xff\xfe"}'), 400],
    ["overlong UTF-8", json('{"content":"\xc0\xaf"}'), 400],
    ["JSON of 100,000 brackets", json("[".repeat(100_000)), 400],
    ["JSON of 100,000 objects", json('{"a":'.repeat(20_000) + "1" + "}".repeat(20_000)), 400],
    ["a number of 100,000 digits", search(`{"query":"tea","top_k":${"9".repeat(1e5)}}`), 400],
    ["a number past a double", search('{"query":"tea","min_score":1e999}'), 400],
    ["a query that consists of brackets", search(`{"query":"${"(".repeat(8_000)}"}`), 200],
    [
      "a query in the syntax of FTS5",
      search('{"query":"NEAR(\\"a\\" \\"b\\", 9) OR memory:* -- \' ; ^"}'),
      200,
    ],
    ["one key twice", search('{"query":"tea","query":"coffee"}'), 200],
    ["__proto__ as a field", search('{"query":"tea","__proto__":{"top_k":-1,"user_id":1}}'), 200],
    [
      "__proto__ as a filter",
      search('{"query":"tea","filters":{"__proto__":{"eq":1}}}'),
      200,
    ],
    [
      "constructor as an operator",
      search('{"query":"tea","filters":{"a":{"constructor":1}}}'),
      200,
      400,
    ],
  ];
  return table.map(([name, request, ...statuses]) => ({
    name,
    bytes: Uint8Array.from(request, (character) => character.charCodeAt(0)),
    statuses,
    closesEarly: UNFINISHED.has(name),
  }));
}
