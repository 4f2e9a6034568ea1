/** Tests for the document pages in a real browser. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { pdf } from "../../testing/extraction_fixtures.ts";
import { connectOverHttp } from "../mcp/client.ts";
import { checkAllViewports, waitUntilLoaded, withDashboard } from "./with_dashboard.ts";
import { testWith } from "../../testing/tools.ts";

const KEEPER = [
  { x: 72, y: 740, text: "Keeper's handbook", size: 20, bold: true },
  { x: 72, y: 700, text: "The lamp is lit at dusk and put out at dawn, every day of the year." },
];

testWith(
  ["chromium"],
  "documents page uploads a PDF and shows the progress until it has become a document",
  async () => {
    await withDashboard(async ({ page, visit }) => {
      await visit("/documents");
      await page.getByText("No documents yet").waitFor();
      await checkAllViewports(page, "no documents");
      const file = {
        name: "keeper.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from(pdf([KEEPER])),
      };
      await page.getByLabel("Files to upload").setInputFiles(file);
      // The page asks for the owner only once.
      await page.getByLabel("User", { exact: true }).last().waitFor();
      await page.getByRole("group", { name: "Owner" }).getByLabel("User").fill("ana");
      await page.getByRole("button", { name: "Upload", exact: true }).click();
      await page.getByRole("link", { name: "Open", exact: true }).waitFor();
      await page.getByText("keeper.pdf is ready").waitFor({ state: "attached" });
      await page.getByRole("table", { name: "Documents" }).getByText("keeper.pdf").waitFor();
      await checkAllViewports(page, "an uploaded file");
      await page.getByRole("link", { name: "Open", exact: true }).click();
      await page.getByText("The lamp is lit at dusk").waitFor();
      assert.match(
        await page.getByRole("complementary", { name: "About this document" }).innerText(),
        /keeper\.pdf/,
      );
    });
  },
);

testWith(
  ["chromium"],
  "documents page sends three files at a time, and watches them through a lost connection",
  async () => {
    await withDashboard(async ({ page, visit }) => {
      await visit("/documents");
      let open = 0;
      let maxOpen = 0;
      let isLost = false;
      const started = Promise.withResolvers<void>();
      await page.route("**/document-uploads/**", async (route) => {
        const method = route.request().method();
        if (method === "GET" && !isLost) {
          isLost = true;
          return await route.abort();
        }
        if (method !== "PUT") return await route.continue();
        maxOpen = Math.max(maxOpen, ++open);
        if (open === 3) started.resolve();
        await started.promise;
        const response = await route.fetch();
        open--;
        await route.fulfill({ response });
      });
      const files = Array.from({ length: 4 }, (_, number) => ({
        name: `note ${number}.txt`,
        mimeType: "text/plain",
        buffer: Buffer.from(`Note ${number}`),
      }));
      await page.getByLabel("Files to upload").setInputFiles(files);
      await page.getByRole("group", { name: "Owner" }).getByLabel("User").fill("ana");
      await page.getByRole("button", { name: "Upload", exact: true }).click();
      for (const { name } of files) {
        await page.getByText(`${name} is ready`).waitFor({ state: "attached" });
      }
      assert.equal(maxOpen, 3);
      assert.ok(isLost);
    });
  },
);

testWith(["chromium"], "upload card explains why a file cannot be read", async () => {
  await withDashboard(async ({ page, visit }) => {
    await visit("/documents");
    const file = { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") };
    await page.getByLabel("Files to upload").setInputFiles(file);
    await page.getByRole("group", { name: "Owner" }).getByLabel("User").fill("ana");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    const card = page.getByRole("list", { name: "Uploads" }).getByRole("listitem")
      .first();
    await card.getByRole("alert").waitFor();
    await card.getByRole("button", { name: "Try again" }).waitFor();
    await checkAllViewports(page, "a failed upload");
    await visit("/documents");
    await card.getByRole("alert").waitFor();
    await card.getByRole("button", { name: "Remove notes.pdf" }).click();
    await card.waitFor({ state: "detached" });
  });
});

testWith(["chromium"], "upload card completes an upload that was left unfinished", async () => {
  await withDashboard(async ({ page, server, visit }) => {
    const raw = new TextEncoder().encode("The lamp burns colza.");
    const ids = new Map<string, string>();
    for (const filename of ["sent.txt", "announced.txt", "deleted.txt"]) {
      const { json } = await server.call("POST", "/v1/document-uploads", {
        headers: { "idempotency-key": filename },
        body: { filename, content_type: "text/plain", size_bytes: raw.length, user_id: "ana" },
      });
      ids.set(filename, json.source_asset.id);
      if (filename !== "sent.txt") continue;
      const { headers } = json.upload;
      const path = `/v1/document-uploads/${json.source_asset.id}/content`;
      await server.call("PUT", path, { raw, headers });
    }
    await visit("/documents");
    await page.getByText("The file has not arrived yet").first().waitFor();
    await page.getByRole("button", { name: "Remove announced.txt" }).click();
    // Deleted after the click, because the page may notice it if it happens before.
    let isDeleted = false;
    const path = `/document-uploads/${ids.get("deleted.txt")}`;
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === "DELETE") {
        isDeleted = (await server.call("DELETE", `/v1${path}`)).status === 204;
      }
      await route.continue();
    });
    const removal = page.getByRole("button", { name: "Remove deleted.txt" });
    await removal.click();
    await removal.waitFor({ state: "detached" });
    assert.ok(isDeleted);
    await page.getByText("its upload was not completed").waitFor();
    await checkAllViewports(page, "an unfinished upload");
    await page.getByRole("button", { name: "Complete" }).click();
    await page.getByText("sent.txt is ready").waitFor({ state: "attached" });
    await page.getByText("The file has not arrived yet").waitFor({ state: "detached" });
  });
});

testWith(["chromium"], "documents page follows unfinished uploads of other clients", async () => {
  await withDashboard(async ({ page, server, visit }) => {
    await page.clock.install();
    await visit("/documents");
    await page.getByText("No documents yet").waitFor();
    const announce = async (filename: string) => {
      const { json } = await server.call("POST", "/v1/document-uploads", {
        headers: { "idempotency-key": filename },
        body: { filename, content_type: "text/plain", size_bytes: 4, user_id: "ana" },
      });
      return `/v1/document-uploads/${json.source_asset.id}`;
    };
    const [gone, sent] = [await announce("gone.txt"), await announce("sent.txt")];
    await page.clock.runFor(15_000);
    await page.getByText("gone.txt", { exact: true }).waitFor();
    await page.getByText("sent.txt", { exact: true }).waitFor();
    await server.call("DELETE", gone);
    await server.call("PUT", `${sent}/content`, {
      raw: new TextEncoder().encode("Lamp"),
      headers: { "content-type": "text/plain" },
    });
    await server.call("POST", `${sent}/complete`);
    await page.clock.runFor(15_000);
    await page.getByText("gone.txt", { exact: true }).waitFor({ state: "detached" });
    await page.clock.runFor(1_000);
    await page.getByText("sent.txt is ready").waitFor({ state: "attached" });
  });
});

testWith(["chromium"], "a form remembers the last user of its project only", async () => {
  await withDashboard(async ({ page, server, visit }) => {
    await server.manage("projects", "create", "other");
    const user = page.getByLabel("User", { exact: true });
    await visit("/documents/new");
    await page.getByLabel("Title").fill("Lamp");
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("It burns colza.");
    await user.fill("ana");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("It burns colza.").waitFor();
    await visit("/memories/new");
    assert.equal(await user.inputValue(), "ana");
    await page.goto(`${server.url}/#/other/memories/new`);
    await page.reload();
    await waitUntilLoaded(page);
    assert.equal(await user.inputValue(), "");
  });
});

testWith(
  ["chromium"],
  "document search opens the matching passage in its document",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      const body = {
        title: "Handbook",
        mime_type: "text/markdown",
        user_id: "ana",
        content: Array.from({ length: 12 }, (_, n) =>
          `## Room ${n}\n\n${"Nothing of note is kept in this room at all. ".repeat(24)}\n\n`).join(
            "",
          ) + "## The lamp\n\nThe lamp burns colza oil.\n",
      };
      const { json } = await server.call("POST", "/v1/documents", { body });
      await visit("/documents");
      await page.getByRole("searchbox", { name: "Search documents" }).fill("which oil burns?");
      const hits = page.getByRole("list", { name: "Passages found" });
      await hits.getByText("colza").waitFor();
      await checkAllViewports(page, "passages found");
      await hits.getByRole("link", { name: "Handbook" }).first().click();
      const chosen = page.locator(".chunk.chosen");
      await chosen.waitFor();
      assert.match(await chosen.innerText(), /The lamp burns colza oil/);
      // The page scrolls to the passage after rendering it.
      await page.waitForFunction(() => {
        // deno-lint-ignore no-explicit-any -- globals of the page, which have no types here
        const { document, innerHeight } = globalThis as any;
        const { top, bottom } = document.querySelector(".chunk.chosen").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      assert.deepEqual(await chosen.locator("mark").allInnerTexts(), ["burns", "oil"]);
      await waitUntilLoaded(page);
      await checkAllViewports(page, "a document");
      // Together, the passages make up the full text.
      const { content } =
        (await server.call("GET", `/v1/documents/${json.document.id}/content`)).json;
      const shown = await page.locator(".chunk-text").evaluateAll((all) =>
        all.map((each) =>
          each.textContent
        ).join("")
      );
      assert.equal(shown, content);
    });
  },
);

testWith(
  ["chromium"],
  "the URL of a passage that the search tool found opens the document at the passage",
  async () => {
    await withDashboard(async ({ page, server }) => {
      const body = {
        mime_type: "text/markdown",
        user_id: "ana",
        content: `# Rooms\n\n${
          "Nothing is kept here. ".repeat(200)
        }\n\n# Lamp\n\nIt burns colza.\n`,
      };
      await server.call("POST", "/v1/documents", { body });
      const peer = await connectOverHttp(server.url, server.key, "auto", "?tools=chatgpt");
      const { results } = (await peer.call("search", { query: "colza" })).json;
      await peer.close();
      await page.goto(results[0].url);
      assert.match(await page.locator(".chunk.chosen").innerText(), /It burns colza/);
    });
  },
);

testWith(
  ["chromium"],
  "paste page saves a document, or a new version if the title already exists",
  async () => {
    await withDashboard(async ({ page, visit }) => {
      for (const [turn, text] of ["The lamp burns colza.", "The lamp burns gas."].entries()) {
        await visit("/documents/new");
        if (turn === 0) await checkAllViewports(page, "pasting");
        await page.getByLabel("Title").fill("Lamp");
        await page.getByRole("textbox", { name: "Text", exact: true }).fill(text);
        await page.getByLabel("User", { exact: true }).fill("ana");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText(text).waitFor();
      }
      const versions = page.getByRole("complementary", { name: "About this document" }).getByRole(
        "listitem",
      );
      await versions.nth(1).waitFor();
      await versions.nth(1).getByRole("link").click();
      await page.getByText("This is an older version").waitFor();
      await page.getByText("The lamp burns colza.").waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText("all 2 versions").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("No documents yet").waitFor();
    });
  },
);
