/** A signed-in browser on a fresh server, for testing pages. */

import type { Page } from "playwright-core";
import type { TestServer } from "../../testing/harness.ts";
import { checkPage, openSignedIn, withBrowser } from "./browser.ts";

/** A signed-in page and the server behind it. */
export interface Dashboard {
  readonly server: TestServer;
  readonly page: Page;
  /** Opens a page for the default project, such as `/memories`. */
  visit(path: string): Promise<void>;
}

/** Runs `work` in a fresh browser, signed in and on the memory list. */
export async function withDashboard(work: (dashboard: Dashboard) => Promise<void>): Promise<void> {
  await withBrowser(async (session) => {
    const page = await openSignedIn(session);
    const visit = async (path: string) => {
      await page.goto(`${session.server.url}/#/default${path}`);
      // We reload, since a browser doesn't load the page again if only the hash changes.
      await page.reload();
      await waitUntilLoaded(page);
    };
    await visit("/memories");
    await work({ server: session.server, page, visit });
  });
}

/** Waits until nothing on the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.locator(".waiting, [aria-busy=true]").first().waitFor({ state: "detached" });
}

/**
 * Narrow and light, then wide and dark. A missing colour shows at any width, so two combinations
 * are enough.
 */
const VIEWPORTS = [
  { width: 320, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

/** Runs `checkPage` on the current page in every viewport. */
export async function checkAllViewports(page: Page, what: string): Promise<void> {
  for (const { width, colorScheme } of VIEWPORTS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await waitUntilLoaded(page);
    // Scrolls to the top. Otherwise a control half hidden under the top bar would count as too
    // small.
    await page.evaluate("scrollTo(0, 0)");
    await page.mouse.move(0, 0);
    await checkPage(page, `${what}, ${colorScheme},`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
