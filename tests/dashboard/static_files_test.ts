/** Tests for the dashboard's files: security headers, caching, and the build. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUNDLE_FOLDER, bundleDashboard } from "../../scripts/build_dashboard.ts";
import { withServer } from "../../testing/harness.ts";

/** Maximum compressed size of the whole dashboard, in bytes. */
const MAX_BUNDLE_BYTES = 150_000;

Deno.test("bundleDashboard() returns the bundle that is in the repository", async () => {
  for (const [name, bytes] of await bundleDashboard()) {
    const committed = readFileSync(join(BUNDLE_FOLDER, name));
    ok(committed.equals(bytes), `${name} is out of date: run deno task dashboard`);
  }
});

Deno.test("GET / lets the page load only its own files, and forbids framing", async () => {
  await withServer(async ({ url }) => {
    const page = await fetch(url);
    strictEqual(page.status, 200);
    const html = await page.text();
    const policy = new Map(
      page.headers.get("content-security-policy")!.split("; ")
        .map((rule) => [rule.split(" ")[0]!, rule.split(" ").slice(1).join(" ")]),
    );
    strictEqual(policy.get("default-src"), "'none'");
    for (const source of ["script-src", "style-src", "connect-src"]) {
      strictEqual(policy.get(source), "'self'");
    }
    strictEqual(policy.get("frame-ancestors"), "'none'");
    strictEqual(policy.get("trusted-types"), "'none'");
    strictEqual(page.headers.get("x-content-type-options"), "nosniff");
    strictEqual(page.headers.get("referrer-policy"), "no-referrer");
    match(page.headers.get("x-request-id")!, /^req_/);

    ok(!/<script(?![^>]*\bsrc=)|<style|\son\w+=|style=/.test(html), "nothing inline");
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    ok(addresses.length > 0 && addresses.every((each) => each.startsWith("/dashboard/assets/")));
    const sizes = [html.length];
    for (const address of new Set(addresses)) {
      const file = await fetch(url + address);
      strictEqual(file.status, 200, address);
      strictEqual(file.headers.get("x-content-type-options"), "nosniff");
      sizes.push(gzipSync(await file.bytes()).length);
    }
    const total = sizes.reduce((a, b) => a + b);
    ok(total < MAX_BUNDLE_BYTES, `${total} bytes`);
  });
});

Deno.test("GET /dashboard/assets/{name} caches files by their hash and compresses them", async () => {
  await withServer(async ({ url }) => {
    const html = await (await fetch(url)).text();
    const script = /\/dashboard\/assets\/app\.js\?v=\w+/.exec(html)![0];
    const named = await fetch(url + script);
    match(named.headers.get("cache-control")!, /immutable/);
    strictEqual(named.headers.get("content-encoding"), "gzip");
    await named.body?.cancel();
    for (const path of ["/", "/dashboard/assets/app.js", "/dashboard/assets/app.js?v=other"]) {
      const fresh = await fetch(url + path);
      strictEqual(fresh.headers.get("cache-control"), "no-cache", path);
      await fresh.body?.cancel();
      const etag = fresh.headers.get("etag")!;
      const known = await fetch(url + path, { headers: { "if-none-match": etag } });
      strictEqual(known.status, 304, path);
    }
    for (const path of ["/dashboard/assets/index.html", "/dashboard/assets/..%2Fx", "/dashboard"]) {
      const missing = await fetch(url + path);
      strictEqual(missing.status, 404, path);
      await missing.body?.cancel();
    }
    const identity = { headers: { "accept-encoding": "identity" } };
    const head = await fetch(url, { ...identity, method: "HEAD" });
    strictEqual(head.headers.get("content-length"), String(html.length), "the length of a GET");
    const posted = await fetch(url, { method: "POST" });
    deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
    await posted.body?.cancel();
  });
});

Deno.test("bundle contains no URLs to other hosts", () => {
  const bundle = readFileSync(join(BUNDLE_FOLDER, "app.js"), "utf8") +
    readFileSync(join(BUNDLE_FOLDER, "app.css"), "utf8");
  const hosts = [...bundle.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host!);
  // XML namespaces. These are never fetched.
  deepStrictEqual([...new Set(hosts)].filter((host) => host !== "www.w3.org"), []);
});
