/** A model provider on this machine. Responds to each message with the same text. */

/** Speaks the streaming protocol of platform.claude.com/docs/en/api/messages. */
export class ModelServer {
  /** Bodies of all requests, as text. */
  readonly requests: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(text: string) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        if (!new URL(request.url).pathname.endsWith("/messages")) return Response.json({});
        const body = await request.text();
        this.requests.push(body);
        const message = {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "none",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        };
        if (JSON.parse(body).stream !== true) {
          const content = [{ type: "text", text }];
          return Response.json({ ...message, content, stop_reason: "end_turn" });
        }
        const events = [
          { type: "message_start", message },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
          { type: "content_block_stop", index: 0 },
          {
            type: "message_delta",
            delta: { stop_reason: "end_turn", stop_sequence: null },
            usage: { output_tokens: 1 },
          },
          { type: "message_stop" },
        ];
        const stream = events.map((event) =>
          `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
        ).join("");
        return new Response(stream, { headers: { "content-type": "text/event-stream" } });
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
