/**
 * Makes the declarations import each other with ".js", as the code does. `tsc` keeps the ".ts" of
 * the sources there, which not every tool resolves.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const path = `dist/${name}`;
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.replaceAll(/(["'])(\.[^"']+)\.ts\1/g, "$1$2.js$1"));
}
