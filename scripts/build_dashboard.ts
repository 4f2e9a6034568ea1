/** Bundles the dashboard's pages into `assets/dashboard`, where the server serves them from. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, stop } from "esbuild";

const ROOT = join(import.meta.dirname!, "..");
const CLIENT_FOLDER = join(ROOT, "src/dashboard/client");

/** The bundle's folder. It's checked in, so running from source needs no build. */
export const BUNDLE_FOLDER = join(ROOT, "assets/dashboard");

/** Returns the bundle's files, keyed by name. The same sources always produce the same bytes. */
export async function bundleDashboard(): Promise<Map<string, Uint8Array>> {
  try {
    const { outputFiles } = await build({
      entryPoints: [
        { in: join(CLIENT_FOLDER, "main.tsx"), out: "app" },
        { in: join(CLIENT_FOLDER, "styles/all.css"), out: "app" },
      ],
      outdir: BUNDLE_FOLDER,
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      minify: true,
      format: "iife",
      target: ["es2022", "chrome111", "firefox114", "safari16.4"],
      jsx: "automatic",
      jsxImportSource: "preact",
      charset: "utf8",
      legalComments: "none",
      logLevel: "error",
    });
    return new Map(
      outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1)!, contents]),
    );
  } finally {
    await stop();
  }
}

if (import.meta.main) {
  for (const [name, bytes] of await bundleDashboard()) {
    writeFileSync(join(BUNDLE_FOLDER, name), bytes);
  }
}
