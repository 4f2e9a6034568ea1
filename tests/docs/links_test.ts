/** Makes sure that the links on every page lead somewhere. */

import { deepStrictEqual } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, codeSpansOf, linksOf } from "./page.ts";

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

/** Folders and files that pages name from the root or from their own folder. */
const NAMED_PATH =
  /^(?:assets|clients|contrib|docs|examples|migrations|scripts|src|testing|tests|training)\/[\w./-]+$/;

/** Modules that pages name from any folder, such as `store/sql.ts` for `src/store/sql.ts`. */
const NAMED_MODULE = /^[\w.-]+\/[\w./-]+\.tsx?$/;

Deno.test("pages name only files and folders that exist", () => {
  const modules = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const exists = (page: string, path: string) =>
    existsSync(join(ROOT, path)) || existsSync(join(ROOT, dirname(page), path)) ||
    modules.some((module) => `/${module}`.endsWith(`/${path}`));
  const missing = pages().flatMap((page) =>
    codeSpansOf(readFileSync(join(ROOT, page), "utf8"))
      .filter((code) => NAMED_PATH.test(code) || NAMED_MODULE.test(code))
      .filter((code) => !exists(page, code))
      .map((code) => `${page}: ${code}`)
  );
  deepStrictEqual(missing, []);
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
