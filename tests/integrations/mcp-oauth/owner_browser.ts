/** The owner's browser: Chromium, signed in to the dashboard, allowing what clients ask for. */

import type { Page } from "playwright-core";
import { type BrowserSession, checkPage, openSignedIn } from "../../dashboard/browser.ts";

/** A browser that decides on requests for access. */
export interface OwnerBrowser {
  /**
   * Opens a client's address, checks the consent page, and allows everything. Resolves with the
   * address that the browser was sent to, whether or not something listens there.
   */
  allow(authorizationUrl: string, callback: string): Promise<URL>;
}

/** Opens a browser and signs in. */
export async function openOwnerBrowser(
  session: BrowserSession,
): Promise<OwnerBrowser> {
  const page = await openSignedIn(session);
  return {
    async allow(authorizationUrl, callback) {
      await page.goto(authorizationUrl);
      await page.getByRole("heading", { name: /^Connect “.+”\?$/ }).waitFor();
      await checkWidths(page);
      const arrival = page.waitForRequest((request) => request.url().startsWith(callback));
      await page.getByRole("button", { name: "Allow" }).click();
      const back = new URL((await arrival).url());
      // Clients on this machine show a page of their own there.
      await page.waitForLoadState();
      return back;
    },
  };
}

async function checkWidths(page: Page): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await checkPage(page, "the consent page");
  }
}
