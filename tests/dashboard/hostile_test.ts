/** Makes sure that stored text always shows up as text and never breaks the layout. */

import assert from "node:assert/strict";
import { checkAllViewports, waitUntilLoaded, withDashboard } from "./with_dashboard.ts";
import { waitUntilDerived } from "../derived_service/views.ts";
import { testWith } from "../../testing/tools.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '<img src="https://example.invalid/x" onerror="alert(2)">',
  "[click me](javascript:alert(3))",
  "javascript:alert(4)",
  "\u202Egnp.exe\u202C \u2066abc",
  "{{constructor.constructor('alert(5)')()}}",
  `${"w".repeat(3_000)}`,
  "Z\u0351\u036B\u0343\u036A\u0302a\u0358\u0318lgo \u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
].join(" ");

testWith(
  ["chromium"],
  "dashboard shows hostile memories and documents as plain text",
  async () => {
    await withDashboard(async ({ page, server, visit }) => {
      const scope = '"><svg onload=alert(6)>';
      const id = await server.add(HOSTILE, { user_id: scope, metadata: { "<b>": HOSTILE } });
      const { json } = await server.call("POST", "/v1/documents", {
        body: {
          title: "<b>Title</b> \u202Etxt.exe",
          content: `# ${HOSTILE}\n\n| ${HOSTILE} |\n`,
          source_uri: "javascript:alert(7)",
          user_id: scope,
          mime_type: "text/html",
        },
      });
      await waitUntilDerived(server);
      const pages = {
        "/memories": HOSTILE,
        "/memories?q=click%20me": HOSTILE,
        [`/memories/${id}`]: HOSTILE,
        "/documents": "<b>Title</b>",
        "/documents?q=click%20me": "<b>Title</b>",
        [`/documents/${json.document.id}`]: HOSTILE.slice(0, 200),
        "/entities": scope,
        [`/views/profile?user_id=${encodeURIComponent(scope)}`]: "<script>alert(1)</script>",
      };
      for (const [path, text] of Object.entries(pages)) {
        await visit(path);
        await waitUntilLoaded(page);
        const main = page.getByRole("main");
        assert.ok((await main.textContent())!.includes(text), path);
        assert.equal(
          await main.locator("script, img, svg[onload], a[href^=javascript]").count(),
          0,
        );
      }
      await visit(`/memories/${id}`);
      await checkAllViewports(page, "a hostile memory");
      await visit("/memories?q=click%20me");
      await checkAllViewports(page, "a search that finds a hostile memory");
      await visit(`/documents/${json.document.id}`);
      await checkAllViewports(page, "a hostile document");
    });
  },
);
