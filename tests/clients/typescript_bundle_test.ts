/** The TypeScript client as a bundle for browsers and edge runtimes. */

import { ok, strictEqual } from "node:assert/strict";
import { build, stop } from "esbuild";
import { withBrowser } from "../dashboard/browser.ts";
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

testWith(
  ["chromium"],
  "the client runs in a browser behind a proxy that adds the key",
  () =>
    withBrowser(async ({ server, open }) => {
      const source = await bundle();
      const page = await open();
      // The proxy: serves the client, and passes on what is below /memory with the key.
      await page.route(`${server.url}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url());
        if (pathname === "/app/") {
          return route.fulfill({ contentType: "text/html", body: "<p>App" });
        }
        if (pathname === "/app/client.js") {
          return route.fulfill({ contentType: "text/javascript", body: source });
        }
        const headers = { ...route.request().headers(), authorization: `Bearer ${server.key}` };
        const response = await route.fetch({
          url: server.url + pathname.replace("/memory", "") + search,
          headers,
        });
        return route.fulfill({ response });
      });
      await page.goto(`${server.url}/app/`);
      const found = await page.evaluate(async (address) => {
        const { Commonplace } = await import(address);
        const client = new Commonplace({ baseUrl: "/memory", apiKey: null, userId: "ana" });
        await client.memories.add("The spare key is with Ben.");
        await client.documents.upload(new File(["# Tea\n\nGreen tea."], "tea.md"));
        const { results } = await client.memories.search("Who has the spare key?");
        return results[0].memory;
      }, `${server.url}/app/client.js`);
      strictEqual(found, "The spare key is with Ben.");
      const { json } = await server.call("GET", "/v1/documents?user_id=ana");
      strictEqual(json.results[0].source_key, "tea.md");
    }),
);
