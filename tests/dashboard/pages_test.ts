/** Every page: readable by everybody, at any width, in both themes, whatever is stored. */

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
import { testWith } from "../../testing/tools.ts";

/** Set by `deno task dashboard:screenshots`: where the pictures of the documentation go. */
const PICTURES = Deno.env.get("COMMONPLACE_SCREENSHOTS");

const WIDE = { viewport: { width: 1280, height: 800 }, colorScheme: "light" } as const;
const NARROW = { viewport: { width: 320, height: 640 }, colorScheme: "dark" } as const;
const WINDOWS = [WIDE, NARROW] as const;

/** Pages that the navigation doesn't lead to: those about one thing. */
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

/** Every page that the navigation leads to. */
async function pagesOf(page: Page): Promise<string[]> {
  return await page.locator("nav[aria-label=Pages] a").evaluateAll((links) =>
    links.map((link) => link.getAttribute("href")!)
  );
}

testWith(
  ["chromium"],
  "no page breaks a rule of accessibility or its window, full or empty",
  async () => {
    await withBrowser(async (desk) => {
      await checkAll(desk, [NARROW], [], "empty");
      const demo = await fillProject(desk.server);
      await checkAll(desk, WINDOWS, detailsOf(demo), "full");
    });
  },
);

async function checkAll(
  desk: BrowserSession,
  windows: readonly (typeof WINDOWS[number])[],
  details: readonly string[],
  state: string,
): Promise<void> {
  for (const window of windows) {
    const page = await openSignedIn(desk, window);
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

testWith(["chromium"], "the way in and the dialogs are readable by everybody too", async () => {
  await withBrowser(async (desk) => {
    for (const window of WINDOWS) {
      const outside = await desk.open(window);
      await outside.goto(`${desk.server.url}/#signin=unknown`);
      await outside.getByText("SIGN_IN_FAILED").waitFor();
      await checkPage(outside, "signing in");
      const page = await openSignedIn(desk, window);
      await visit(page, "#/default/settings");
      await page.getByRole("button", { name: "New key" }).click();
      await checkPage(page, "a new key");
      await page.getByRole("button", { name: "Make the key" }).click();
      await page.locator(".secret").waitFor();
      await checkPage(page, "the key that is shown once");
    }
  });
});

/** Texts that would do harm as HTML, as an address, or in a place that counts on short ones. */
const HOSTILE = [
  '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>',
  '"><svg onload=globalThis.harmed=1>',
  "javascript:globalThis.harmed=1",
  "{{constructor.constructor('globalThis.harmed=1')()}} \u202Egnirts desrever",
  "unbroken".repeat(200),
];

testWith(["chromium"], "no stored text becomes anything but text", async () => {
  await withBrowser(async (desk) => {
    const { server } = desk;
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
      await server.manage("keys", "create", "--project", "default", "--name", scope);
    }
    for (const window of WINDOWS) {
      const page = await openSignedIn(desk, window);
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

if (PICTURES !== undefined) {
  testWith(["chromium"], "pictures for the documentation", async () => {
    mkdirSync(PICTURES, { recursive: true });
    await withBrowser(async (desk) => {
      const demo = await fillProject(desk.server);
      fillActivity(desk.server);
      for (
        const [name, colorScheme, address] of [
          ["overview", "light", "#/default"],
          ["operation", "dark", `#/default/operations/${demo.failedOperation}`],
        ] as const
      ) {
        const page = await openSignedIn(desk, {
          colorScheme,
          viewport: { width: 1280, height: 800 },
        });
        await visit(page, address);
        await page.screenshot({ path: join(PICTURES, `dashboard-${name}-${colorScheme}.png`) });
      }
    });
  });
}
