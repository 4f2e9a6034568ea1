/** Rules of the pages about documents, in a real browser. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { pdf } from "../../testing/extraction_fixtures.ts";
import { checkAllViewports, waitUntilLoaded, withDashboard } from "./with_dashboard.ts";
import { testWith } from "../../testing/tools.ts";

const KEEPER = [
  { x: 72, y: 740, text: "Keeper's handbook", size: 20, bold: true },
  { x: 72, y: 700, text: "The lamp is lit at dusk and put out at dawn, every day of the year." },
];

testWith(["chromium"], "a PDF is dropped in, and watched until it is a document", async () => {
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
    // Whose it is, is asked once.
    await page.getByLabel("User", { exact: true }).last().waitFor();
    await page.getByRole("group", { name: "Whose is it?" }).getByLabel("User").fill("ana");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByRole("link", { name: "Open it" }).waitFor();
    await page.getByText("keeper.pdf is a document now").waitFor({ state: "attached" });
    await page.getByRole("table", { name: "Documents" }).getByText("keeper.pdf").waitFor();
    await checkAllViewports(page, "an uploaded file");
    await page.getByRole("link", { name: "Open it" }).click();
    await page.getByText("The lamp is lit at dusk").waitFor();
    assert.match(
      await page.getByRole("complementary", { name: "About this document" }).innerText(),
      /keeper\.pdf/,
    );
  });
});

testWith(["chromium"], "a file that can't be read says why and what to do", async () => {
  await withDashboard(async ({ page, visit }) => {
    await visit("/documents");
    const file = { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") };
    await page.getByLabel("Files to upload").setInputFiles(file);
    await page.getByRole("group", { name: "Whose is it?" }).getByLabel("User").fill("ana");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    const card = page.getByRole("list", { name: "Files on their way" }).getByRole("listitem")
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

testWith(
  ["chromium"],
  "a search jumps to the passage that answers, in the text of its document",
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
      // It is scrolled to once it is drawn.
      await page.waitForFunction(() => {
        // deno-lint-ignore no-explicit-any -- a page's globals, which this side has no types of
        const { document, innerHeight } = globalThis as any;
        const { top, bottom } = document.querySelector(".chunk.chosen").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      assert.deepEqual(await chosen.locator("mark").allInnerTexts(), ["burns", "oil"]);
      await waitUntilLoaded(page);
      await checkAllViewports(page, "a document");
      // All passages together are the text.
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

testWith(["chromium"], "pasted text becomes a document, and pasted again a version", async () => {
  await withDashboard(async ({ page, visit }) => {
    for (const [turn, text] of ["The lamp burns colza.", "The lamp burns gas."].entries()) {
      await visit("/documents/new");
      if (turn === 0) await checkAllViewports(page, "pasting");
      await page.getByLabel("Title").fill("Lamp");
      await page.getByRole("textbox", { name: "Text", exact: true }).fill(text);
      await page.getByLabel("User", { exact: true }).fill("ana");
      await page.getByRole("button", { name: "Store it" }).click();
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
    await page.getByText("all its 2 versions").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No documents yet").waitFor();
  });
});
