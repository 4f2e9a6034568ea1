/**
 * The program as JavaScript, for packages that other package managers install. Deno doesn't strip
 * types from files below a folder named `node_modules`, and that is where npm puts them.
 */

import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stop, transform } from "esbuild";
import config from "../../deno.json" with { type: "json" };
import { permissionFlags } from "../build/executable.ts";
import { type Content, listContents } from "../build/contents.ts";
import { NATIVE_PLATFORMS } from "../build/npm_packages.ts";
import type { ArchiveFile } from "./archive.ts";

/** Version of Deno that the packages depend on. CI and the executable use the same one. */
export const DENO_VERSION = "2.9.6";

/** A relative path to a module: in an import, or in the URL of a worker or a child process. */
const MODULE_PATH = /(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g;

/** Code that only the single executable runs. */
const EXECUTABLE_ONLY = "app/src/bundle/";

/** Returns the files of the program with native files for the given platforms. */
export async function programFiles(
  root: string,
  platforms: readonly string[],
): Promise<ArchiveFile[]> {
  await restoreNativeFiles(root);
  const contents = listContents(root, platforms).filter(({ path }) =>
    !path.startsWith(EXECUTABLE_ONLY)
  );
  const files = await Promise.all(contents.map(toFile));
  await stop();
  return [...files, {
    path: "app/package.json",
    content: new TextEncoder().encode('{"type":"module","private":true}\n'),
  }];
}

async function toFile({ path, read }: Content): Promise<ArchiveFile> {
  if (!/^app\/(main|src\/.*)\.ts$/.test(path)) return { path, content: read() };
  const { code } = await transform(new TextDecoder().decode(read()), {
    loader: "ts",
    format: "esm",
    target: "esnext",
  });
  return {
    path: path.replace(/\.ts$/, ".js"),
    content: new TextEncoder().encode(code.replace(MODULE_PATH, "$1$2.js$1")),
  };
}

/**
 * Fills the placeholders of a launcher: the flags to run `app/main.js` with. `DENO` in them marks
 * the path of the runtime, and `LAUNCHER` that of the program which starts the launcher.
 */
export function renderLauncher(template: string): string {
  return template
    .replace("@FLAGS@", runtimeFlags("serve", ""))
    .replace("@CONNECT_FLAGS@", runtimeFlags("commonplace", ",LAUNCHER"));
}

function runtimeFlags(task: "serve" | "commonplace", programs: string): string {
  const permissions = permissionFlags(task, programs).replace("$folder/deno", "DENO")
    .replaceAll('"', "");
  return `--no-prompt --cached-only --no-remote --no-lock ${permissions}`;
}

/** Links the native files of all platforms again, which `deno task packages` removes. */
async function restoreNativeFiles(root: string): Promise<void> {
  const folder = realpathSync(join(root, "node_modules/onnxruntime-node"));
  const isComplete = NATIVE_PLATFORMS.every((platform) =>
    existsSync(join(folder, "bin/napi-v6", platform.replace("-", "/"), "onnxruntime_binding.node"))
  );
  if (isComplete) return;
  const name = `onnxruntime-node@${config.imports["onnxruntime-node"].split("@").at(-1)}`;
  rmSync(join(root, "node_modules/.deno", name), { recursive: true });
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--frozen"],
    cwd: root,
  }).spawn().status;
  if (!success) throw new Error("Can't install the native files of all platforms");
}
