/** The TypeScript client as a bundle for browsers and edge runtimes. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { build, stop } from "esbuild";
import type { UploadProgress } from "../../clients/typescript/src/index.ts";
import { withBrowser } from "../dashboard/browser.ts";
import type { TestServer } from "../../testing/harness.ts";
import { testWith } from "../../testing/tools.ts";

const ENTRY = new URL("../../clients/typescript/src/index.ts", import.meta.url).pathname;

/** Bundles the core. Fails if it imports a module of Node. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  await stop();
  return outputFiles[0]!.text;
}

Deno.test("the client's core imports nothing from Node and is under 15 kB gzipped", async () => {
  const compressed = new Blob([await bundle()]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const { length } = await new Response(compressed).bytes();
  ok(length < 15_000, `${length} bytes`);
});

/**
 * Calls `work` with the address of a page at a proxy over HTTP/1.1. The proxy serves the client, and
 * passes on what is below /memory with the key.
 */
async function withProxy(
  { url, key }: TestServer,
  work: (page: string) => Promise<void>,
): Promise<void> {
  const source = await bundle();
  const proxy = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/client.js") {
      return new Response(source, { headers: { "content-type": "text/javascript" } });
    }
    if (!pathname.startsWith("/memory/")) {
      return new Response("<p>App", { headers: { "content-type": "text/html" } });
    }
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${key}`);
    const { method, body } = request;
    return fetch(url + pathname.replace("/memory", "") + search, { method, headers, body });
  });
  try {
    await work(`http://127.0.0.1:${proxy.addr.port}/`);
  } finally {
    await proxy.shutdown();
  }
}

testWith(
  ["chromium"],
  "the client runs in a browser behind a proxy that adds the key",
  () =>
    withBrowser(({ server, browser }) =>
      withProxy(server, async (url) => {
        const page = await browser.newPage();
        await page.goto(url);
        const { found, progress } = await page.evaluate(async (address) => {
          const { Commonplace } = await import(address);
          const client = new Commonplace({ baseUrl: "/memory", apiKey: null, userId: "ana" });
          await client.memories.add("The spare key is with Ben.");
          const progress: number[] = [];
          await client.documents.upload(new File(["# Tea\n\nGreen tea."], "tea.md"), {}, {
            onProgress: (now: UploadProgress) => {
              if (now.stage === "sending") progress.push(now.sent_bytes);
            },
          });
          const { results } = await client.memories.search("Who has the spare key?");
          return { found: results[0].memory, progress };
        }, `${url}client.js`);
        strictEqual(found, "The spare key is with Ben.");
        deepStrictEqual(progress, [0, 17], "browsers send no streams over HTTP/1.1");
        const { json } = await server.call("GET", "/v1/documents?user_id=ana");
        strictEqual(json.results[0].source_key, "tea.md");
        await page.close();
      })
    ),
);
