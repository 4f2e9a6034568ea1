/** Tests the connect page: its endpoints, and the page in a browser. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Locator } from "playwright-core";
import { askForTools } from "../../src/connect/ask_server.ts";
import { CLIENTS, keyInEntry, urlInEntry } from "../../src/connect/clients.ts";
import { FORMATS, readEntry } from "../../src/connect/config_format.ts";
import { withServer } from "../../testing/harness.ts";
import { testWith } from "../../testing/tools.ts";
import { checkPage, openSignedIn, visit, withBrowser } from "./browser.ts";
import { DashboardClient } from "./client.ts";

Deno.test("POST /dashboard/api/projects/{id}/connect creates a key and an entry for each client", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const path = `/projects/${await client.project()}/connect`;
    const listed = (await client.call("GET", path)).json.results;
    deepStrictEqual(listed.map(({ id }: { id: string }) => id), CLIENTS.map(({ id }) => id));
    deepStrictEqual(listed.find(({ id }: { id: string }) => id === "claude-desktop").files, {
      linux: "~/.config/Claude/claude_desktop_config.json",
      darwin: "~/Library/Application Support/Claude/claude_desktop_config.json",
      windows: "%APPDATA%\\Claude\\claude_desktop_config.json",
    });
    for (const { id, format, container, http } of CLIENTS) {
      const body = { client: id, url: server.url, user_id: "ana", permissions: ["memory:read"] };
      const { status, json } = await client.call("POST", path, { body });
      strictEqual(status, 200);
      const entry = readEntry(FORMATS[format], json.text, { container, name: "commonplace" })!;
      const key = keyInEntry(entry)!;
      const url = `${server.url}/mcp?user_id=ana`;
      if (http !== undefined) strictEqual(urlInEntry(entry), url);
      // A clone has no command of its own.
      else strictEqual(entry["command"], Deno.execPath());
      const tools = await askForTools({ kind: "http", url, key });
      ok(tools.includes("search_memories") && !tools.includes("add_memory"));
      const keys = await server.manage("keys", "list", "--project", "default");
      strictEqual(keys.find((each: { id: string }) => each.id === json.key_id).name, id);
      ok(json.next.endsWith("."));
    }
    // A key is shown once: neither these endpoints nor the list of keys return one again.
    for (const shown of [path, path.replace(/connect$/, "keys")]) {
      strictEqual((await client.call("GET", shown)).text.match(/cpl_[\w-]{20,}/), null, shown);
    }
  });
});

Deno.test("/dashboard/api/projects/{id}/connect rejects invalid bodies, projects and strangers", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const path = `/projects/${await client.project()}/connect`;
    const valid = { client: "cursor", url: server.url };
    const invalid: [object, string][] = [
      [{ ...valid, client: "nope" }, "client"],
      [{ ...valid, url: "javascript:alert(1)" }, "url"],
      [{ ...valid, url: "no address" }, "url"],
      [{ ...valid, user_id: "" }, "user_id"],
      [{ ...valid, permissions: [] }, "permissions"],
      [{ ...valid, permissions: ["all"] }, "permissions"],
      [{ url: server.url }, "client"],
    ];
    for (const [body, field] of invalid) {
      const reply = await client.call("POST", path, { body });
      strictEqual(reply.status, 400, reply.text);
      match(reply.text, new RegExp(field));
    }
    const strangers = [
      await client.call("POST", "/projects/proj_unknown/connect", { body: valid }),
      await client.call("GET", "/projects/proj_unknown/connect"),
      await client.call("POST", path, { body: valid, cookie: null }),
      await client.call("GET", path, { cookie: null }),
      await client.call("POST", path, { body: valid, headers: { origin: "http://x.example" } }),
      await client.call("DELETE", path),
    ];
    deepStrictEqual(strangers.map(({ status }) => status), [404, 404, 401, 401, 403, 405]);
    strictEqual((await server.manage("keys", "list", "--project", "default")).length, 1);
  });
});

testWith(["chromium"], "the connect page shows working instructions once", async () => {
  await withBrowser(async (session) => {
    const windows = [
      { viewport: { width: 320, height: 640 }, colorScheme: "dark" },
      { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    ] as const;
    for (const window of windows) {
      const page = await openSignedIn(session, window);
      for (const { id, title } of CLIENTS) {
        await visit(page, "#/default/connect");
        await page.getByLabel("Client", { exact: true }).selectOption(id);
        await page.getByLabel("User").fill("ana");
        await page.getByRole("button", { name: "Create key" }).click();
        await page.getByRole("heading", { name: `Connect ${title}` }).waitFor();
        await checkPage(page, title);
        await visit(page, "#/default/settings");
      }
      await visit(page, "#/default/connect");
      await page.getByLabel("Client", { exact: true }).selectOption("cursor");
      await page.getByRole("button", { name: "Create key" }).click();
      const link = page.getByRole("link", { name: "Add to Cursor" });
      await link.waitFor();
      const hasFocus = (element: Locator) => element.and(page.locator(":focus")).waitFor();
      await hasFocus(page.getByRole("group", { name: "Key created" }));
      const target = new URL((await link.getAttribute("href"))!);
      const { url, headers } = JSON.parse(atob(target.searchParams.get("config")!));
      strictEqual(url, `${session.server.url}/mcp`);
      const key = headers.Authorization.replace("Bearer ", "");
      ok((await askForTools({ kind: "http", url, key })).length > 10);
      await page.getByRole("button", { name: "Copy configuration" }).click();
      await page.getByText("Copied").first().waitFor({ state: "attached" });
      // Only a click that says so makes room for another key.
      for (const field of [page.getByLabel("User"), page.getByLabel("Client", { exact: true })]) {
        strictEqual(await field.isDisabled(), true);
      }
      strictEqual(await page.getByRole("button", { name: "Create key" }).isDisabled(), true);
      await page.getByRole("button", { name: "Connect another client" }).click();
      await page.getByRole("heading", { name: "Connect Cursor" }).waitFor({ state: "detached" });
      await hasFocus(page.getByLabel("Client", { exact: true }));
      strictEqual((await page.content()).includes("cpl_"), false, "the key was shown once");
      await page.context().close();
    }
  });
});
