/** Makes sure that every setting named in pages and operator-facing files exists. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName, resolveSettings } from "../../src/server/config.ts";
import { SETTINGS } from "../../src/server/settings.ts";

const ROOT = join(import.meta.dirname!, "../..");

/**
 * Variables not read by `serve`: the ones for the executable's launcher, and for `mcp` as a client.
 */
const OTHER_VARIABLES = [
  "COMMONPLACE_UNPACK_DIR",
  ...["PROJECT", "URL", "USER_ID", "AGENT_ID", "RUN_ID"].map((name) => `COMMONPLACE_${name}`),
];

function texts(): [name: string, text: string][] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
  const contrib = readdirSync(join(ROOT, "contrib"), { withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ name }) => join("contrib", name));
  const names = ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...docs, ...contrib];
  return names.map((name) => [name, readFileSync(join(ROOT, name), "utf8")]);
}

Deno.test("pages and units name only environment variables that are actually read", () => {
  const known = new Set([
    ...OTHER_VARIABLES,
    ...SETTINGS.flatMap(({ name, kind }) => {
      const variable = environmentName(name);
      return kind === "secret" ? [variable, `${variable}_FILE`] : [variable];
    }),
  ]);
  const unknown = texts().flatMap(([page, text]) =>
    [...text.matchAll(/\bCOMMONPLACE_[A-Z0-9_]*[A-Z]\b/g)].map(([name]) => name)
      .filter((name) => !known.has(name)).map((name) => `${page}: ${name}`)
  );
  deepStrictEqual(unknown, []);
});

Deno.test("pages and units start commonplace serve only with known flags", () => {
  let count = 0;
  for (const [, text] of texts()) {
    const joined = text.replaceAll(/\\\n\s*/g, "");
    for (
      const [, args] of joined.matchAll(/^(?:dist\/)?commonplace serve((?: +--?[a-z].*)?)$/gm)
    ) {
      resolveSettings(args!.replace(/ #.*/, "").split(" ").filter(Boolean), () => undefined);
      count++;
    }
    for (const [, args] of joined.matchAll(/^ExecStart=\S+ serve (.+)$/gm)) {
      resolveSettings(args!.split(" "), () => undefined);
      count++;
    }
  }
  ok(count >= 3);
});
