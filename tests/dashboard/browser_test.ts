/** What people do in the dashboard, in a real browser. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { call } from "../../testing/harness.ts";
import { openSignedIn, visit, withBrowser } from "./browser.ts";
import { waitForOperation } from "./demo.ts";
import { testWith } from "../../testing/tools.ts";

testWith(
  ["chromium"],
  "from a sign-in link to a key for an application, and its first memory",
  async () => {
    await withBrowser(async (desk) => {
      const { server } = desk;
      const page = await openSignedIn(desk);
      strictEqual(new URL(page.url()).hash.includes("signin"), false, "the link is in no history");
      await page.getByText("This project is empty").waitFor();
      await page.getByRole("link", { name: "Make a key" }).click();
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("support-bot");
      await page.getByLabel("operations:read").uncheck();
      await page.getByRole("button", { name: "Make the key" }).click();
      const key = await page.locator(".secret code").textContent();
      await page.getByRole("button", { name: "I have copied it" }).click();
      await page.getByRole("cell", { name: "support-bot", exact: true }).waitFor();
      ok(!(await page.content()).includes(key!), "shown only once");

      const body = { user_id: "ana", content: "Ana lives in Porto", infer: false };
      strictEqual(
        (await call(server.url, "POST", "/v1/memories", { key: key!, body })).status,
        200,
      );
      strictEqual((await call(server.url, "GET", "/v1/health", { key: key! })).status, 403);
      await visit(page, "#/default");
      await page.locator(".tile", { hasText: "Memories" }).getByText("1", { exact: true })
        .waitFor();

      await visit(page, "#/default/settings");
      await page.getByRole("button", { name: "Revoke the key support-bot" }).click();
      await page.getByRole("button", { name: "Revoke the key", exact: true }).click();
      await page.getByRole("cell", { name: "support-bot", exact: true }).waitFor({
        state: "detached",
      });
      strictEqual((await call(server.url, "GET", "/v1/memories", { key: key! })).status, 401);
    });
  },
);

testWith(
  ["chromium"],
  "signing in by password, staying, signing out; a used link says so",
  async () => {
    await withBrowser(async (desk) => {
      const page = await desk.open();
      await page.goto(`${desk.server.url}/#signin=a-link-of-long-ago`);
      await page.getByText("This sign-in link has been used or is too old").waitFor();
      await page.getByText("SIGN_IN_FAILED").waitFor();
      match(await page.locator(".problem").textContent() ?? "", /request\s+req_/);

      const inside = await openSignedIn(desk);
      await inside.reload();
      await inside.getByRole("heading", { name: "Overview" }).waitFor();
      await inside.getByRole("button", { name: "Sign out" }).click();
      await inside.getByText("Open a sign-in link to get in").waitFor();
      await inside.goto(`${desk.server.url}/#/default/settings`);
      await inside.getByText("Open a sign-in link to get in").waitFor();
    });
  },
);

testWith(
  ["chromium"],
  "where nothing is yet, whole sentences say what to do, and their links lead there",
  async (t) => {
    const pages = [
      [
        "documents",
        /^Drop a file above, or paste a text\. It is cut /m,
        "paste a text",
        "documents",
      ],
      ["views", /^Views are made of memories\. Add one, “I moved/m, "Add one", "memories"],
      ["entities?type=agent", /^No agents yet$/m, "Add one", "memories"],
      ["events", /^A conversation or a text that is added /m, "Add a memory", "memories"],
    ] as const;
    await withBrowser(async (desk) => {
      const page = await openSignedIn(desk);
      for (const [path, words, link, leads] of pages) {
        await t.step(path, async () => {
          await visit(page, `#/default/${path}`);
          const empty = page.locator(".empty");
          match(await empty.innerText(), words);
          await empty.getByRole("link", { name: link }).click();
          await page.waitForURL(`**/#/default/${leads}/new`);
        });
      }
    });
  },
);

testWith(["chromium"], "what fails says what happened, and can be tried again", async () => {
  await withBrowser(async (desk) => {
    const { server } = desk;
    const page = await openSignedIn(desk);
    const broken = new TextEncoder().encode("%PDF-1.7 and then nothing");
    const { json } = await server.call("POST", "/v1/document-uploads", {
      headers: { "idempotency-key": "u" },
      body: {
        filename: "score.pdf",
        content_type: "application/pdf",
        size_bytes: broken.length,
        user_id: "ana",
      },
    });
    await visit(page, `#/default/operations/${json.operation.id}`);
    await page.getByText("Waits for its file").waitFor();
    const path = `/v1/document-uploads/${json.source_asset.id}`;
    await server.call("PUT", `${path}/content`, { raw: broken, headers: json.upload.headers });
    await server.call("POST", `${path}/complete`);
    // The page follows by itself.
    await page.getByText("Given up").waitFor();
    await page.getByText("DOCUMENT_CORRUPT").waitFor();

    await visit(page, "#/-/health");
    await page.getByText("default needs attention").waitFor();
    await page.getByRole("link", { name: "Show what failed" }).click();
    await page.getByRole("link", { name: "Extract a document" }).click();
    // Told for some seconds: whoever waits has to be there before.
    const told = page.getByText("Queued for another attempt").waitFor();
    await page.getByRole("button", { name: "Try again now" }).click();
    await told;
  });
});

testWith(
  ["chromium"],
  "a project goes into a file, and comes back into another service",
  async () => {
    const exported = Deno.makeTempFileSync({ suffix: ".json" });
    try {
      await withBrowser(async (desk) => {
        await desk.server.add("Ana keeps the spare key under the fern");
        const page = await openSignedIn(desk);
        await visit(page, "#/default/transfer");
        await page.getByRole("button", { name: "Export default" }).click();
        const download = page.waitForEvent("download");
        await page.getByRole("link", { name: "Download" }).click();
        await (await download).saveAs(exported);
        strictEqual(JSON.parse(readFileSync(exported, "utf8")).counts.memories, 1);

        await page.getByLabel("Snapshot").setInputFiles(exported);
        await page.getByRole("button", { name: "Import into default" }).click();
        await page.getByText("IMPORT_TARGET_NOT_EMPTY").waitFor();
      });
      await withBrowser(async (desk) => {
        const page = await openSignedIn(desk);
        await visit(page, "#/default/transfer");
        await page.getByLabel("Snapshot").setInputFiles(exported);
        await page.getByRole("button", { name: "Import into default" }).click();
        await page.getByRole("cell", { name: "success" }).waitFor();
        const { json } = await desk.server.call("GET", "/v1/memories?user_id=ana");
        deepStrictEqual(
          json.results.map(({ memory }: { memory: string }) => memory),
          ["Ana keeps the spare key under the fern"],
        );
      });
    } finally {
      Deno.removeSync(exported);
    }
  },
);

testWith(["chromium"], "projects are made, entered, left and deleted", async () => {
  await withBrowser(async (desk) => {
    const page = await openSignedIn(desk);
    await visit(page, "#/-/projects");
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel("Name").fill("Not A Name");
    await page.getByRole("button", { name: "Make the project" }).click();
    await page.getByText("is no project name").waitFor();
    await page.getByLabel("Name").fill("shop");
    await page.getByRole("button", { name: "Make the project" }).click();
    await page.getByText("No keys").waitFor();
    strictEqual(await page.getByLabel("Project", { exact: true }).inputValue(), "shop");
    await page.getByLabel("Project", { exact: true }).selectOption("default");
    await page.waitForURL(/#\/default\/settings$/);
    await visit(page, "#/shop/settings");
    await page.getByRole("button", { name: "Delete the project" }).click();
    const sure = page.getByRole("button", { name: "Delete everything in it" });
    strictEqual(await sure.isDisabled(), true);
    await page.getByLabel("Type shop to go on").fill("shop");
    const told = page.getByText("Project shop is deleted").waitFor();
    await sure.click();
    await told;
    const projects = await desk.server.manage("projects", "list");
    deepStrictEqual(projects.map(({ name }: { name: string }) => name), ["default"]);
  });
});

testWith(
  ["chromium"],
  "everything is reached by keyboard, and a dialog keeps the focus",
  async () => {
    await withBrowser(async (desk) => {
      const page = await openSignedIn(desk);
      await visit(page, "#/default/settings");
      const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
      await page.reload();
      await page.getByRole("button", { name: "New key" }).waitFor();
      await page.keyboard.press("Tab");
      strictEqual(await focused(), "Skip to the content");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      strictEqual(await focused(), "New key");
      await page.keyboard.press("Enter");
      const name = page.getByRole("dialog").getByLabel("Name");
      await name.waitFor();
      strictEqual(await name.evaluate((field) => field.matches(":focus")), true);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      strictEqual(await focused(), "New key", "back where it was");
    });
  },
);

testWith(
  ["chromium"],
  "light and dark follow the system, and a choice outlives the page",
  async () => {
    await withBrowser(async (desk) => {
      const page = await openSignedIn(desk, { colorScheme: "dark" });
      const ground = () =>
        page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
      const dark = await ground();
      /** A change of theme is drawn by one of the next frames, not at once. */
      const isDark = (wanted: boolean) =>
        page.waitForFunction(([colour, same]) => {
          // deno-lint-ignore no-explicit-any -- a page's globals, which this side has no types of
          const { document, getComputedStyle } = globalThis as any;
          return (getComputedStyle(document.documentElement).backgroundColor === colour) === same;
        }, [dark, wanted] as const);
      await page.emulateMedia({ colorScheme: "light" });
      await isDark(false);
      const button = page.getByRole("button", { name: /^Theme/ });
      await button.click();
      await button.click();
      await page.locator("html[data-theme=dark]").waitFor();
      await isDark(true);
      await page.reload();
      await button.waitFor();
      await isDark(true);
    });
  },
);

testWith(["chromium"], "a list is paged by cursor and shows each record once", async () => {
  await withBrowser(async (desk) => {
    const { server } = desk;
    for (let index = 0; index < 55; index++) {
      const headers = { "idempotency-key": `export-${index}` };
      const { json } = await server.call("POST", "/v1/exports", { headers });
      if (index === 54) await waitForOperation(server, json.id);
    }
    const page = await openSignedIn(desk);
    await visit(page, "#/default/operations");
    const rows = page.getByRole("row");
    await rows.nth(50).waitFor();
    strictEqual(await rows.count(), 51, "a page, and the head");
    await page.getByRole("button", { name: "Show more" }).click();
    await rows.nth(55).waitFor();
    strictEqual(await rows.count(), 56);
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  });
});
