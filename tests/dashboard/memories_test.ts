/** Rules of the pages about memories, in a real browser. */

import assert from "node:assert/strict";
import { checkAllViewports, waitUntilLoaded, withDashboard } from "./with_dashboard.ts";
import { testWith } from "../../testing/tools.ts";

testWith(
  ["chromium"],
  "a memory is added, found by a question, and the trace tells why",
  async () => {
    await withDashboard(async ({ page, visit }) => {
      await page.getByRole("link", { name: "Add the first memory" }).click();
      await page.getByLabel("What should be remembered?").fill("I moved to Porto on 3 May 2024.");
      await page.getByLabel("User", { exact: true }).fill("ana");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const found = page.getByRole("link", { name: "User moved to Porto on 3 May 2024" });
      await found.waitFor();
      await checkAllViewports(page, "an added memory");
      await visit("/memories");
      await page.getByRole("searchbox", { name: "Search memories" }).fill("Who moved to Porto?");
      await page.getByText("How they were found").waitFor();
      assert.match(
        await page.getByRole("list", { name: "Memories found" }).innerText(),
        /Found by its words \(1st\)/,
      );
      await page.getByText("How the score came about").click();
      await page.getByText("shares words with the query").waitFor();
      await checkAllViewports(page, "a search");
      await page.getByRole("button", { name: "As a table" }).click();
      await page.getByRole("table", { name: "Rank of each result" }).waitFor();
      await checkAllViewports(page, "a search as a table");
    });
  },
);

testWith(
  ["chromium"],
  "a memory's page tells its life, and lets people rate, change, end and delete it",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      const id = await server.add("Ana prefers window seats");
      await visit(`/memories/${id}`);
      await page.getByRole("button", { name: "Not useful" }).click();
      await page.getByLabel("Why? (if you like)").fill("It was the aisle");
      await page.getByRole("button", { name: "Rate it" }).click();
      await page.getByText("As not useful: “It was the aisle”").waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Text").fill("Ana prefers aisle seats");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("del", { hasText: "window" }).waitFor();
      await page.getByRole("button", { name: "End", exact: true }).click();
      await checkAllViewports(page, "the end of a memory");
      await page.getByLabel("Holds until").fill("2024-05-01T12:00");
      await page.getByRole("button", { name: "Set its end" }).click();
      await page.getByText("No longer holds").waitFor();
      await waitUntilLoaded(page);
      await checkAllViewports(page, "a memory");
      const life = page.getByRole("list", { name: /life of this memory/ });
      assert.deepEqual(
        await life.locator("strong").allInnerTexts(),
        ["Added", "Rated", "Changed", "Ended"],
      );
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("No memories yet").waitFor();
      await visit(`/memories/${id}`);
      await page.getByText("This memory is gone").waitFor();
      await checkAllViewports(page, "a deleted memory");
    });
  },
);

testWith(
  ["chromium"],
  "lists are narrowed down by owner, type and validity, without a scope to begin with",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      for (let n = 0; n < 60; n++) await server.add(`Note ${n}`, { user_id: `u${n % 2}` });
      await server.add("Renew the passport", { agent_id: "clerk", memory_type: "todo" });
      await visit("/memories");
      const rows = page.getByRole("list", { name: "Memories" }).getByRole("listitem");
      assert.equal(await rows.count(), 50);
      await page.getByRole("button", { name: "Show more" }).click();
      await page.getByText("Note 0", { exact: true }).waitFor();
      assert.equal(await rows.count(), 61);
      await checkAllViewports(page, "a list");
      await page.getByLabel("Type").selectOption("Todo");
      await page.getByText("Note 59").waitFor({ state: "detached" });
      await page.getByText("Renew the passport").waitFor();
      assert.equal(await rows.count(), 1);
      await page.getByLabel("Validity").selectOption("No longer holds");
      await page.getByText("No memory fits these filters").waitFor();
      await page.getByRole("link", { name: "Clear the filters" }).click();
      await page.getByLabel("User", { exact: true }).fill("u1");
      await page.getByText("Note 58").waitFor({ state: "detached" });
      await page.getByText("Note 59").waitFor();
      assert.equal(await rows.count(), 30);
    });
  },
);
