/** Tests every page for accessibility, layout at any width in both themes, and hostile content. */

import { ok, strictEqual } from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import {
  type BrowserSession,
  checkPage,
  openSignedIn,
  scrollWidth,
  visit,
  withBrowser,
} from "./browser.ts";
import { type Demo, fillActivity, fillProject } from "./demo.ts";
import { MAX_KEY_NAME_CHARACTERS } from "../../src/projects/schema.ts";
import { testWith } from "../../testing/tools.ts";

/** Where to write screenshots. Set by `deno task dashboard:screenshots`. */
const SCREENSHOT_FOLDER = Deno.env.get("COMMONPLACE_SCREENSHOTS");

const WIDE = { viewport: { width: 1280, height: 800 }, colorScheme: "light" } as const;
const NARROW = { viewport: { width: 320, height: 640 }, colorScheme: "dark" } as const;
const WINDOWS = [WIDE, NARROW] as const;

/** Returns the single-record pages, which the navigation doesn't link to. */
function detailsOf({ failedOperation, event, memory, document }: Demo): string[] {
  return [
    `#/default/operations/${failedOperation}`,
    `#/default/events/${event}`,
    `#/default/memories/${memory}`,
    `#/default/documents/${document}`,
    "#/default/nowhere",
    "#/no-such-project",
  ];
}

/** Returns every page in the navigation. */
async function pagesOf(page: Page): Promise<string[]> {
  return await page.locator("nav[aria-label=Pages] a").evaluateAll((links) =>
    links.map((link) => link.getAttribute("href")!)
  );
}

testWith(
  ["chromium"],
  "every page is accessible and fits its window, whether empty or full",
  async () => {
    await withBrowser(async (session) => {
      await checkAll(session, [NARROW], [], "empty");
      const demo = await fillProject(session.server);
      await checkAll(session, WINDOWS, detailsOf(demo), "full");
    });
  },
);

async function checkAll(
  session: BrowserSession,
  windows: readonly (typeof WINDOWS[number])[],
  details: readonly string[],
  state: string,
): Promise<void> {
  for (const window of windows) {
    const page = await openSignedIn(session, window);
    const addresses = [...await pagesOf(page), ...details];
    ok(addresses.length >= 11);
    for (const address of addresses) {
      await visit(page, address);
      await checkPage(page, `${address}, ${state}`);
    }
    if (window === NARROW) {
      await page.getByRole("button", { name: "Navigation" }).click();
      await checkPage(page, "the open navigation");
    }
    await page.context().close();
  }
}

testWith(["chromium"], "sign-in page and dialogs are accessible", async () => {
  await withBrowser(async (session) => {
    for (const window of WINDOWS) {
      const outside = await session.open(window);
      await outside.goto(`${session.server.url}/#signin=unknown`);
      await outside.getByText("SIGN_IN_FAILED").waitFor();
      await checkPage(outside, "signing in");
      const page = await openSignedIn(session, window);
      await visit(page, "#/default/settings");
      await page.getByRole("button", { name: "New key" }).click();
      await checkPage(page, "a new key");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.locator(".secret").waitFor();
      await checkPage(page, "the key that is shown once");
    }
  });
});

/** Texts that would do harm as HTML or as a URL, or that don't fit into their space. */
const HOSTILE = [
  '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>',
  '"><svg onload=globalThis.harmed=1>',
  "javascript:globalThis.harmed=1",
  "{{constructor.constructor('globalThis.harmed=1')()}} \u202Egnirts desrever",
  "unbroken".repeat(200),
];

testWith(["chromium"], "every page shows stored text only as text", async () => {
  await withBrowser(async (session) => {
    const { server } = session;
    const memories: string[] = [];
    for (const [index, text] of HOSTILE.entries()) {
      const scope = text.slice(0, 200);
      const metadata = { [scope.slice(0, 60)]: text };
      const id = await server.add(text, { user_id: scope, agent_id: scope, metadata });
      memories.push(`#/default/memories/${id}`);
      const document = await server.call("POST", "/v1/documents", {
        body: {
          source_key: scope,
          title: scope,
          source_uri: `javascript:globalThis.harmed=${index}`,
          user_id: scope,
          mime_type: "text/html",
          content: `<h1>${text}</h1>\n\n${text}\n`,
        },
      });
      strictEqual(document.status, 200, document.text);
      const name = text.slice(0, MAX_KEY_NAME_CHARACTERS);
      await server.manage("keys", "create", "--project", "default", "--name", name);
    }
    for (const window of WINDOWS) {
      const page = await openSignedIn(session, window);
      for (const address of [...await pagesOf(page), ...memories]) {
        await visit(page, address);
        const width = await scrollWidth(page);
        ok(width <= window.viewport.width, `${address} is ${width} pixels wide`);
        const harmed = await page.evaluate(() => "harmed" in globalThis);
        strictEqual(harmed, false, address);
        strictEqual(await page.locator("main :is(script, img, iframe, object)").count(), 0);
        strictEqual(await page.locator("a[href^='javascript' i]").count(), 0);
      }
      await visit(page, "#/default/settings");
      await page.getByText(HOSTILE[0]!.slice(0, 100)).first().waitFor();
    }
  });
});

if (SCREENSHOT_FOLDER !== undefined) {
  testWith(["chromium"], "dashboard renders the pictures for the documentation", async () => {
    mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
    await withBrowser(async (session) => {
      const demo = await fillProject(session.server);
      fillActivity(session.server);
      for (
        const [name, colorScheme, address] of [
          ["overview", "light", "#/default"],
          ["operation", "dark", `#/default/operations/${demo.failedOperation}`],
        ] as const
      ) {
        const page = await openSignedIn(session, {
          colorScheme,
          viewport: { width: 1280, height: 800 },
        });
        await visit(page, address);
        await page.screenshot({
          path: join(SCREENSHOT_FOLDER, `dashboard-${name}-${colorScheme}.png`),
        });
      }
    });
  });
}
