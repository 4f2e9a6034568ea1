/**
 * Handwritten HTTP/1.1 over a single persistent connection. It's cheap for a load generator and,
 * unlike `fetch`, never sends a request twice.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Thrown when the peer closes the connection. There's no way to know whether it executed the
 * request.
 */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** A response whose body hasn't been decoded yet. */
export interface HttpReply {
  readonly status: number;
  /** The status line and headers, lowercased. */
  readonly head: string;
  readonly body: Uint8Array;
}

/**
 * Encodes a request. Bytes are sent unchanged, any other body as JSON. Requests can be encoded
 * ahead of a measurement and sent as often as needed.
 */
export function encodeRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Uint8Array {
  const raw = body instanceof Uint8Array;
  const payload = body === undefined
    ? new Uint8Array()
    : raw
    ? body
    : encoder.encode(JSON.stringify(body));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-type: application/${raw ? "octet-stream" : "json"}`]),
    ...(method === "GET" ? [] : [`content-length: ${payload.length}`]),
  ];
  const head = encoder.encode(lines.join("\r\n") + "\r\n\r\n");
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** Parses a response body as JSON, typed by the caller. */
// deno-lint-ignore no-explicit-any -- callers know the endpoint that they called
export function parseJson(reply: HttpReply): any {
  return JSON.parse(decoder.decode(reply.body));
}

/** A single connection that sends requests one after another. */
export class HttpConnection {
  readonly #socket: Deno.TcpConn;
  #buffer = new Uint8Array(64 * 1024);
  #filled = 0;

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const socket = await Deno.connect({ hostname, port: Number(port) });
    socket.setNoDelay(true);
    return new HttpConnection(socket);
  }

  /**
   * Sends a request and returns the response.
   *
   * @throws ConnectionLostError if the connection ends before the response is complete
   */
  async send(request: Uint8Array): Promise<HttpReply> {
    try {
      for (let sent = 0; sent < request.length;) {
        sent += await this.#socket.write(sent === 0 ? request : request.subarray(sent));
      }
      return await this.#readReply();
    } catch (error) {
      if (error instanceof ConnectionLostError) throw error;
      throw new ConnectionLostError((error as Error).message, { cause: error });
    }
  }

  close(): void {
    this.#socket.close();
  }

  async #readReply(): Promise<HttpReply> {
    let end = this.#headEnd(0);
    while (end < 0) {
      const from = Math.max(0, this.#filled - 3);
      await this.#fill();
      end = this.#headEnd(from);
    }
    const head = decoder.decode(this.#buffer.subarray(0, end)).toLowerCase();
    const length = Number(/\r\ncontent-length: *(\d+)/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length) && /\r\ntransfer-encoding/.test(head)) {
      return { status: Number(head.slice(9, 12)), head, body: await this.#readChunks(end) };
    }
    const total = end + (length || 0);
    while (this.#filled < total) await this.#fill();
    const body = this.#buffer.slice(end, total);
    this.#buffer.copyWithin(0, total, this.#filled);
    this.#filled -= total;
    return { status: Number(head.slice(9, 12)), head, body };
  }

  /** Reads a chunked body (RFC 9112, 7.1) without trailers. */
  async #readChunks(from: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for (let at = from;;) {
      let line = this.#lineEnd(at);
      for (; line < 0; line = this.#lineEnd(at)) await this.#fill();
      const length = Number.parseInt(decoder.decode(this.#buffer.subarray(at, line)), 16);
      const end = line + length + 2;
      while (this.#filled < end) await this.#fill();
      chunks.push(this.#buffer.slice(line, end - 2));
      at = end;
      if (length > 0) continue;
      this.#buffer.copyWithin(0, at, this.#filled);
      this.#filled -= at;
      return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
    }
  }

  /** Returns the offset just past the line that starts at `from`, or -1 if it's incomplete. */
  #lineEnd(from: number): number {
    const end = this.#buffer.subarray(0, this.#filled).indexOf(10, from);
    return end < 0 ? -1 : end + 1;
  }

  /** Returns the offset of the body, or -1 if the headers are incomplete. */
  #headEnd(from: number): number {
    for (let at = from; at + 3 < this.#filled; at++) {
      if (this.#buffer[at] === 13 && this.#buffer[at + 2] === 13 && this.#buffer[at + 3] === 10) {
        return at + 4;
      }
    }
    return -1;
  }

  async #fill(): Promise<void> {
    if (this.#filled === this.#buffer.length) {
      const larger = new Uint8Array(this.#buffer.length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    const read = await this.#socket.read(this.#buffer.subarray(this.#filled));
    if (read === null) throw new ConnectionLostError("The connection was closed");
    this.#filled += read;
  }
}
