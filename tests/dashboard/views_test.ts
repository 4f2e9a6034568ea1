/** Tests for the derived view and entity pages in a real browser. */

import assert from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { checkAllViewports, withDashboard } from "./with_dashboard.ts";
import { testWith } from "../../testing/tools.ts";

/** Adds a message with inference and waits for it to be processed. */
async function addObservation(
  server: TestServer,
  content: string,
  event_date: string,
): Promise<void> {
  const { json } = await server.call("POST", "/v1/memories", {
    body: { messages: [{ role: "user", content }], user_id: "ana", event_date },
    headers: { "idempotency-key": content },
  });
  for (;;) {
    const event = await server.call("GET", `/v1/events/${json.event_id}`);
    if (event.json.status === "SUCCEEDED") return;
    assert.notEqual(event.json.status, "FAILED");
  }
}

testWith(
  ["chromium"],
  "state page plots values over time and shows the value at any point in time",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      await addObservation(server, "I live in Lisbon.", "2023-01-10");
      await addObservation(server, "I moved to Porto on 3 May 2024.", "2024-05-10");
      await visit("/views/state");
      await page.getByRole("link", { name: /^ana/ }).click();
      await page.getByRole("navigation", { name: "Subjects" }).getByText("lives in").waitFor();
      const value = page.locator(".slot-value");
      await value.getByText("Porto").waitFor();
      await checkAllViewports(page, "a state");
      await page.getByLabel("As of").fill("2023-06-01T12:00");
      await value.getByText("Lisbon").waitFor();
      const chart = page.getByRole("img", { name: /2 values over time: Lisbon, then Porto/ });
      assert.equal(await chart.locator(".value-bar").count(), 2);
      await page.getByRole("link", { name: "Beliefs" }).click();
      await page.getByText("undecided").waitFor();
      await page.getByText("Evidence: 1 memory").first().click();
      await checkAllViewports(page, "beliefs");
      await page.getByRole("link", { name: "Profile" }).click();
      await page.getByText("User moved to Porto on 3 May 2024").waitFor();
      await checkAllViewports(page, "a profile");
      await visit("/entities");
      await checkAllViewports(page, "entities");
      await page.getByRole("button", { name: "Delete ana" }).click();
      await page.getByRole("dialog").getByRole("button", { name: /Delete 2 memories/ }).click();
      await page.getByText("No entities yet").waitFor();
    });
  },
);

testWith(["chromium"], "views page offers the users of a project with many runs", async () => {
  await withDashboard(async ({ page, server, visit }) => {
    await server.add("Ana lives in Porto.", { user_id: "ana" });
    for (let n = 0; n < 25; n++) await server.add(`Note ${n}`, { run_id: `run-${n}` });
    await visit("/views");
    await page.getByRole("link", { name: "ana user, 1 memory" }).waitFor();
  });
});

testWith(["chromium"], "a list gives up columns before names are cut off", async () => {
  await withDashboard(async ({ page, server, visit }) => {
    await server.add("Note", { run_id: "session-2026-10-26" });
    await page.setViewportSize({ width: 1024, height: 768 });
    await visit("/entities");
    const cell = page.getByRole("cell", { name: "session-2026-10-26", exact: true });
    assert.ok(await cell.evaluate((each) => each.scrollWidth <= each.clientWidth));
    assert.equal(await page.getByRole("columnheader", { name: "First memory" }).isVisible(), false);
  });
});

testWith(
  ["chromium"],
  "views page reports that views are off and links to the settings",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      await server.add("I live in Porto.");
      await server.manage("projects", "derivation", "default", "off");
      await visit("/views/profile?user_id=ana");
      await page.getByText("Views are turned off for this project").waitFor();
      await checkAllViewports(page, "views turned off");
    });
  },
);
