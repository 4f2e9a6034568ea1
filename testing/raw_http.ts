/** Byte-by-byte HTTP, for requests that no client library would send. */

/** A response as received. */
export interface RawHttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A connection to the server under test. */
export class RawHttpConnection {
  readonly #connection: Deno.Conn;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<RawHttpConnection> {
    const { hostname, port } = new URL(url);
    return new RawHttpConnection(await Deno.connect({ hostname, port: Number(port) }));
  }

  /** Sends part of a request. Returns false if the server has closed the connection. */
  async send(part: string | Uint8Array): Promise<boolean> {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    try {
      for (let sent = 0; sent < bytes.length;) {
        sent += await this.#connection.write(bytes.subarray(sent));
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Reads one response: the headers, then as much of the body as they declare. */
  async reply(): Promise<RawHttpReply> {
    let text = "";
    const decoder = new TextDecoder("latin1");
    const buffer = new Uint8Array(65_536);
    while (!complete(text)) {
      const length = await this.#connection.read(buffer).catch(() => null);
      if (length === null) break;
      text += decoder.decode(buffer.subarray(0, length), { stream: true });
    }
    const [head = "", body = ""] = split(text);
    const [first = "", ...lines] = head.split("\r\n");
    const headers = new Headers(
      lines.map((line) => line.split(/: ?(.*)/, 2) as [string, string]),
    );
    return { status: Number(first.split(" ")[1]), headers, text: body };
  }

  /** Closes the sending side. Responses can still be read. */
  async end(): Promise<void> {
    await (this.#connection as Deno.TcpConn).closeWrite().catch(() => {});
  }

  close(): void {
    this.#connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function split(text: string): [string, string] | [] {
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? [] : [text.slice(0, end), text.slice(end + 4)];
}

function complete(text: string): boolean {
  const [head, body] = split(text);
  if (head === undefined) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length !== undefined && body!.length >= Number(length);
}
