/** Computes checksums of code that only change when the code does something else. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, transform } from "esbuild";

/** Code, as paths from the root. */
export interface Code {
  /** Modules that everything else is reached from. */
  readonly entries: readonly string[];
  /** Data files that the code reads. */
  readonly data: readonly string[];
}

/** Length of a checksum, in hexadecimal digits. */
const CHECKSUM_DIGITS = 16;

/**
 * Returns a checksum of what the entries import, from any folder, without comments, types, format,
 * unused code and the names of variables. The versions of the packages are part of it.
 *
 * esbuild has to be stopped afterwards.
 */
export async function checksumOf(root: string, { entries, data }: Code): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [...entries],
    absWorkingDir: root,
    outdir: "bundle",
    bundle: true,
    write: false,
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "esnext",
    legalComments: "none",
    logLevel: "error",
  });
  const hash = createHash("sha256");
  // New names depend on how often each letter occurs, types and unused code included. So they're
  // given last, when these are gone.
  for (const { text } of outputFiles) hash.update((await transform(text, { minify: true })).code);
  const packages = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path));
  for (const version of versionsOf(root, packages)) hash.update(`\n${version}`);
  for (const file of data) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, CHECKSUM_DIGITS);
}

/** Returns the packages that modules belong to, with their versions, as in `deno.json`. */
function versionsOf(root: string, modules: readonly string[]): string[] {
  const { imports } = JSON.parse(readFileSync(join(root, "deno.json"), "utf8")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  return Object.entries(imports)
    .filter(([name]) => modules.some((path) => path === name || path.startsWith(`${name}/`)))
    .map(([, version]) => version).sort();
}
