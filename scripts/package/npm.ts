/** Builds the npm package `@commonplace/server`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { NATIVE_PLATFORMS } from "../build/npm_packages.ts";
import { type ArchiveFile, tarGz } from "./archive.ts";
import { DENO_VERSION, programFiles, renderLauncher } from "./program.ts";

/** A built package. */
export interface BuiltPackage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Builds the tarball. It has the native files of all platforms, because npm can't select files;
 * its install script removes those of other platforms.
 */
export async function buildNpm(root: string): Promise<BuiltPackage> {
  const template = (name: string) => readFileSync(join(root, "scripts/package/npm", name), "utf8");
  const encode = (text: string) => new TextEncoder().encode(text);
  const own: ArchiveFile[] = [
    { path: "package.json", content: encode(`${JSON.stringify(description(), null, 2)}\n`) },
    { path: "README.md", content: encode(template("README.md")) },
    {
      path: "bin/commonplace.cjs",
      content: encode(renderLauncher(template("commonplace.cjs"))),
      executable: true,
    },
    { path: "bin/trim.cjs", content: encode(template("trim.cjs")) },
  ];
  const files = [...own, ...await programFiles(root, NATIVE_PLATFORMS)];
  return {
    name: `commonplace-server-${config.version}.tgz`,
    bytes: tarGz(files.map((file) => ({ ...file, path: `package/${file.path}` }))),
  };
}

function description() {
  return {
    name: "@commonplace/server",
    version: config.version,
    description: "A self-hosted memory service for applications and agents",
    license: config.license,
    bin: { commonplace: "bin/commonplace.cjs" },
    scripts: { postinstall: "node bin/trim.cjs" },
    engines: { node: ">=20" },
    os: ["linux", "darwin", "win32"],
    cpu: ["x64", "arm64"],
    dependencies: { deno: DENO_VERSION },
  };
}
