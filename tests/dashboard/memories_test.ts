/** Tests for the memory pages in a real browser. */

import assert from "node:assert/strict";
import { checkAllViewports, waitUntilLoaded, withDashboard } from "./with_dashboard.ts";
import { testWith } from "../../testing/tools.ts";
import { waitUntil } from "../../testing/wait_until.ts";

testWith(
  ["chromium"],
  "memory search finds a memory that was just added and explains its rank",
  async () => {
    await withDashboard(async ({ page, visit }) => {
      await page.getByRole("link", { name: "Add your first memory" }).click();
      await page.getByLabel("What should be remembered?").fill("I moved to Porto on 3 May 2024.");
      await page.getByLabel("User", { exact: true }).fill("ana");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const found = page.getByRole("link", { name: "User moved to Porto on 3 May 2024" });
      await found.waitFor();
      await checkAllViewports(page, "an added memory");
      await visit("/memories");
      await page.getByRole("searchbox", { name: "Search memories" }).fill("Who moved to Porto?");
      await page.getByText("How results were found").click();
      await page.getByRole("img", { name: /^Ranks of 1 results/ }).waitFor();
      assert.match(
        await page.getByRole("list", { name: "Memories found" }).innerText(),
        /Matched by words \(1st\)/,
      );
      await page.getByText("Score breakdown").click();
      await page.getByText("shares words with the query").waitFor();
      await checkAllViewports(page, "a search");
      await page.getByRole("button", { name: "Show as table" }).click();
      await page.getByRole("table", { name: "Rank of each result" }).waitFor();
      await checkAllViewports(page, "a search as a table");
    });
  },
);

testWith(
  ["chromium"],
  "memory page shows the history, and can rate, edit, end and delete the memory",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      const id = await server.add("Ana prefers window seats");
      await visit(`/memories/${id}`);
      await page.getByRole("button", { name: "Not useful" }).click();
      await page.getByLabel("Reason (optional)").fill("It was the aisle");
      await page.getByRole("button", { name: "Save rating" }).click();
      await page.getByText("Not useful: “It was the aisle”").waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Text").fill("Ana prefers aisle seats");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("del", { hasText: "window" }).waitFor();
      // Until the page has the new text too, it would offer to restore that one.
      await page.locator(".memory-text", { hasText: "aisle" }).waitFor();
      await page.getByRole("button", { name: "Restore this text" }).click();
      assert.equal(await page.getByLabel("Text").inputValue(), "Ana prefers window seats");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".memory-text", { hasText: "window" }).waitFor();
      await page.getByRole("button", { name: "Mark as ended" }).click();
      await checkAllViewports(page, "the end of a memory");
      await page.getByLabel("Valid until").fill("2024-05-01T12:00");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("No longer valid").waitFor();
      await waitUntilLoaded(page);
      await checkAllViewports(page, "a memory");
      const history = page.getByRole("list", { name: /^History of this memory/ });
      await history.getByText("Ended").waitFor();
      assert.deepEqual(
        await history.locator("strong").allInnerTexts(),
        ["Added", "Rated", "Updated", "Updated", "Ended"],
      );
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("No memories yet").waitFor();
      await visit(`/memories/${id}`);
      await page.getByText("This memory no longer exists").waitFor();
      await checkAllViewports(page, "a deleted memory");
    });
  },
);

testWith(
  ["chromium"],
  "an edit is refused if the memory has changed since the dialog was opened",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      const id = await server.add("Ana prefers window seats");
      await page.clock.install();
      await visit(`/memories/${id}`);
      await page.getByRole("button", { name: "Edit" }).click();
      const body = { content: "Ana prefers aisle seats" };
      await server.call("PUT", `/v1/memories/${id}`, { body });
      await page.clock.runFor(15_000);
      await page.locator(".memory-text", { hasText: "aisle" }).waitFor();
      await page.getByLabel("Importance:").fill("0.9");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText("VERSION_CONFLICT").waitFor();
      const { json } = await server.call("GET", `/v1/memories/${id}`);
      assert.deepEqual([json.memory, json.importance], [body.content, 0.5]);
    });
  },
);

testWith(
  ["chromium"],
  "memory list needs no scope and filters by owner, type and validity",
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
      await page.getByLabel("Validity").selectOption("No longer valid");
      await page.getByText("No memories match these filters").waitFor();
      await page.getByRole("link", { name: "Clear filters" }).click();
      const user = page.getByLabel("User", { exact: true });
      await user.fill("u1");
      // The page may not know the users yet, so that it waits for the end of the input.
      await user.press("Enter");
      await page.getByText("Note 58").waitFor({ state: "detached" });
      await page.getByText("Note 59").waitFor();
      assert.equal(await rows.count(), 30);
    });
  },
);

testWith(
  ["chromium"],
  "memory list shows a failure to load more until the user tries again or filters",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      for (let n = 0; n < 51; n++) await server.add(`Note ${n}`);
      await page.route(/[?&]cursor=/, (route) => route.abort());
      await visit("/memories");
      const more = page.getByRole("button", { name: "Show more" });
      const failure = page.getByText("Cannot reach the service");
      await more.click();
      await failure.waitFor();
      const user = page.getByLabel("User", { exact: true });
      await user.fill("ana");
      // The page may not know the users yet, so that it waits for the end of the input.
      await user.press("Enter");
      await failure.waitFor({ state: "detached" });
      await more.click();
      await failure.waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await failure.waitFor({ state: "detached" });
      await more.click();
      await page.getByText("Note 0", { exact: true }).waitFor();
    });
  },
);

testWith(
  ["chromium"],
  "a memory is added once if the response is lost and the user adds it again",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      await visit("/memories/new");
      await page.getByLabel("Keep it word for word").check();
      const content = page.getByLabel("What should be remembered?");
      await content.fill("Ana keeps bees.");
      await page.getByLabel("User", { exact: true }).fill("ana");
      let isLost = false;
      await page.route("**/projects/*/memories", async (route) => {
        if (isLost) return await route.continue();
        isLost = true;
        await route.fetch();
        await route.abort();
      });
      const add = page.getByRole("button", { name: "Add", exact: true });
      await add.click();
      await page.getByText("Cannot reach the service").waitFor();
      await add.click();
      const stored = async () =>
        (await server.call("GET", "/v1/memories?user_id=ana")).json.results;
      await page.getByText("Cannot reach the service").waitFor({ state: "detached" });
      await waitUntil(() => content.inputValue(), (value) => value === "");
      assert.equal((await stored()).length, 1);
      // The same text again, now that the first one is known to be stored, is another memory.
      await content.fill("Ana keeps bees.");
      await add.click();
      await waitUntil(() => content.inputValue(), (value) => value === "");
      assert.equal((await stored()).length, 2);
    });
  },
);

testWith(["chromium"], "search field keeps a space that is typed before a pause", async () => {
  await withDashboard(async ({ page, visit }) => {
    await visit("/memories");
    const field = page.getByRole("searchbox", { name: "Search memories" });
    await field.pressSequentially("moved ");
    await page.waitForURL(/q=moved/);
    await page.getByLabel("Type").selectOption("Todo");
    await field.pressSequentially("to");
    await page.waitForURL((url) => /moved(\+|%20)to/.test(url.hash) && url.hash.includes("todo"));
    assert.equal(await field.inputValue(), "moved to");
  });
});
