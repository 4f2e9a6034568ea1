/** The pages of records before a fresh server: signed in, and held against every rule. */

import type { Page } from "playwright-core";
import type { TestServer } from "../../testing/harness.ts";
import { checkPage, openSignedIn, withBrowser } from "./browser.ts";

/** A signed-in page, and the server that it came from. */
export interface Dashboard {
  readonly server: TestServer;
  readonly page: Page;
  /** Opens a page of the default project: `/memories`. */
  visit(path: string): Promise<void>;
}

/** Runs `work` in a browser of its own that is signed in, on the list of memories. */
export async function withDashboard(work: (dashboard: Dashboard) => Promise<void>): Promise<void> {
  await withBrowser(async (desk) => {
    const page = await openSignedIn(desk);
    const visit = async (path: string) => {
      await page.goto(`${desk.server.url}/#/default${path}`);
      // Another address of the same page is no new page to a browser.
      await page.reload();
      await waitUntilLoaded(page);
    };
    await visit("/memories");
    await work({ server: desk.server, page, visit });
  });
}

/** Resolves when nothing on the page is on its way any more. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.locator(".waiting, [aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Narrow and light, wide and dark: what a theme lacks, it lacks at any width. */
const VIEWPORTS = [
  { width: 320, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

/** Holds a page as it is now against the rules of `checkPage`, narrow and wide, light and dark. */
export async function checkAllViewports(page: Page, what: string): Promise<void> {
  for (const { width, colorScheme } of VIEWPORTS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await waitUntilLoaded(page);
    // What the bar at the top half hides would count as too small a target.
    await page.evaluate("scrollTo(0, 0)");
    await page.mouse.move(0, 0);
    await checkPage(page, `${what}, ${colorScheme},`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
