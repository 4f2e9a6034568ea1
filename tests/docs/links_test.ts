/** Makes sure that the links on every page lead somewhere. */

import { deepStrictEqual } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, linksOf } from "./page.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Folders whose pages aren't part of the documentation. */
const EXCLUDED = /^(node_modules|dist|assets|commonplace-data|\.git)\b/;

function pages(): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .flatMap((entry) => {
      if (EXCLUDED.test(entry.name)) return [];
      if (entry.isFile()) return [entry.name];
      return readdirSync(join(ROOT, entry.name), { recursive: true, encoding: "utf8" })
        .map((name) => join(entry.name, name));
    })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules/"));
}

Deno.test("pages link only to files and headings that exist", () => {
  const broken = pages().flatMap((page) => {
    const path = join(ROOT, page);
    return linksOf(readFileSync(path, "utf8")).filter((link) => {
      const [file, anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), decodeURIComponent(file!));
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith(".md") &&
        !anchorsOf(readFileSync(target, "utf8")).has(anchor);
    }).map((link) => `${page}: ${link}`);
  });
  deepStrictEqual(broken, []);
});

Deno.test("docs/README.md links to every page in docs/", () => {
  const contents = join(ROOT, "docs/README.md");
  const linked = new Set(
    linksOf(readFileSync(contents, "utf8")).map((link) =>
      relative(ROOT, join(dirname(contents), link.split("#")[0]!))
    ),
  );
  const missing = pages().filter((page) =>
    page.startsWith("docs/") && page !== "docs/README.md" && !linked.has(page)
  );
  deepStrictEqual(missing, []);
});
