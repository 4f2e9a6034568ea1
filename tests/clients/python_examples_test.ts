/** Runs the example programs in Python, with a local model that speaks OpenAI's protocol. */

import { match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { pythonEnvironment } from "../../testing/python.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const ROOT = join(import.meta.dirname!, "../..");
const EXAMPLES = join(ROOT, "examples/python");

/** A model that repeats its instructions, so a test sees what the model was given. */
async function withModel(work: (url: string) => Promise<void>): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { messages } = await request.json();
    return Response.json({ choices: [{ message: { content: messages[0].content } }] });
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}/v1`);
  } finally {
    await server.shutdown();
  }
}

/** Returns a function that runs an example in a process of its own, and returns its output. */
async function examples(server: TestServer, model: string) {
  const client = join(ROOT, "clients/python");
  const python = await pythonEnvironment("client", join(client, "requirements-dev.txt"));
  const env = {
    PYTHONPATH: join(client, "src"),
    PYTHONDONTWRITEBYTECODE: "1",
    COMMONPLACE_URL: server.url,
    COMMONPLACE_API_KEY: server.key,
    OPENAI_BASE_URL: model,
  };
  return (program: string, ...args: string[]) =>
    python.check("python", [join(EXAMPLES, program), ...args], { env });
}

testWith(
  ["python3"],
  "the document assistant responds with passages and cites them",
  () =>
    withModel((model) =>
      withServer(async (server) => {
        const run = await examples(server, model);
        const files = ["keeper.docx", "crane.eml"].map((name) => join(ROOT, "docs/examples", name));
        match(await run("document_assistant.py", "add", ...files), /keeper\.docx: stored as doc_/);
        const answer = await run("document_assistant.py", "ask", "When does the watch begin?");
        match(answer, /\[1\] .*Edda Lindqvist/s);
        const [, from, to, id] = /\[1\] keeper\.docx, bytes (\d+)-(\d+) of (\S+)/.exec(answer)!;
        const { json } = await server.call("GET", `/v1/documents/${id}/content`);
        const cited = new TextEncoder().encode(json.content).subarray(Number(from), Number(to));
        ok(new TextDecoder().decode(cited).includes("watch begins"));
      })
    ),
);

testWith(
  ["python3"],
  "the support agent remembers each customer and no other",
  () =>
    withModel((model) =>
      withServer(async (server) => {
        const run = await examples(server, model);
        await run("support_agent.py", "ana", "ticket-1", "I am allergic to peanuts.");
        await waitUntil(
          () => server.call("GET", "/v1/events"),
          ({ json }) => json.results[0]?.status === "SUCCEEDED",
        );
        const question = "Can I eat peanuts?";
        match(await run("support_agent.py", "ana", "ticket-2", question), /allergic to peanuts/);
        const other = await run("support_agent.py", "ben", "ticket-3", question);
        strictEqual(other.includes("allergic"), false);
      })
    ),
);
