/** The chat of examples/typescript remembers across two processes. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const CHAT = fileURLToPath(new URL("../../examples/typescript/chat.ts", import.meta.url));

/** The part of a request to the model that this test reads. */
interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

Deno.test("the example chat remembers across two processes", () =>
  withServer(async (server) => {
    const requests: ModelRequest[] = [];
    const model = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (call) => {
        requests.push(await call.json());
        const message = { role: "assistant", content: "I see." };
        return Response.json({ choices: [{ message }] });
      },
    );
    const env = {
      COMMONPLACE_URL: server.url,
      COMMONPLACE_API_KEY: server.key,
      MODEL_URL: `http://127.0.0.1:${model.addr.port}`,
    };
    const first = await chat(env, ["I am allergic to peanuts.", "Thank you."]);
    deepStrictEqual(first.match(/I see\./g)?.length, 2);
    await waitUntil(
      () => server.call("GET", "/v1/health"),
      ({ json }) => json.operations.pending + json.tasks.pending === 0,
    );
    await chat(env, ["What am I allergic to?"]);
    const [, second, last] = requests;
    deepStrictEqual(second!.messages.map(({ role }) => role), [
      "system",
      "user",
      "assistant",
      "user",
    ]);
    ok(last!.messages[0]!.content.includes("User is allergic to peanuts"));
    await model.shutdown();
  }));

async function chat(env: Record<string, string>, lines: readonly string[]): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-net", "--allow-env", CHAT, "ana"],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.join("\n") + "\n"));
  await writer.close();
  const { stdout } = await output;
  return new TextDecoder().decode(stdout);
}
