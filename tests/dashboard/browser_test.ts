/** Tests for common dashboard tasks in a real browser. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { call } from "../../testing/harness.ts";
import { openSignedIn, visit, withBrowser } from "./browser.ts";
import { waitForOperation } from "./demo.ts";
import { testWith } from "../../testing/tools.ts";

testWith(
  ["chromium"],
  "dashboard leads from a sign-in link to a key and its first memory",
  async () => {
    await withBrowser(async (session) => {
      const { server } = session;
      const page = await openSignedIn(session);
      strictEqual(
        new URL(page.url()).hash.includes("signin"),
        false,
        "the link must not stay in the address",
      );
      await page.getByText("This project is empty").waitFor();
      await page.getByRole("link", { name: "Create a key" }).click();
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("support-bot");
      await page.getByLabel("operations:read").uncheck();
      await page.getByRole("button", { name: "Create key" }).click();
      const key = await page.locator(".secret code").textContent();
      await page.getByRole("button", { name: "I have copied it" }).click();
      await page.getByRole("cell", { name: "support-bot", exact: true }).waitFor();
      ok(!(await page.content()).includes(key!), "the key must be shown only once");

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
      await page.getByRole("button", { name: "Revoke key support-bot" }).click();
      await page.getByRole("button", { name: "Revoke key", exact: true }).click();
      await page.getByRole("cell", { name: "support-bot", exact: true }).waitFor({
        state: "detached",
      });
      strictEqual((await call(server.url, "GET", "/v1/memories", { key: key! })).status, 401);
    });
  },
);

testWith(
  ["chromium"],
  "sign-in page explains that a link was already used, and a session lasts until sign-out",
  async () => {
    await withBrowser(async (session) => {
      const page = await session.open();
      await page.goto(`${session.server.url}/#signin=an-old-link`);
      await page.getByText("This sign-in link was already used or has expired").waitFor();
      await page.getByText("SIGN_IN_FAILED").waitFor();
      match(await page.locator(".problem").textContent() ?? "", /request\s+req_/);

      const signedIn = await openSignedIn(session);
      await signedIn.reload();
      await signedIn.getByRole("heading", { name: "Overview" }).waitFor();
      await signedIn.getByRole("button", { name: "Sign out" }).click();
      await signedIn.getByText("Open a sign-in link, or paste it here").waitFor();
      await signedIn.goto(`${session.server.url}/#/default/settings`);
      await signedIn.getByText("Open a sign-in link, or paste it here").waitFor();
    });
  },
);

testWith(
  ["chromium"],
  "empty states say what to do, and their links lead there",
  async (t) => {
    const pages = [
      [
        "documents",
        /^Drop a file above, or paste text\. It is split /m,
        "paste text",
        "documents",
      ],
      ["views", /^Views are derived from memories\. Add one, for example/m, "Add one", "memories"],
      ["entities?type=agent", /^No agents yet$/m, "Add one", "memories"],
      ["events", /^Conversations and texts added /m, "Add a memory", "memories"],
    ] as const;
    await withBrowser(async (session) => {
      const page = await openSignedIn(session);
      for (const [path, text, link, target] of pages) {
        await t.step(path, async () => {
          await visit(page, `#/default/${path}`);
          const empty = page.locator(".empty");
          match(await empty.innerText(), text);
          await empty.getByRole("link", { name: link }).click();
          await page.waitForURL(`**/#/default/${target}/new`);
        });
      }
    });
  },
);

testWith(["chromium"], "operation page shows why an operation failed, and retries it", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    const page = await openSignedIn(session);
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
    await page.getByText("Waiting for the file").waitFor();
    const path = `/v1/document-uploads/${json.source_asset.id}`;
    await server.call("PUT", `${path}/content`, { raw: broken, headers: json.upload.headers });
    await server.call("POST", `${path}/complete`);
    // The page refreshes automatically.
    await page.getByText("Gave up").waitFor();
    await page.getByText("DOCUMENT_CORRUPT").waitFor();

    await visit(page, "#/-/health");
    await page.getByText("default needs attention").waitFor();
    await page.getByRole("link", { name: "Show failed operations" }).click();
    await page.getByRole("cell", { name: "score.pdf" }).waitFor();
    await page.getByRole("link", { name: "Extract document" }).click();
    // The toast only shows for a few seconds, so we start waiting before the click.
    const toast = page.getByText("Queued for retry").waitFor();
    await page.getByRole("button", { name: "Retry now" }).click();
    await toast;
  });
});

testWith(
  ["chromium"],
  "transfer page exports a project to a file, and imports it into a different service",
  async () => {
    const exported = Deno.makeTempFileSync({ suffix: ".json" });
    try {
      await withBrowser(async (session) => {
        await session.server.add("Ana keeps the spare key under the fern");
        const page = await openSignedIn(session);
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
      await withBrowser(async (session) => {
        const page = await openSignedIn(session);
        await visit(page, "#/default/transfer");
        await page.getByLabel("Snapshot").setInputFiles(exported);
        await page.getByRole("button", { name: "Import into default" }).click();
        await page.getByRole("cell", { name: "success" }).waitFor();
        const { json } = await session.server.call("GET", "/v1/memories?user_id=ana");
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

testWith(
  ["chromium"],
  "transfer page checks and imports a file of another product, and exports an archive",
  async () => {
    const exported = Deno.makeTempFileSync({ suffix: ".json" });
    const archive = Deno.makeTempFileSync({ suffix: ".zip" });
    try {
      writeFileSync(exported, '[{"id": "1", "memory": "Ana keeps bees"}, {"id": "2"}]');
      await withBrowser(async (session) => {
        const page = await openSignedIn(session);
        await visit(page, "#/default/transfer");
        await page.getByLabel("From", { exact: true }).selectOption("mem0");
        await page.getByLabel("File or zip archive").setInputFiles(exported);
        await page.getByLabel("User").fill("ana");
        await page.getByRole("button", { name: "Check the file" }).click();
        await page.getByText("1 new memory, 0 already here").waitFor();
        await page.getByText("1 record can't be imported", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Import the file" }).click();
        await page.getByRole("cell", { name: "1 new memory, 1 set aside" }).waitFor();
        const { json } = await session.server.call("GET", "/v1/memories?user_id=ana");
        strictEqual(json.results[0].memory, "Ana keeps bees");

        await page.getByRole("button", { name: "Export an archive" }).click();
        const download = page.waitForEvent("download");
        await page.getByRole("link", { name: "Download" }).click();
        await (await download).saveAs(archive);
        strictEqual(readFileSync(archive, "latin1").slice(0, 2), "PK");
      });
    } finally {
      Deno.removeSync(exported);
      Deno.removeSync(archive);
    }
  },
);

testWith(["chromium"], "projects page creates, switches and deletes projects", async () => {
  await withBrowser(async (session) => {
    const page = await openSignedIn(session);
    await visit(page, "#/-/projects");
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel("Name").fill("Not A Name");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByText("is not a valid project name").waitFor();
    await page.getByLabel("Name").fill("shop");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByText("No keys").waitFor();
    strictEqual(await page.getByLabel("Project", { exact: true }).inputValue(), "shop");
    await page.getByLabel("Project", { exact: true }).selectOption("default");
    await page.waitForURL(/#\/default\/settings$/);
    await visit(page, "#/shop/settings");
    await page.getByRole("button", { name: "Delete project" }).click();
    const confirm = page.getByRole("button", { name: "Delete everything" });
    strictEqual(await confirm.isDisabled(), true);
    await page.getByLabel("Type shop to confirm").fill("shop");
    const toast = page.getByText("Project shop deleted").waitFor();
    await confirm.click();
    await toast;
    const projects = await session.server.manage("projects", "list");
    deepStrictEqual(projects.map(({ name }: { name: string }) => name), ["default"]);
  });
});

testWith(
  ["chromium"],
  "dashboard works with the keyboard, and a dialog keeps the focus",
  async () => {
    await withBrowser(async (session) => {
      const page = await openSignedIn(session);
      await visit(page, "#/default/settings");
      const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
      await page.reload();
      await page.getByRole("button", { name: "New key" }).waitFor();
      await page.keyboard.press("Tab");
      strictEqual(await focused(), "Skip to content");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      strictEqual(await focused(), "New key");
      await page.keyboard.press("Enter");
      const name = page.getByRole("dialog").getByLabel("Name");
      await name.waitFor();
      strictEqual(await name.evaluate((field) => field.matches(":focus")), true);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      strictEqual(await focused(), "New key", "focus returns to the button");
    });
  },
);

testWith(
  ["chromium"],
  "theme follows the system, and an explicit choice survives a reload",
  async () => {
    await withBrowser(async (session) => {
      const page = await openSignedIn(session, { colorScheme: "dark" });
      const background = () =>
        page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
      const dark = await background();
      /** Waits for the colour, since a theme change takes a few frames to render. */
      const isDark = (expected: boolean) =>
        page.waitForFunction(([colour, same]) => {
          // deno-lint-ignore no-explicit-any -- globals of the page, which have no types here
          const { document, getComputedStyle } = globalThis as any;
          return (getComputedStyle(document.documentElement).backgroundColor === colour) === same;
        }, [dark, expected] as const);
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

testWith(["chromium"], "operation list is paged by cursor and shows each record once", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    for (let index = 0; index < 55; index++) {
      const headers = { "idempotency-key": `export-${index}` };
      const { json } = await server.call("POST", "/v1/exports", { headers });
      if (index === 54) await waitForOperation(server, json.id);
    }
    const page = await openSignedIn(session);
    await visit(page, "#/default/operations");
    const rows = page.getByRole("row");
    await rows.nth(50).waitFor();
    strictEqual(await rows.count(), 51, "one page, and the header");
    await page.getByRole("button", { name: "Show more" }).click();
    await rows.nth(55).waitFor();
    strictEqual(await rows.count(), 56);
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  });
});
