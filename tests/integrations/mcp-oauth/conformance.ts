/** Runs the protocol's conformance suite, as an authorization server and as a server. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { freePort } from "../../../testing/free_port.ts";
import type { TestServer } from "../../../testing/harness.ts";
import { registerClient } from "../../oauth/owner.ts";
import { runConformance, startProgram } from "./processes.ts";
import type { OwnerBrowser } from "./owner_browser.ts";

/** Server scenarios that need no tools made for the suite. */
const SERVER_SCENARIOS = [
  "server-initialize",
  "server-stateless",
  "tools-list",
  "resources-list",
  "dns-rebinding-protection",
  "http-header-validation",
  "sep-2164-resource-not-found",
  "prompts-list",
  "ping",
] as const;

/**
 * Checks inside these scenarios that can't pass, and why. The suite calls tools of its own, such as
 * one that logs; this service has none of them. It also sends no notifications, so it refuses
 * subscriptions (see docs/adr/0600-mcp.md).
 */
const EXPECTED_FAILURES: Readonly<Record<string, string>> = {
  "sep-2575-server-rejects-undeclared-capability": "calls a tool of the suite",
  "sep-2575-missing-capability-http-400": "calls a tool of the suite",
  "sep-2575-http-server-no-independent-requests-on-stream": "calls a tool of the suite",
  "sep-2575-server-no-log-without-loglevel": "calls a tool of the suite",
  "sep-2575-server-sends-subscription-ack": "no subscriptions",
  "sep-2575-server-tags-subscription-id": "no subscriptions",
};

/** Runs `authorization`, with the owner allowing access in a real browser. */
export async function checkAuthorizationServer(
  server: TestServer,
  packages: string,
  browser: OwnerBrowser,
): Promise<void> {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const client = await registerClient(server, {
    client_name: "Conformance",
    redirect_uris: [callback],
  });
  const suite = startProgram(Deno.execPath(), [
    ...conformance(packages, "authorization"),
    ...["--url", server.url, "--client-id", client.id],
    ...["--resource", `${server.url}/mcp`, "--port", String(port)],
  ], packages);
  const url = await suite.waitFor(/^(http\S+\/oauth\/authorize\?\S+)$/m);
  await browser.allow(url, callback);
  strictEqual(await suite.exitCode(), 0, suite.output());
  report(`conformance authorization: ${summaryOf(suite.output())}`);
}

/** Runs the server scenarios through a proxy that adds the key, since the suite can't sign in. */
export async function checkServer(
  server: TestServer,
  packages: string,
): Promise<void> {
  const proxy = openKeyProxy(server);
  try {
    for (const scenario of SERVER_SCENARIOS) {
      const args = [
        "--url",
        `http://localhost:${proxy.port}/mcp`,
        "--scenario",
        scenario,
      ];
      const { code, output } = await runConformance(
        conformance(packages, "server"),
        args,
        packages,
      );
      const failed = failedChecks(output);
      const unexpected = failed.filter((check) => !Object.hasOwn(EXPECTED_FAILURES, check));
      deepStrictEqual(unexpected, [], output);
      ok(code === 0 || failed.length > 0, output);
      report(
        `conformance server ${scenario}: passed` +
          (failed.length === 0 ? "" : ` except ${failed.length} checks that don't apply`),
      );
    }
  } finally {
    proxy.close();
  }
}

function conformance(packages: string, command: string): string[] {
  const program = join(
    packages,
    "node_modules/@modelcontextprotocol/conformance/dist/index.js",
  );
  return [
    ...[
      "run",
      "--quiet",
      "--allow-all",
      "--no-config",
      "--node-modules-dir=manual",
    ],
    program,
    command,
  ];
}

/**
 * Forwards connections and adds the key to each request. Works on bytes, since the scenarios send
 * headers that an HTTP client wouldn't.
 */
function openKeyProxy(
  server: TestServer,
): { readonly port: number; close(): void } {
  const { hostname, port } = new URL(server.url);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  void (async () => {
    for await (const incoming of listener) void forward(incoming);
  })();
  async function forward(incoming: Deno.Conn): Promise<void> {
    const outgoing = await Deno.connect({ hostname, port: Number(port) });
    const addKey = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = Array.from(chunk, (byte) => String.fromCharCode(byte))
          .join("");
        const changed = text.replaceAll(
          " HTTP/1.1\r\n",
          ` HTTP/1.1\r\nauthorization: Bearer ${server.key}\r\n`,
        );
        controller.enqueue(
          Uint8Array.from(changed, (character) => character.charCodeAt(0)),
        );
      },
    });
    await Promise.allSettled([
      incoming.readable.pipeThrough(addKey).pipeTo(outgoing.writable),
      outgoing.readable.pipeTo(incoming.writable),
    ]);
  }
  return {
    port: (listener.addr as Deno.NetAddr).port,
    close: () => listener.close(),
  };
}

/** Returns the names of the checks that failed. */
function failedChecks(output: string): string[] {
  // deno-lint-ignore no-control-regex -- the suite prints in colour
  return output.replaceAll(/\x1b\[\d+m/g, "").split("\n")
    .flatMap((line) => /^\S+ \[(\S+) *\] FAILURE /.exec(line)?.[1] ?? []);
}

function summaryOf(output: string): string {
  return /Total: .*/.exec(output)?.[0] ?? "passed";
}

function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
