/** A real browser on a real server, plus checks that apply to every dashboard page. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { requireTool } from "../../testing/tools.ts";

// Without this variable, Playwright searches /proc for signs of Windows while loading. Deno only
// allows that with all permissions.
Deno.env.set("__IS_WSL_TEST__", "1");
const { chromium } = await import("playwright-core");

/** Timeout for browser actions, in milliseconds. Long enough for a busy machine. */
const BROWSER_TIMEOUT_MS = 120_000;

/** A server, pages of it in a browser, and any problems seen in them. */
export interface BrowserSession {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Opens a page in a fresh context, with no cookies or stored data. */
  open(options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  /**
   * Problems on any page: requests to other hosts, script errors, dialogs, and policy violations.
   */
  readonly problems: string[];
}

/**
 * Parts of Chromium to switch off: those that Playwright does, as the flag replaces its list, and the
 * suggestions of the address bar, which cost two seconds of processor time for each window.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/**
 * The browser of this test file. Starting one takes seconds. Its contexts share nothing, as if each
 * were a browser of its own.
 */
let launched: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
  return launched ??= chromium.launch({
    executablePath: requireTool("chromium"),
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      `--disable-features=${DISABLED_FEATURES.join(",")}`,
    ],
    timeout: BROWSER_TIMEOUT_MS,
  });
}

/** Ends the browser. Only programs that aren't tests need to call it. */
export async function closeBrowser(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
}

Deno.test.afterAll(closeBrowser);

/**
 * Runs `work` with a server of its own, closes the pages that it has opened, and makes sure that
 * none of them had a problem.
 */
export async function withBrowser(work: (session: BrowserSession) => Promise<void>): Promise<void> {
  await withServer(async (server) => {
    const browser = await launch();
    const contexts: BrowserContext[] = [];
    const problems: string[] = [];
    const session: BrowserSession = {
      server,
      browser,
      problems,
      async open(options = {}) {
        const context = await browser.newContext({
          viewport: { width: 1280, height: 800 },
          locale: "en-GB",
          timezoneId: "UTC",
          reducedMotion: "reduce",
          ...options,
        });
        contexts.push(context);
        context.setDefaultTimeout(BROWSER_TIMEOUT_MS);
        watch(context, server.url, problems);
        return await context.newPage();
      },
    };
    try {
      await work(session);
      deepStrictEqual(problems, []);
    } finally {
      for (const context of contexts) await context.close();
    }
  });
}

function watch(context: BrowserContext, url: string, problems: string[]): void {
  context.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`)) problems.push(`requested ${request.url()}`);
  });
  context.on("weberror", (error) => problems.push(`script failed: ${error.error()}`));
  context.on("dialog", (dialog) => problems.push(`opened a dialog: ${dialog.message()}`));
  context.on("console", (message) => {
    const text = message.text();
    if (/Content Security Policy|TrustedHTML/.test(text)) problems.push(text);
  });
}

/** Opens the dashboard through a fresh one-time link. */
export async function openSignedIn(
  session: BrowserSession,
  options?: Parameters<BrowserSession["open"]>[0],
): Promise<Page> {
  const page = await session.open(options);
  const { url } = await session.server.manage("dashboard");
  await page.goto(session.server.url + "/" + new URL(url).hash);
  await page.locator("nav[aria-label=Pages]").waitFor({ state: "attached" });
  return page;
}

/** Opens a dashboard page and waits for its content to load. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) =>
    new Promise<void>((resolve) => {
      // By the time this timer fires, the page has handled and rendered the new address.
      const drawn = () => void setTimeout(resolve);
      if (location.hash === hash) drawn();
      else addEventListener("hashchange", drawn, { once: true });
      location.hash = hash;
    }), address);
  await page.locator("main h1").waitFor();
  await page.locator(".waiting").first().waitFor({ state: "detached" });
}

/** Returns the width of a page's content, in pixels. */
export async function scrollWidth(page: Page): Promise<number> {
  return await page.evaluate("document.documentElement.scrollWidth");
}

/** Checks that a page has no WCAG 2.2 AA violations and doesn't scroll sideways. */
export async function checkPage(page: Page, what: string): Promise<void> {
  const width = page.viewportSize()!.width;
  const found = await scrollWidth(page);
  ok(found <= width, `${what} is ${found} pixels wide in a window of ${width}`);
  // It stays until the page is loaded again.
  if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- the line above adds axe to the page
    const { document, axe } = globalThis as any;
    const { violations } = await axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`,
    );
  });
  strictEqual(violations.join("\n\n"), "", `${what} at ${width}`);
}
