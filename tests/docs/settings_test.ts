/** Whatever the pages and the files for operators set can be set. */

import { deepStrictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName, resolveSettings } from "../../src/server/config.ts";
import { SETTINGS } from "../../src/server/settings.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Read by others than `serve`: the executable's launcher, and the client side of `mcp`. */
const OTHERS = [
  "COMMONPLACE_UNPACK_DIR",
  ...["PROJECT", "URL", "USER_ID", "AGENT_ID", "RUN_ID"].map((name) => `COMMONPLACE_${name}`),
];

function texts(): [name: string, text: string][] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
  const contrib = readdirSync(join(ROOT, "contrib")).map((name) => join("contrib", name));
  const names = ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...docs, ...contrib];
  return names.map((name) => [name, readFileSync(join(ROOT, name), "utf8")]);
}

Deno.test("every variable of the environment that a page or a unit names is read", () => {
  const known = new Set([
    ...OTHERS,
    ...SETTINGS.flatMap(({ name, kind }) => {
      const variable = environmentName(name);
      return kind === "secret" ? [variable, `${variable}_FILE`] : [variable];
    }),
  ]);
  const unknown = texts().flatMap(([page, text]) =>
    [...text.matchAll(/\bCOMMONPLACE_[A-Z_]*[A-Z]\b/g)].map(([name]) => name)
      .filter((name) => !known.has(name)).map((name) => `${page}: ${name}`)
  );
  deepStrictEqual(unknown, []);
});

Deno.test("every commonplace serve that a page or a unit shows has flags that it knows", () => {
  let seen = 0;
  for (const [, text] of texts()) {
    const joined = text.replaceAll(/\\\n\s*/g, "");
    for (
      const [, words] of joined.matchAll(/^(?:dist\/)?commonplace serve((?: +--?[a-z].*)?)$/gm)
    ) {
      resolveSettings(words!.replace(/ #.*/, "").split(" ").filter(Boolean), () => undefined);
      seen++;
    }
    for (const [, words] of joined.matchAll(/^ExecStart=\S+ serve (.+)$/gm)) {
      resolveSettings(words!.split(" "), () => undefined);
      seen++;
    }
  }
  deepStrictEqual(seen >= 3, true);
});
